import { describe, expect, it } from '@jest/globals';
import { RequestHashes } from '../../../src/benchmarks/k2-verifier/request-hashes.js';

// hashlib.md5(json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False).encode()).hexdigest()
const A = '{"a":1}';
const MD5_OF_A = '42b7b4f2921788ea14dac5566e6f06d0';
const B = '{"b":[]}';
const MD5_OF_B = '86e007f1bc42060d85fd7c1ce0bb8294';

describe('hashes of prepared requests', () => {
  it('are the same, made beforehand or not', () => {
    const hashes = new RequestHashes(3);
    hashes.remember(1, () => A);
    hashes.remember(3, () => B);
    expect(hashes.of(1, A)).toBe(MD5_OF_A);
    expect(hashes.of(2, A)).toBe(MD5_OF_A);
    expect(hashes.of(3, B)).toBe(MD5_OF_B);
  });

  it('are made once', () => {
    const hashes = new RequestHashes(1);
    let made = 0;
    const prepared = (): string => {
      made += 1;
      return A;
    };
    hashes.remember(1, prepared);
    hashes.remember(1, prepared);
    expect(made).toBe(1);
  });

  it('are null where there is nothing to hash', () => {
    const hashes = new RequestHashes(1);
    hashes.remember(1, () => 'no JSON');
    expect(hashes.of(1, 'no JSON')).toBeNull();
  });
});

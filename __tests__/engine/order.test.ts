import { describe, expect, it, test } from '@jest/globals';
import { drawOrder } from '../../src/engine/order.js';
import { shuffledIndices } from '../../src/statistics/shuffle.js';

/** Three tasks, each twice: 0a 0b, 1a 1b, 2a 2b. */
const REPEATED = ['0', '1', '2'].flatMap((group) =>
  ['a', 'b'].map((copy) => ({ id: `${group}${copy}`, group })),
);
const SINGLE = Array.from({ length: 9 }, (_, i) => ({ id: String(i + 1), group: String(i + 1) }));

describe('drawOrder', () => {
  test.each([
    ['every sample', null, ['0a', '0b', '1a', '1b', '2a', '2b']],
    ['one task, with its repetitions', 1, ['0a', '0b']],
    ['two tasks', 2, ['0a', '0b', '1a', '1b']],
    ['more than there are', 7, ['0a', '0b', '1a', '1b', '2a', '2b']],
  ])('file order: %s', (_, limit, ids) => {
    expect(drawOrder(REPEATED, { order: 'file', seed: 42, limit })).toEqual(ids);
  });

  it('draws tasks and keeps their repetitions together', () => {
    const expected = [...shuffledIndices(3, 7)].flatMap((at) => [`${at}a`, `${at}b`]);
    expect(drawOrder(REPEATED, { order: 'random', seed: 7, limit: null })).toEqual(expected);
    expect(drawOrder(REPEATED, { order: 'random', seed: 7, limit: 2 })).toEqual(
      expected.slice(0, 4),
    );
  });

  it('draws single samples as it always did: the limit only cuts', () => {
    const all = [...shuffledIndices(9, 42)].map((at) => String(at + 1));
    expect(drawOrder(SINGLE, { order: 'random', seed: 42, limit: null })).toEqual(all);
    expect(drawOrder(SINGLE, { order: 'random', seed: 42, limit: 4 })).toEqual(all.slice(0, 4));
  });
});

import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { Journal, type Manifest } from '../../src/engine/journal.js';
import type { Observation } from '../../src/model/observation.js';
import { untrusted } from '../../src/text/untrusted.js';
import { tempDir } from '../support/temp-dir.js';

const manifest: Manifest = {
  benchmark: 'k2_verifier',
  subset: 'k2_thinking',
  version: '1',
  digest: 'abc',
  settings: { model: 'kimi', temperature: 1 },
};

function measured(
  id: string,
  payload: unknown = `answer ${id}`,
  attempt = 1,
): Observation<unknown> {
  return { kind: 'measured', payload, id, attempt, startedAt: 1, durationMs: 2, exchanges: [] };
}

function unmeasured(id: string, attempt = 1): Observation<unknown> {
  return {
    kind: 'unmeasured',
    cause: 'network',
    detail: untrusted('cut'),
    id,
    attempt,
    startedAt: 1,
    durationMs: 2,
    exchanges: [],
  };
}

function write(dir: string, ...observations: Observation<unknown>[]): string {
  const journal = Journal.open(dir, manifest);
  for (const observation of observations) journal.append(observation);
  journal.close();
  return journal.path;
}

describe('what was appended is there again after a restart', () => {
  it('keeps text of every kind, byte for byte', () => {
    const dir = tempDir();
    const payload = { text: '日本 😀 \u2028 "quoted" \n \u0000', numbers: [0.1, 1e21, -0] };
    write(dir, measured('1', payload));
    const journal = Journal.open(dir, manifest);
    expect(journal.read('1')).toEqual(measured('1', { ...payload, numbers: [0.1, 1e21, 0] }));
    journal.close();
  });

  it('takes the newest of several observations of a sample', () => {
    const dir = tempDir();
    write(dir, unmeasured('1'), measured('2'), measured('1', 'second', 2), unmeasured('2', 2));
    const journal = Journal.open(dir, manifest);
    expect([journal.state('1'), journal.state('2'), journal.state('3')]).toEqual([
      'measured',
      'unmeasured',
      null,
    ]);
    expect(journal.read('1')).toMatchObject({ payload: 'second' });
    expect([journal.attempts('1'), journal.attempts('3')]).toEqual([2, 0]);
    journal.close();
  });

  it('goes on after a restart', () => {
    const dir = tempDir();
    write(dir, measured('1'));
    write(dir, measured('2'));
    const journal = Journal.open(dir, manifest);
    expect([journal.state('1'), journal.state('2'), journal.earlier]).toEqual([
      'measured',
      'measured',
      { kind: 'continued', damaged: 0 },
    ]);
    journal.close();
  });
});

describe('damage costs the damaged samples only', () => {
  it('survives being cut off at every byte', () => {
    const dir = tempDir();
    const path = write(dir, measured('1'), measured('2'));
    const whole = readFileSync(path);
    const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
    for (let size = ends[0] as number; size <= whole.length; size += 1) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const journal = Journal.open(dir, manifest);
      expect([journal.state('1'), journal.state('2')]).toEqual([
        size >= (ends[1] as number) ? 'measured' : null,
        size >= (ends[2] as number) ? 'measured' : null,
      ]);
      journal.append(measured('3'));
      journal.close();
      const again = Journal.open(dir, manifest);
      expect([again.state('3'), again.earlier]).toEqual([
        'measured',
        { kind: 'continued', damaged: 0 },
      ]);
      again.close();
    }
  });

  it('leaves out a line in which any one bit was flipped', () => {
    const dir = tempDir();
    const path = write(dir, measured('1'), measured('2'));
    const whole = readFileSync(path);
    const first = whole.indexOf(0x0a) + 1;
    const second = whole.indexOf(0x0a, first) + 1;
    for (let at = first; at < second - 1; at += 1) {
      for (const bit of [0, 3, 7]) {
        const flipped = Buffer.from(whole);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        writeFileSync(path, flipped);
        const journal = Journal.open(dir, manifest);
        expect(journal.state('1')).toBeNull();
        expect(journal.state('2')).toBe('measured');
        journal.close();
      }
    }
  });

  it('counts a damaged line', () => {
    const dir = tempDir();
    const path = write(dir, measured('1'));
    appendFileSync(path, '00000000 {"id":"2","kind":"measured","attempt":1}\n');
    const journal = Journal.open(dir, manifest);
    expect([journal.earlier, journal.state('2'), journal.state('1')]).toEqual([
      { kind: 'continued', damaged: 1 },
      null,
      'measured',
    ]);
    journal.close();
  });

  it('refuses a journal that does not say what it was measured with', () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'journal.jsonl'), 'not a journal\n');
    expect(() => Journal.open(dir, manifest)).toThrow(
      /no readable record of what it was measured with/,
    );
  });
});

describe('a journal of something else is refused, the difference named', () => {
  test.each<[string, Partial<Manifest>, string]>([
    ['other data', { digest: 'def' }, 'digest was "abc" and is now "def"'],
    ['other subset', { subset: 'k2_0905' }, 'subset was "k2_thinking" and is now "k2_0905"'],
    [
      'other setting',
      { settings: { model: 'kimi', temperature: 0.6 } },
      'temperature was 1 and is now 0.6',
    ],
    [
      'a setting more',
      { settings: { model: 'kimi', temperature: 1, thinking: 'on' } },
      'thinking was not set and is now "on"',
    ],
    ['a setting less', { settings: { model: 'kimi' } }, 'temperature was 1 and is now not set'],
  ])('%s', (_, change, message) => {
    const dir = tempDir();
    write(dir, measured('1'));
    expect(() => Journal.open(dir, { ...manifest, ...change })).toThrow(message);
    expect(readFileSync(join(dir, 'journal.jsonl'), 'utf8')).toContain('answer 1');
  });
});

describe('a finished run is never continued', () => {
  function finish(dir: string): void {
    const journal = Journal.open(dir, manifest);
    journal.append(measured('1'));
    journal.finish();
    journal.close();
  }

  it('sets its journal aside and starts anew, whatever the settings', () => {
    const dir = tempDir();
    finish(dir);
    finish(dir);
    const journal = Journal.open(dir, { ...manifest, digest: 'other' });
    expect(journal.earlier).toEqual({ kind: 'set-aside', path: join(dir, 'journal-2.jsonl') });
    expect(journal.state('1')).toBeNull();
    expect(readFileSync(join(dir, 'journal-1.jsonl'), 'utf8')).toContain('answer 1');
    journal.close();
  });

  it('goes on when it was killed between the last sample and the report', () => {
    const dir = tempDir();
    write(dir, measured('1'));
    const journal = Journal.open(dir, manifest);
    expect([journal.earlier.kind, journal.state('1')]).toEqual(['continued', 'measured']);
    journal.close();
  });

  test.each([
    ['another workflow run', 'github-1', 'github-2', 'set-aside'],
    ['the next attempt of the same workflow run', 'github-1', 'github-1', 'continued'],
    ['a terminal after a workflow run', 'github-1', null, 'set-aside'],
    ['a terminal again', null, null, 'continued'],
  ])('%s', (_, first, second, kind) => {
    const dir = tempDir();
    const before = Journal.open(dir, manifest, first);
    before.append(measured('1'));
    before.close();
    const journal = Journal.open(dir, manifest, second);
    expect(journal.earlier.kind).toBe(kind);
    journal.close();
  });
});

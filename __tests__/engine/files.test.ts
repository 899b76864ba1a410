import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { alsoIn, makeOutputDir, writeWhole } from '../../src/engine/files.js';
import { takeLock } from '../../src/engine/lock.js';
import { settingsOf } from '../../src/engine/settings.js';
import { ConfigError } from '../../src/model/errors.js';
import { configFor } from '../support/fake-world.js';
import { tempDir } from '../support/temp-dir.js';

describe('the output directory', () => {
  it('is made with all its parents, and may exist', () => {
    const dir = join(tempDir(), 'a', 'b', 'c');
    makeOutputDir(dir);
    makeOutputDir(dir);
    expect(existsSync(dir)).toBe(true);
  });

  test.each([
    ['below a file', (dir: string) => join(dir, 'file', 'out')],
    ['a file', (dir: string) => join(dir, 'file')],
    ['where the kernel makes none', () => '/proc/out'],
    ['where the kernel makes none, deeper', () => '/proc/out/deeper'],
  ])('%s: one clear error', (_, place) => {
    const dir = tempDir();
    writeFileSync(join(dir, 'file'), '');
    expect(() => makeOutputDir(place(dir))).toThrow(ConfigError);
    expect(() => makeOutputDir(place(dir))).toThrow(/output-dir: .* cannot be created/);
  });
});

describe('files', () => {
  it('replaces a file whole and leaves nothing beside it', () => {
    const dir = tempDir();
    writeWhole(join(dir, 'f'), 'one');
    writeWhole(join(dir, 'f'), 'two');
    expect([readdirSync(dir), readFileSync(join(dir, 'f'), 'utf8')]).toEqual([['f'], 'two']);
  });

  it('puts files at the top too, in place of older ones', () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'part'));
    writeFileSync(join(dir, 'results.jsonl'), 'old');
    writeFileSync(join(dir, 'part', 'results.jsonl'), 'new');
    alsoIn(dir, [join(dir, 'part', 'results.jsonl')]);
    expect(readFileSync(join(dir, 'results.jsonl'), 'utf8')).toBe('new');
  });
});

describe('a directory that takes no files', () => {
  test('is one clear error of the lock', () => {
    const dir = tempDir();
    rmdirSync(dir);
    expect(() => takeLock(dir, () => 0)).toThrow(/output-dir: .* cannot be written to: ENOENT/);
  });
});

describe('settings of a report', () => {
  test.each([
    [
      'https://u:p@data.example.com/rows.jsonl?sig=SECRET#x',
      'https://data.example.com/rows.jsonl?…',
    ],
    ['https://data.example.com/rows.jsonl', 'https://data.example.com/rows.jsonl'],
    ['data/rows?.jsonl', 'data/rows?.jsonl'],
    ['C:\\rows.jsonl', 'C:\\rows.jsonl'],
  ])('source %s is shown as %s', (source, shown) => {
    const benchmarks = [{ name: 'k2_verifier', subset: 'k2_thinking', options: { source } }];
    const settings = settingsOf(configFor('out', { benchmarks }));
    expect(settings['k2_verifier/k2_thinking.source']).toBe(shown);
  });
});

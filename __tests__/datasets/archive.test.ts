import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { unpackTar } from '../../src/datasets/archive.js';
import { ConfigError, type Problem } from '../../src/model/errors.js';
import { pax, type TarMember, tar, tarGz } from '../support/tar.js';
import { tempDir } from '../support/temp-dir.js';

interface Given {
  readonly archive: Buffer;
  readonly wanted?: readonly string[] | null;
  readonly maxBytes?: number;
}

/** What was taken, by member; and the names of all files that came to be. */
async function taken({ archive, wanted = null, maxBytes = 2 ** 30 }: Given) {
  const dir = tempDir();
  const path = join(dir, 'a.tar');
  writeFileSync(path, archive);
  let count = 0;
  const newFile = async (): Promise<string> => {
    count += 1;
    return join(dir, `out-${count}`);
  };
  const signal = new AbortController().signal;
  const ctx = { signal, where: 'the.option', label: 'a.tar', maxBytes };
  const gzip = archive[0] === 0x1f;
  const members = await unpackTar(path, gzip, wanted, newFile, ctx);
  const texts = members.map(({ member, path: at }) => [member, readFileSync(at, 'utf8')]);
  return { texts, files: readdirSync(dir, { recursive: true }).sort() };
}

async function problemOf(given: Given): Promise<Problem> {
  const error = await taken(given).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  const [problem, more] = (error as ConfigError).problems;
  expect(more).toBeUndefined();
  expect(problem?.where).toBe('the.option');
  return problem as Problem;
}

const ROWS: TarMember = { name: 'set/rows.jsonl', body: '{"a":1}\n' };
const LABELS: TarMember = { name: 'set/labels.jsonl', body: '{"b":2}\n' };

describe('taking members', () => {
  it('takes those named, in the order asked for, and writes nothing else', async () => {
    const archive = tarGz([{ name: 'set/', type: '5' }, ROWS, { name: 'set/README' }, LABELS]);
    expect(await taken({ archive, wanted: ['set/labels.jsonl', 'set/rows.jsonl'] })).toEqual({
      texts: [
        ['set/labels.jsonl', '{"b":2}\n'],
        ['set/rows.jsonl', '{"a":1}\n'],
      ],
      files: ['a.tar', 'out-1', 'out-2'],
    });
  });

  it('takes the only data file, passing over what macOS, git and people leave beside it', async () => {
    const archive = tar([
      { name: './', type: '5' },
      { name: './._rows.jsonl', body: 'mac' },
      { name: './.cache/rows.jsonl', body: 'hidden' },
      { name: './README.md', body: 'read me' },
      { name: './rows.jsonl', body: '{}\n' },
    ]);
    expect((await taken({ archive })).texts).toEqual([['rows.jsonl', '{}\n']]);
  });

  it('reads long names from extended headers', async () => {
    const name = `${'d'.repeat(120)}/rows.jsonl`;
    const archive = tar([pax({ path: name, mtime: '1.5' }), { ...ROWS, name: 'short' }]);
    expect((await taken({ archive, wanted: [name] })).texts).toEqual([[name, '{"a":1}\n']]);
  });

  it('takes an empty member, and one that is larger than a block of reading', async () => {
    const body = '0123456789abcdef\n'.repeat(60_000);
    const archive = tarGz([{ name: 'empty' }, { name: 'large', body }]);
    const { texts } = await taken({ archive, wanted: ['empty', 'large'] });
    expect(texts).toEqual([
      ['empty', ''],
      ['large', body],
    ]);
  });

  it('takes no notice of what follows the end of the archive', async () => {
    const archive = gzipSync(Buffer.concat([tar([ROWS]), Buffer.alloc(3_000_000, 0x78)]));
    expect((await taken({ archive })).texts).toEqual([['set/rows.jsonl', '{"a":1}\n']]);
  });

  it('reads what GNU tar, and its pax format with the times of macOS, write', async () => {
    const archive = readFileSync(new URL('../fixtures/data-sets/gnu-pax.tar.gz', import.meta.url));
    const wanted = ['tool-calls/samples.jsonl'];
    const { texts } = await taken({ archive, wanted });
    expect(texts).toEqual([['tool-calls/samples.jsonl', '{"line": 1}\n{"line": 2}\n']]);
  });
});

describe('what is refused', () => {
  const big = Buffer.alloc(2 ** 20, 0x20);
  test.each<[string, Given, string]>([
    ['a path upwards', { archive: tar([{ name: '../x.jsonl' }]) }, 'holds ../x.jsonl, a path that'],
    [
      'a path upwards in the middle',
      { archive: tar([ROWS, { name: 'set/../../x' }]) },
      'holds set/../../x, a path that leads out of the archive.',
    ],
    ['an absolute path', { archive: tar([{ name: '/etc/x' }]) }, 'holds /etc/x, a path that'],
    ['a drive', { archive: tar([{ name: 'C:x' }]) }, 'holds C:x, a path that leads out'],
    ['a path of Windows', { archive: tar([{ name: '..\\x' }]) }, 'holds ..\\x, a path that'],
    [
      'a path upwards in an extended header',
      { archive: tar([pax({ path: '../../x' }), ROWS]) },
      'holds ../../x, a path that leads out',
    ],
    [
      'a symbolic link',
      { archive: tar([{ name: 'rows.jsonl', type: '2', linkName: '/etc/passwd' }]) },
      'holds a link (rows.jsonl), which can lead anywhere.',
    ],
    [
      'a hard link, after what was asked for',
      {
        archive: tar([ROWS, { name: 'l', type: '1', linkName: 'set/rows.jsonl' }]),
        wanted: ['set/rows.jsonl'],
      },
      'holds a link (l), which can lead anywhere.',
    ],
    ['a device', { archive: tar([{ name: 'd', type: '3' }]) }, 'holds d, which is neither a file'],
    ['a FIFO', { archive: tar([{ name: 'f', type: '6' }]) }, 'holds f, which is neither a file'],
    [
      'an unknown type',
      { archive: tar([{ name: 's', type: 'S' }]) },
      'a member of unknown type (s)',
    ],
    ['a member twice', { archive: tar([ROWS, ROWS]) }, 'holds set/rows.jsonl twice.'],
    [
      '100,000 empty members',
      { archive: tarGz(Array.from({ length: 100_000 }, (_, n) => ({ name: `m${n}` }))) },
      'has more than 10000 members.',
    ],
    [
      'an extended header without end',
      { archive: tar([{ name: 'x', type: 'x', body: Buffer.alloc(70_000, 0x20) }, ROWS]) },
      'holds an extended header of more than 64 KiB',
    ],
    [
      'more bytes than allowed',
      { archive: tarGz([{ name: 'x.jsonl', body: big }]), maxBytes: 2 ** 19 },
      'unpacks to more than 524288 bytes.',
    ],
    [
      'a bomb: two hundred times its size and more',
      { archive: tarGz([{ name: 'x.jsonl', body: Buffer.alloc(80 * 2 ** 20) }]) },
      'unpacks to more than 200 times its size, as a decompression bomb does.',
    ],
    [
      'an archive cut off in a member',
      { archive: tar([{ name: 'x.jsonl', body: big }]).subarray(0, 5000) },
      'is cut off in the middle of a member.',
    ],
    [
      'an archive cut off in a header',
      { archive: tar([ROWS, LABELS]).subarray(0, 1200), wanted: ['set/rows.jsonl'] },
      'is cut off: the mark at its end is missing.',
    ],
    ['an archive without its end', { archive: tar([ROWS], false) }, 'is cut off: the mark'],
    [
      'gzip cut off',
      { archive: tarGz([ROWS, { name: 'r', body: big }]).subarray(0, 200) },
      'is cut off: its gzip data end too early.',
    ],
    [
      'a member that claims more than there is',
      { archive: tar([{ ...ROWS, size: 8 ** 10 }]) },
      'is cut off in the middle of a member.',
    ],
    [
      'a damaged header',
      { archive: Buffer.concat([tar([ROWS]).subarray(0, 1024), Buffer.alloc(512, 1), tar([])]) },
      'is not a valid tar archive (checksum failure).',
    ],
    ['no data file', { archive: tar([{ name: 'a.txt' }]) }, 'holds no data file (.jsonl, .json,'],
    ['nothing', { archive: tar([{ name: 'd/', type: '5' }]) }, 'It holds nothing.'],
    [
      'several data files',
      { archive: tar([ROWS, LABELS]) },
      'holds several data files: set/rows.jsonl, set/labels.jsonl.',
    ],
    [
      'no such member',
      { archive: tar([ROWS, LABELS]), wanted: ['rows.jsonl'] },
      'has no member rows.jsonl. It holds set/rows.jsonl, set/labels.jsonl.',
    ],
    [
      'a directory asked for',
      { archive: tar([{ name: 'set/', type: '5' }, ROWS]), wanted: ['set'] },
      'has no member set. It holds set/rows.jsonl.',
    ],
  ])('%s', async (_name, given, expected) => {
    const { what, fix } = await problemOf(given);
    expect(what).toMatch(/^a\.tar /);
    expect(what).toContain(expected);
    expect(fix).not.toBe('');
  });

  it('names members harmlessly, and at most ten', async () => {
    const names = Array.from({ length: 14 }, (_, n) => ({ name: `${n}\u001b[31m\n::x.jsonl` }));
    const { what } = await problemOf({ archive: tar(names) });
    expect(what).toContain('0\\u{1b}[31m ⏎ ::x.jsonl');
    expect(what).toMatch(/ and 4 more\.$/);
  });
});

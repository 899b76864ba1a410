import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest, test } from '@jest/globals';
import {
  annotate,
  fail,
  group,
  log,
  logVendorText,
  maskSecrets,
  readPayload,
  setOutputs,
  warn,
  writeSummary,
} from '../../src/github/workflow.js';
import { untrusted } from '../../src/text/untrusted.js';

let dir: string;
let out: string[];
const variables = { ...process.env };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'workflow-'));
  out = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  process.env = { ...variables };
  await rm(dir, { recursive: true });
});
/** What the runner reads: lines. */
const lines = (): string[] => out.join('').split(/\r?\n/).slice(0, -1);

describe('event payload', () => {
  it('is read', async () => {
    const path = join(dir, 'event.json');
    await writeFile(path, '{"schedule":"0 4 * * *"}');
    expect(await readPayload({ GITHUB_EVENT_PATH: path })).toEqual({
      payload: { schedule: '0 4 * * *' },
      problem: null,
    });
  });

  test.each([
    ['no path', () => ({}), null, /not set/],
    [
      'no file',
      () => ({ GITHUB_EVENT_PATH: join(dir, 'none.json') }),
      null,
      /cannot be read: ENOENT/,
    ],
    [
      'a damaged file',
      () => ({ GITHUB_EVENT_PATH: join(dir, 'event.json') }),
      '{"a":',
      /cannot be read: .*JSON/,
    ],
  ])('%s', async (_, env, text, problem) => {
    if (text) await writeFile(join(dir, 'event.json'), text);
    expect(await readPayload(env())).toEqual({
      payload: null,
      problem: expect.stringMatching(problem),
    });
  });
});

it('masks real values only, and the part after a scheme', () => {
  maskSecrets(['sk-1', '', ' ', 'x', ' padded ', 'Bearer abc%0A', 'sk-1', 'two whole words']);
  expect(lines()).toEqual([
    '::add-mask::sk-1',
    '::add-mask:: padded ',
    '::add-mask::padded',
    '::add-mask::Bearer abc%250A',
    '::add-mask::abc%250A',
    '::add-mask::two whole words',
  ]);
});

describe('outputs', () => {
  it('are written whatever they hold', async () => {
    const path = join(dir, 'out');
    await writeFile(path, '');
    process.env['GITHUB_OUTPUT'] = path;
    expect(setOutputs({ verdict: 'fail', metrics: 'a\nverdict=pass\nEOF' })).toEqual([]);
    const written = await readFile(path, 'utf8');
    expect(written).toMatch(
      /^verdict<<(ghadelimiter_\S+)\r?\nfail\r?\n\1\r?\nmetrics<<(ghadelimiter_\S+)\r?\na\nverdict=pass\nEOF\r?\n\2\r?\n$/,
    );
  });

  it('that cannot be set are sentences, and the others are set', async () => {
    const path = join(dir, 'out');
    await writeFile(path, '');
    process.env['GITHUB_OUTPUT'] = path;
    expect(setOutputs({ big: 'x'.repeat(262_145), verdict: 'pass' })).toEqual([
      'Output big is not set: it has 262145 bytes and the limit is 262144. Read it from the report file.',
    ]);
    expect(await readFile(path, 'utf8')).toMatch(/^verdict<</);
    process.env['GITHUB_OUTPUT'] = join(dir, 'none');
    expect(setOutputs({ verdict: 'pass' })).toEqual([
      expect.stringMatching(/^Output verdict is not set: Missing file/),
    ]);
  });
});

describe('job summary', () => {
  const MIB = 1024 * 1024;

  it('is written in one piece, after what the step wrote before', async () => {
    const path = join(dir, 'summary');
    await writeFile(path, 'before\n');
    const pieces: string[] = [];
    const written = await writeSummary(
      '# Überschrift\n',
      { GITHUB_STEP_SUMMARY: path },
      async (_, text) => void pieces.push(text),
    );
    expect([written, pieces]).toEqual([{ kind: 'written', bytes: 15 }, ['# Überschrift\n']]);
    await writeSummary('# Überschrift\n', { GITHUB_STEP_SUMMARY: path });
    expect(await readFile(path, 'utf8')).toBe('before\n# Überschrift\n');
  });

  it('is not there on an old runner: a notice', async () => {
    for (const env of [{}, { GITHUB_STEP_SUMMARY: '' }])
      expect(await writeSummary('x', env)).toEqual({
        kind: 'absent',
        message: expect.stringMatching(/no job summary/),
      });
  });

  it('fits by bytes to the last, and one more is a warning', async () => {
    const path = join(dir, 'summary');
    await writeFile(path, 'é');
    expect(await writeSummary('é'.repeat(MIB / 2), { GITHUB_STEP_SUMMARY: path })).toEqual({
      kind: 'failed',
      message:
        'The job summary is not written: with 1048578 bytes GitHub would drop it (limit 1048576).',
      fix: expect.stringMatching(/summary\.md/),
    });
    expect(await readFile(path, 'utf8')).toBe('é');
    expect(await writeSummary('é'.repeat(MIB / 2 - 1), { GITHUB_STEP_SUMMARY: path })).toEqual({
      kind: 'written',
      bytes: MIB - 2,
    });
  });

  it('on a full disk is a warning', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    });
    expect(
      await writeSummary('x', { GITHUB_STEP_SUMMARY: join(dir, 's') }, () => Promise.reject(full)),
    ).toEqual({
      kind: 'failed',
      message: 'The job summary is not written: ENOSPC: no space left on device, write.',
      fix: expect.stringMatching(/^Free space/),
    });
  });

  it('in a place that cannot be written is a warning', async () => {
    expect(await writeSummary('x', { GITHUB_STEP_SUMMARY: dir })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/EISDIR/),
    });
  });
});

describe('annotations', () => {
  it('cannot become another command', () => {
    annotate([
      {
        level: 'error',
        title: 'F1, a::b\n::set-output name=x::y',
        message: '50%0A\r\n::error::no ##[add-mask]z',
      },
      { level: 'warning', title: 'w', message: 'm' },
      { level: 'notice', title: 'n', message: 'm' },
    ]);
    expect(lines()).toEqual([
      '::error title=F1%2C a%3A%3Ab%0A%3A%3Aset-output name=x%3A%3Ay::50%250A%0D%0A::error::no ##[add-mask]z',
      '::warning title=w::m',
      '::notice title=n::m',
    ]);
  });

  it('beyond ten a level go to the log, with commands stopped', () => {
    annotate(
      Array.from({ length: 12 }, (_, i) => ({
        level: 'error' as const,
        title: `gate ${i}`,
        message: '##[error]x\n::error::y',
      })),
    );
    expect(lines().filter((line) => line.startsWith('::error'))).toHaveLength(10);
    expect(lines().slice(10)).toEqual([
      expect.stringMatching(/^::stop-commands::/),
      'error: gate 10: ##[error]x ::error::y',
      expect.stringMatching(/^::[0-9a-f-]{36}::$/),
      expect.stringMatching(/^::stop-commands::/),
      'error: gate 11: ##[error]x ::error::y',
      expect.stringMatching(/^::[0-9a-f-]{36}::$/),
    ]);
  });

  it('a warning says what to do', () => {
    warn({ message: 'Could not post.', fix: 'Add a permission.' });
    expect(lines()).toEqual(['::warning title=Vendor Gate::Could not post. Add a permission.']);
  });
});

describe('vendor text in the log', () => {
  test.each([
    '::error::x',
    '  ::add-mask::x',
    'a\n::set-output name=verdict::pass',
    'a\r::error::x',
    '##[error]x',
    'x ##[group]y',
    '::stop-commands::t\n::t::',
  ])('%j', (text) => {
    logVendorText(untrusted(text));
    const [stop = '', ...rest] = lines();
    const token = /^::stop-commands::([0-9a-f-]{36})$/.exec(stop)?.[1];
    const resume = rest.pop();
    expect(token).toBeDefined();
    expect(resume).toBe(`::${token}::`);
    // What the runner would obey had it not been stopped: nothing either.
    for (const line of rest) expect(line).not.toMatch(/^\s*::|##\[/);
    expect(out).toHaveLength(1);
  });

  it('has a token of its own each time', () => {
    logVendorText(untrusted('a'));
    logVendorText(untrusted('b'));
    expect(new Set(out.map((text) => text.split(/\r?\n/)[0])).size).toBe(2);
  });
});

it('groups, logs and fails', async () => {
  const before = process.exitCode;
  const measure = async (): Promise<number> => {
    log('200 samples');
    return 7;
  };
  expect(await group('Measure', measure)).toBe(7);
  await expect(group('Measure', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  fail('Tool calling is broken');
  const after = process.exitCode;
  process.exitCode = before;
  expect(after).toBe(1);
  expect(lines()).toEqual([
    '::group::Measure',
    '200 samples',
    '::endgroup::',
    '::group::Measure',
    '::endgroup::',
    '::error::Tool calling is broken',
  ]);
});

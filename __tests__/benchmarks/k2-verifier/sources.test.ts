import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from '@jest/globals';
import { k2Verifier } from '../../../src/benchmarks/k2-verifier/index.js';
import type { ObtainContext } from '../../../src/datasets/source.js';
import { drawOrder } from '../../../src/engine/order.js';
import type { OpenContext, Opened } from '../../../src/model/benchmark.js';
import { ConfigError, type Problem } from '../../../src/model/errors.js';
import type { JsonObject } from '../../../src/model/json.js';
import { downloadsIn } from '../../support/downloads.js';
import { modelscope, nobody, type Served, serve } from '../../support/hubs.js';
import { SETTINGS } from '../../support/k2.js';
import { tarGz } from '../../support/tar.js';
import { tempDir } from '../../support/temp-dir.js';

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/data-sets/${name}`, import.meta.url));
const fixture = (name: string): Buffer => readFileSync(pathOf(name));
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const ID = 'evalscope/K2VendorVerifier';
const HOSTED = fixture('hosted-rows.jsonl');
/** As upstream packs it on macOS: with a directory, and a file of attributes beside each member. */
const TARBALL = tarGz([
  { name: 'tool-calls/', type: '5' },
  { name: 'tool-calls/._samples.jsonl', body: 'Mac OS X' },
  { name: 'tool-calls/samples.jsonl', body: fixture('k2vv-samples.jsonl') },
  {
    name: 'tool-calls/kimi-k2-thinking_results.jsonl',
    body: fixture('k2vv-kimi-k2-thinking_results.jsonl'),
  },
  {
    name: 'tool-calls/kimi-k2-0905-preview_results.jsonl',
    body: fixture('k2vv-kimi-k2-0905-preview_results.jsonl'),
  },
]);

interface Places {
  readonly modelscope: string;
  readonly moonshot: string;
}

const hub = (files: Record<string, string | Buffer> = { 'k2_thinking/test.jsonl': HOSTED }) =>
  modelscope({ id: ID, files });
const tarball = (content: Buffer = TARBALL): Promise<Served> =>
  serve((request, response) => {
    if (request.url === '/k2vv/tool-calls.tar.gz') response.end(content);
    else response.writeHead(404).end();
  });
const at = ({ url }: Served): string => `${url}/k2vv/tool-calls.tar.gz`;

async function open(
  places: Places,
  options: JsonObject = {},
  subset = 'k2_thinking',
  downloads = downloadsIn(tempDir()),
) {
  const notes: string[] = [];
  const found = k2Verifier.spec.subsets.find(({ name }) => name === subset);
  if (found === undefined) throw new Error(subset);
  const ctx: OpenContext & Pick<ObtainContext, 'retryDelaysMs'> = {
    subset: found,
    request: SETTINGS,
    clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
    signal: new AbortController().signal,
    env: {
      VENDOR_GATE_MODELSCOPE: places.modelscope,
      VENDOR_GATE_MOONSHOT: places.moonshot,
    },
    scratch: join(tempDir(), 'scratch'),
    downloads,
    retryDelaysMs: [1],
    note: (text) => notes.push(text),
  };
  const opened = (await k2Verifier.open(options, ctx)) as Opened<unknown, unknown>;
  const close = async (): Promise<void> => {
    await opened.close();
    expect(existsSync(ctx.scratch) ? readdirSync(ctx.scratch) : []).toEqual([]);
  };
  return { opened, notes, close };
}

async function problemsOf(...given: Parameters<typeof open>): Promise<readonly Problem[]> {
  const error = await open(...given).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).problems;
}

interface Loaded {
  readonly body: string;
  readonly official: {
    readonly triggered: boolean;
    readonly calls: readonly { readonly name: string }[];
  };
}

/** Of every row: what is sent, whether the official model called, and which tools. */
async function rowsOf(opened: Opened): Promise<[string, boolean, string][]> {
  const rows: [string, boolean, string][] = [];
  for (const { id } of opened.keys) {
    const { body, official } = (await opened.load(id)) as Loaded;
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    const calls = official.calls.map(({ name }) => name).join();
    rows.push([messages.at(-1)?.content ?? '', official.triggered, calls]);
  }
  return rows;
}

const THINKING = [
  ['Weather in Oslo?', true, 'get_weather'],
  ['Thanks, that is all.', false, ''],
  ['搜索一下 “奥斯陆” 的天气', true, 'search'],
  ['And tomorrow?', false, ''],
];
const K2_0905 = [
  ['Weather in Oslo?', false, ''],
  ['Thanks, that is all.', false, ''],
  ['搜索一下 “奥斯陆” 的天气', true, 'search'],
  ['And tomorrow?', true, 'get_weather'],
];

describe('without a word about the source', () => {
  it('k2_thinking comes from ModelScope, and upstream is not asked', async () => {
    const [first, second] = [await hub(), await tarball()];
    const { opened, notes, close } = await open({ modelscope: first.url, moonshot: at(second) });
    expect(opened.dataset).toEqual({
      source: `modelscope ${ID} k2_thinking/test.jsonl from ${new URL(first.url).host}`,
      sha256: sha256(HOSTED),
      rows: 4,
      synthetic: false,
    });
    expect(await rowsOf(opened)).toEqual(THINKING);
    expect(opened.fingerprint.settings['labels']).toBeNull();
    expect(opened.notComparable).toEqual([]);
    expect(notes.filter((note) => note.includes('modelscope'))).toEqual([]);
    expect(second.requests).toEqual([]);
    await close();
  });

  it('k2_0905 comes from upstream, fetched once, and ModelScope is not asked', async () => {
    const [first, second] = [await hub(), await tarball()];
    const places = { modelscope: first.url, moonshot: at(second) };
    const { opened, close } = await open(places, {}, 'k2_0905');
    expect(opened.dataset).toEqual({
      source: `moonshot tool-calls.tar.gz from ${at(second)}`,
      sha256: sha256(TARBALL),
      rows: 4,
      synthetic: false,
    });
    expect(await rowsOf(opened)).toEqual(K2_0905);
    expect(opened.fingerprint.settings['labels']).toBe(sha256(TARBALL));
    expect(first.requests).toEqual([]);
    expect(second.requests).toEqual(['/k2vv/tool-calls.tar.gz']);
    await close();
  });
});

describe('a source asked for', () => {
  it('leaves out a row to which the official model itself gave no answer, and says so', async () => {
    const records = fixture('k2vv-kimi-k2-thinking_results.jsonl').toString().trim().split('\n');
    const failed = records.map((line) =>
      JSON.parse(line).data_index === 2 ? '{"data_index":2,"status":"failed","response":{}}' : line,
    );
    const content = tarGz([
      { name: 'tool-calls/samples.jsonl', body: fixture('k2vv-samples.jsonl') },
      { name: 'tool-calls/kimi-k2-thinking_results.jsonl', body: failed.join('\n') },
    ]);
    const places = { modelscope: await nobody(), moonshot: at(await tarball(content)) };
    const { opened, notes, close } = await open(places, { source: 'moonshot' });
    expect(opened.keys.map(({ id }) => id)).not.toContain('2');
    expect(opened.keys).toHaveLength(records.length - 1);
    expect(opened.notComparable).toEqual([]);
    expect(notes).toContain(
      '1 row left out: the official results that are published with the data set have no answer to compare with: 2.',
    );
    await close();
  });

  it('moonshot gives k2_thinking with the official results of that model', async () => {
    const [first, second] = [await hub(), await tarball()];
    const places = { modelscope: first.url, moonshot: at(second) };
    const { opened, close } = await open(places, { source: 'moonshot', sha256: sha256(TARBALL) });
    expect(opened.dataset.source).toBe(`moonshot tool-calls.tar.gz from ${at(second)}`);
    expect(await rowsOf(opened)).toEqual(THINKING);
    expect(first.requests).toEqual([]);
    await close();
  });

  it('another data set of the same form on ModelScope, and a file of it', async () => {
    const { url } = await modelscope({
      id: 'some/set',
      files: { 'a.jsonl': '{}', 'b.jsonl': HOSTED },
    });
    const places = { modelscope: url, moonshot: await nobody() };
    const { opened, close } = await open(places, { source: 'modelscope:some/set#b.jsonl' });
    expect(opened.dataset.source).toContain('modelscope some/set b.jsonl');
    expect(await rowsOf(opened)).toEqual(THINKING);
    await close();
    expect(await problemsOf(places, { source: 'modelscope:some/set' })).toMatchObject([
      { what: expect.stringContaining('several files fit: a.jsonl, b.jsonl') },
    ]);
  });

  it('a tarball on the disk may stand in for the address, and its members be named', async () => {
    const path = join(tempDir(), 'tool-calls.tar.gz');
    writeFileSync(path, TARBALL);
    const places = { modelscope: await nobody(), moonshot: path };
    const own = await open(places, {}, 'k2_0905');
    expect(await rowsOf(own.opened)).toEqual(K2_0905);
    await own.close();
    const named = await open(places, {
      source: `${path}#tool-calls/samples.jsonl`,
      labels: `${path}#tool-calls/kimi-k2-thinking_results.jsonl`,
    });
    expect(await rowsOf(named.opened)).toEqual(THINKING);
    await named.close();
  });

  test.each(['hosted-rows.parquet', 'hosted-rows.csv'])(
    '%s gives the rows of the JSON lines',
    async (name) => {
      const path = pathOf(name);
      const places = { modelscope: await nobody(), moonshot: await nobody() };
      const plain = path.replace(/\.\w+$/, '.jsonl');
      const [table, lines] = [
        await open(places, { source: path }),
        await open(places, { source: plain }),
      ];
      const bodies = async ({ opened }: typeof table) =>
        Promise.all(opened.keys.map(async ({ id }) => ((await opened.load(id)) as Loaded).body));
      expect(await bodies(table)).toEqual(await bodies(lines));
      expect(await rowsOf(table.opened)).toEqual(THINKING);
      expect(table.opened.dataset.sha256).toBe(sha256(fixture(name)));
      await table.close();
      await lines.close();
    },
  );
});

describe('labels', () => {
  it('asked for win over the results in the tarball', async () => {
    const labels = join(tempDir(), 'newer_results.jsonl');
    writeFileSync(labels, fixture('k2vv-kimi-k2-0905-preview_results.jsonl'));
    const places = { modelscope: await nobody(), moonshot: at(await tarball()) };
    const { opened, close } = await open(places, { source: 'moonshot', labels });
    expect(await rowsOf(opened)).toEqual(K2_0905);
    expect(opened.fingerprint.settings['labels']).toBe(
      sha256(fixture('k2vv-kimi-k2-0905-preview_results.jsonl')),
    );
    await close();
  });

  it('and rows that both fail are reported together', async () => {
    const places = { modelscope: await nobody(), moonshot: await nobody() };
    const problems = await problemsOf(places, { labels: '/no/labels' }, 'k2_0905');
    expect(problems.map(({ where }) => where)).toEqual([
      'datasets.k2_verifier.source',
      'datasets.k2_verifier.labels',
    ]);
  });
});

describe('when a source cannot be reached', () => {
  it('upstream stands in for ModelScope, and the report says so', async () => {
    const gone = await nobody();
    const second = await tarball();
    const { opened, notes, close } = await open({ modelscope: gone, moonshot: at(second) });
    expect(await rowsOf(opened)).toEqual(THINKING);
    expect(opened.dataset.source).toBe(`moonshot tool-calls.tar.gz from ${at(second)}`);
    expect(opened.notComparable).toEqual([]);
    expect(notes[0]).toMatch(/^The data set was asked of modelscope, which cannot be reached \(/);
    expect(notes[0]).toContain(new URL(gone).host);
    expect(notes[0]).toMatch(/ It was taken from moonshot tool-calls\.tar\.gz from \S+ instead\.$/);
    await close();
  });

  it('ModelScope stands in for upstream', async () => {
    const [first, gone] = [await hub(), await nobody()];
    const places = { modelscope: first.url, moonshot: `${gone}/k2vv/tool-calls.tar.gz` };
    const { opened, notes, close } = await open(places, { source: 'moonshot' });
    expect(await rowsOf(opened)).toEqual(THINKING);
    expect(notes[0]).toMatch(/^The data set was asked of moonshot, which cannot be reached \(/);
    await close();
  });

  test.each<[string, JsonObject]>([
    ['sha256', { sha256: sha256(TARBALL) }],
    [
      'labels',
      {
        labels: pathOf('k2vv-kimi-k2-thinking_results.jsonl'),
      },
    ],
  ])('no other one stands in when %s is set', async (option, options) => {
    const second = await tarball();
    const places = { modelscope: await nobody(), moonshot: at(second) };
    const [problem] = await problemsOf(places, options);
    expect(problem?.where).toBe('datasets.k2_verifier.source');
    expect(problem?.what).toMatch(/^modelscope cannot be reached \(/);
    expect(problem?.what).toContain(`moonshot was not asked because \`${option}\``);
    expect(second.requests).toEqual([]);
  });

  it('no other one stands in for k2_0905', async () => {
    const first = await hub();
    const places = { modelscope: first.url, moonshot: await nobody() };
    const [problem] = await problemsOf(places, {}, 'k2_0905');
    expect(problem?.what).toMatch(/^moonshot cannot be reached \(/);
    expect(first.requests).toEqual([]);
  });

  it('and the other one neither: both reasons, and what to do', async () => {
    const [one, two] = [await nobody(), await nobody()];
    const problems = await problemsOf({ modelscope: one, moonshot: `${two}/x` });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.where).toBe('datasets.k2_verifier.source');
    expect(problems[0]?.what).toMatch(
      /^neither modelscope \(.*\) nor moonshot \(.*\) can be reached\.$/,
    );
    expect(problems[0]?.what).toContain(new URL(one).host);
    expect(problems[0]?.what).toContain(new URL(two).host);
    expect(problems[0]?.fix).toContain('`source: synthetic` is for a first try.');
  });
});

describe('offline', () => {
  test.each<[string, string]>([
    ['k2_thinking', 'modelscope'],
    ['k2_0905', 'moonshot'],
  ])('%s comes out of the cache', async (subset, place) => {
    const [first, second] = [await hub(), await tarball()];
    const places = { modelscope: first.url, moonshot: at(second) };
    const dir = tempDir();
    await (await open(places, {}, subset, downloadsIn(dir))).close();
    const asked = first.requests.length + second.requests.length;
    const offline = downloadsIn(dir, { offline: true });
    const { opened, close } = await open(places, {}, subset, offline);
    expect(opened.dataset.source).toMatch(new RegExp(`^${place} `));
    expect(await rowsOf(opened)).toEqual(subset === 'k2_0905' ? K2_0905 : THINKING);
    expect(first.requests.length + second.requests.length).toBe(asked);
    await close();
  });

  it('the other place stands in when only that one is in the cache', async () => {
    const [first, second] = [await hub(), await tarball()];
    const places = { modelscope: first.url, moonshot: at(second) };
    const dir = tempDir();
    await (await open(places, { source: 'moonshot' }, 'k2_thinking', downloadsIn(dir))).close();
    const offline = downloadsIn(dir, { offline: true });
    const { opened, notes, close } = await open(places, {}, 'k2_thinking', offline);
    expect(await rowsOf(opened)).toEqual(THINKING);
    expect(notes[0]).toContain('The data set was asked of modelscope');
    expect(notes[0]).toContain('offline');
    await close();
  });

  it('with an empty cache nothing is asked, and both are named', async () => {
    const [first, second] = [await hub(), await tarball()];
    const places = { modelscope: first.url, moonshot: at(second) };
    const offline = downloadsIn(tempDir(), { offline: true });
    const [problem] = await problemsOf(places, {}, 'k2_thinking', offline);
    expect(problem?.what).toMatch(
      /^neither modelscope \(.*offline.*\) nor moonshot \(.*offline.*\) is in the cache\.$/,
    );
    expect(problem?.fix).toBe(
      'Run once without offline, or download the file and give its path. `source: synthetic` is for a first try.',
    );
    expect([...first.requests, ...second.requests]).toEqual([]);
  });
});

describe('a mirror that is of no use is named by its variable', () => {
  const [MOONSHOT, MODELSCOPE] = ['VENDOR_GATE_MOONSHOT', 'VENDOR_GATE_MODELSCOPE'];
  test.each<[string, string, JsonObject, string, RegExp]>([
    ['no such file', '/no/such.tar.gz', { source: 'moonshot' }, MOONSHOT, /there is no file/],
    ['no https', 'http://a.example/x', { source: 'moonshot' }, MOONSHOT, /does not use https/],
    ['no URL', 'https://', { source: 'moonshot' }, MOONSHOT, /is not a valid URL/],
    ['no https', 'http://a.example', { source: 'modelscope' }, MODELSCOPE, /does not use https/],
    ['no host', 'a.example', { source: 'modelscope' }, MODELSCOPE, /is not a URL/],
  ])('%s: %s', async (_, address, options, where, what) => {
    const [problem] = await problemsOf({ modelscope: address, moonshot: address }, options);
    expect(problem).toMatchObject({ where, what: expect.stringMatching(what) });
  });

  it('also where both cannot be reached, and for another table of the hub', async () => {
    const [one, two] = [await nobody(), await nobody()];
    const places = { modelscope: one, moonshot: `${two}/x` };
    const [both] = await problemsOf(places);
    expect(both?.what).toMatch(
      /^neither modelscope \(VENDOR_GATE_MODELSCOPE: .*\) nor moonshot \(VENDOR_GATE_MOONSHOT: /,
    );
    const [table] = await problemsOf(places, { source: 'modelscope:a/b' });
    expect(table?.where).toBe(MODELSCOPE);
  });
});

describe('what is wrong with a source that was reached is never papered over', () => {
  it('a tarball without the members', async () => {
    const first = await hub();
    const second = await tarball(tarGz([{ name: 'tool-calls/rows.jsonl', body: '{}' }]));
    const places = { modelscope: first.url, moonshot: at(second) };
    expect(await problemsOf(places, { source: 'moonshot' })).toMatchObject([
      {
        what: expect.stringContaining(
          'has no member tool-calls/samples.jsonl. It holds tool-calls/rows.jsonl.',
        ),
      },
    ]);
    expect(first.requests).toEqual([]);
  });

  it('a tarball that is none', async () => {
    const second = await tarball(Buffer.from('{"a":1}\n'));
    const places = { modelscope: await nobody(), moonshot: at(second) };
    expect(await problemsOf(places, { source: 'moonshot' })).toMatchObject([
      { what: expect.stringContaining('is no tar archive') },
    ]);
  });

  it('a data set with a malformed row', async () => {
    const first = await hub({ 'test.jsonl': `${HOSTED}{\n` });
    const second = await tarball();
    const places = { modelscope: first.url, moonshot: at(second) };
    expect(await problemsOf(places)).toMatchObject([
      { where: expect.stringMatching(/^modelscope .* test\.jsonl.*, line 5$/) },
    ]);
    expect(second.requests).toEqual([]);
  });

  test.each([
    ['modelscop', 'modelscope'],
    ['Moonshot', 'moonshot'],
    ['sythetic', 'synthetic'],
  ])('a name with a slip: %s', async (source, meant) => {
    const places = { modelscope: await nobody(), moonshot: await nobody() };
    expect(await problemsOf(places, { source })).toEqual([
      {
        where: 'datasets.k2_verifier.source',
        what: `there is no file ${source}.`,
        fix: `Did you mean ${meant}?`,
      },
    ]);
  });

  it('k2_0905 of ModelScope, before anything is asked', async () => {
    const [first, second] = [await hub(), await tarball()];
    const places = { modelscope: first.url, moonshot: at(second) };
    expect(await problemsOf(places, { source: 'modelscope' }, 'k2_0905')).toEqual([
      {
        where: 'datasets.k2_verifier.source',
        what: `modelscope does not hold k2_0905: ${ID} has k2_thinking only.`,
        fix: 'Leave `source` out, or set it to moonshot, which holds both subsets.',
      },
    ]);
    expect([...first.requests, ...second.requests]).toEqual([]);
  });
});

describe('order: file with a limit', () => {
  // EvalScope (api/dataset/loader.py) takes dataset.select(range(limit)) of the file as it is loaded, unshuffled.
  test.each<[string, string]>([
    ['hosted-rows.jsonl', 'jsonl'],
    ['hosted-rows.parquet', 'parquet'],
    ['hosted-rows.csv', 'csv'],
  ])('takes the first rows of %s, as EvalScope does', async (name, form) => {
    const first = await hub({ [`k2_thinking/test.${form}`]: fixture(name) });
    const { opened, close } = await open({ modelscope: first.url, moonshot: await nobody() });
    const drawn = drawOrder(opened.keys, { order: 'file', seed: 42, limit: 3 });
    expect(drawn).toEqual(['1', '2', '3']);
    expect((await rowsOf(opened)).slice(0, 3)).toEqual(THINKING.slice(0, 3));
    await close();
  });
});

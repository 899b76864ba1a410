// Data sets for measuring: rows of realistic size, varied and always the same, made from the built-in synthetic set.
import { createWriteStream, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUILT_IN = fileURLToPath(new URL('../datasets/k2-synthetic.jsonl', import.meta.url));
/** Conversations put before a row's own; a few rows get many, as agents' traces have them. */
const MAX_EARLIER = 24;
const MAX_TOOLS = 24;

/**
 * Writes the same rows into `dir` in the forms that the tools read:
 * - `hosted`: `messages` and `tools` as JSON strings, with the official decision (`simulate`, `run`);
 * - `requests` and `labels`: request bodies as K2VV's script reads them, and the official decisions as a results file
 *   of that script;
 * - `folder`: the hosted form as a local data set of Hugging Face's library, for EvalScope.
 * No two rows have the same conversation. Row i is the same whatever the number of rows.
 * @param plain leaves out what EvalScope refuses to read: a list of types in a tool's schema, and content that is null
 * @returns {Promise<{hosted: string, requests: string, labels: string, folder: string, bytes: number}>} paths; `bytes`
 *   are those of the requests
 */
export async function writeData(dir, rows, { plain = true } = {}) {
  const paths = {
    hosted: join(dir, 'hosted.jsonl'),
    requests: join(dir, 'requests.jsonl'),
    labels: join(dir, 'labels.jsonl'),
  };
  const seeds = readFileSync(BUILT_IN, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(readSeed)
    .filter((seed) => !plain || isPlain(seed));
  const files = Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, createWriteStream(path)]),
  );
  let bytes = 0;
  for (let number = 1; number <= rows; number += 1) {
    const row = rowOf(seeds, number);
    const texts = { hosted: hosted(row), requests: request(row), labels: label(row, number) };
    bytes += Buffer.byteLength(texts.requests);
    for (const [name, text] of Object.entries(texts)) {
      if (!files[name].write(`${text}\n`)) await new Promise((go) => files[name].once('drain', go));
    }
  }
  await Promise.all(Object.values(files).map((file) => new Promise((go) => file.end(go))));
  const folder = join(dir, 'folder');
  mkdirSync(folder);
  linkSync(paths.hosted, join(folder, 'test.jsonl'));
  writeFileSync(join(folder, 'README.md'), DATA_SET_CARD);
  return { ...paths, folder, bytes };
}

const DATA_SET_CARD = `---
configs:
- config_name: k2_thinking
  data_files:
  - split: test
    path: test.jsonl
---
`;

function isPlain({ messages, tools }) {
  return messages.every(({ content }) => typeof content === 'string') && !hasTypeList(tools);
}

function hasTypeList(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value.type) || Object.values(value).some(hasTypeList);
}

function readSeed(line) {
  const { messages, tools, official_tool_calls, ...rest } = JSON.parse(line);
  return {
    ...rest,
    messages: JSON.parse(messages),
    tools: JSON.parse(tools),
    calls: official_tool_calls === undefined ? null : JSON.parse(official_tool_calls),
  };
}

/** A seed row with a system message of its own, other seeds' conversations before it, and more tools on offer. */
function rowOf(seeds, number) {
  const random = randomOf(number);
  const own = seeds[number % seeds.length];
  const earlier = Array.from({ length: Math.floor(MAX_EARLIER * random() ** 3) }, () =>
    pick(seeds, random),
  );
  const [first, ...others] = own.messages;
  const system = first.role === 'system' || first.role === '_input' ? first : null;
  const messages = [
    {
      role: 'system',
      content: `${system?.content ?? 'You are an assistant with tools.'}\n${notes(number, random)}`,
    },
    ...earlier.flatMap((seed, at) => told(seed, `${number}-${at}`, random)),
    ...(system === null ? [first] : []),
    ...others,
  ];
  const offered = [own, ...earlier, ...Array.from({ length: 4 }, () => pick(seeds, random))];
  const byName = new Map(
    offered.flatMap(({ tools }) => tools).map((tool) => [tool.function.name, tool]),
  );
  // Of tools that share a name the row's own must stand, since the official call was made for it.
  for (const tool of own.tools) byName.set(tool.function.name, tool);
  const extra = [...byName.values()].filter((tool) => !own.tools.includes(tool));
  const tools = own.tools.length === 0 ? [] : [...own.tools, ...extra].slice(0, MAX_TOOLS);
  return { ...own, messages, tools };
}

/** A seed's conversation, brought to its end: calls answered by tools, and a last word. */
function told(seed, id, random) {
  const messages = seed.messages.filter(({ role }) => role !== 'system' && role !== '_input');
  const calls = (seed.calls ?? []).map((call, at) => ({ ...call, id: `call_${id}_${at}` }));
  const answers = calls.map((call) => ({
    role: 'tool',
    tool_call_id: call.id,
    content: toolResult(random),
  }));
  const turn =
    calls.length === 0 ? [] : [{ role: 'assistant', content: '', tool_calls: calls }, ...answers];
  return [
    ...messages,
    ...turn,
    { role: 'assistant', content: sentences(1 + 4 * random(), random) },
  ];
}

function notes(number, random) {
  return `Session ${number}. ${sentences(4 + 20 * random() ** 2, random)}`;
}

function toolResult(random) {
  const items = Array.from({ length: 1 + Math.floor(12 * random() ** 2) }, () => ({
    id: Math.floor(1e6 * random()),
    name: sentence(random),
    score: Math.round(1e4 * random()) / 1e4,
    tags: [pick(WORDS, random), pick(WORDS, random)],
    open: random() < 0.5,
  }));
  return JSON.stringify({ items, next: null });
}

const WORDS = (
  'account answer balance branch budget build cache carrier check client city commit contract cost customer date day ' +
  'delay delivery deploy draft error estimate event export field file flight folder forecast invoice item key label ' +
  'latency limit list log member message meter model month name node note order owner package page partner path ' +
  'payment plan policy price quarter query queue quota rate record refund region release report request result review ' +
  'role route row rule sample schedule score service session shift sprint stage status step stock store subject table ' +
  'task team test ticket time title token tool total trace unit update user value version view visit week zone ' +
  '城市 天气 订单 航班 报告 预算 会议 文件 价格 客户 “naïve” café Zürich №5'
).split(' ');

function sentence(random) {
  const words = Array.from({ length: 4 + Math.floor(12 * random()) }, () => pick(WORDS, random));
  return `${words.join(' ')}.`;
}

function sentences(count, random) {
  return Array.from({ length: Math.max(1, Math.floor(count)) }, () => sentence(random)).join(' ');
}

function hosted({ messages, tools, calls, should_call_tool, official_finish_reason }) {
  return JSON.stringify({
    messages: JSON.stringify(messages),
    tools: JSON.stringify(tools),
    should_call_tool,
    official_finish_reason,
    ...(calls === null ? {} : { official_tool_calls: JSON.stringify(calls) }),
  });
}

function request({ messages, tools }) {
  const offered = tools.length === 0 ? '' : `,"tools":${JSON.stringify(tools)}`;
  // Numbers that JavaScript would write otherwise (1.0) belong to what the hashes are about.
  return `{"model":"kimi-k2","messages":${JSON.stringify(messages)}${offered},"max_tokens":16000,"temperature":0.6,"top_p":1.0,"stream":true}`;
}

function label({ calls, official_finish_reason }, number) {
  const message = { role: 'assistant', content: '', tool_calls: calls };
  return JSON.stringify({
    data_index: number,
    response: { choices: [{ index: 0, message, finish_reason: official_finish_reason }] },
    status: 'success',
    finish_reason: official_finish_reason,
  });
}

function pick(list, random) {
  return list[Math.floor(list.length * random())];
}

/** mulberry32: numbers in [0, 1), the same for the same seed everywhere. */
function randomOf(seed) {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

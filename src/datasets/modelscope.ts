import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Json, JsonObject } from '../model/json.js';
import { filesInCard } from './dataset-card.js';
import { fetchFile, fetchJson, SourceUnreachable } from './fetch.js';
import { chooseFiles, type HubFile, matchingFiles } from './hub-files.js';
import { type ConvertContext, conversionProblem, toJsonLines } from './json-lines.js';
import { type LineWriter, writeLines } from './line-writer.js';
import { LineFile } from './lines.js';
import { checkPin } from './pin.js';
import { problem, shown, shownList } from './problem.js';
import { Scratch } from './scratch.js';
import { convertContext, type ObtainContext, type Obtained } from './source.js';
import { nextStep, unreachable } from './unreachable.js';

/** One table in a data set of ModelScope's. */
export interface HubTable {
  /** `owner/name`. */
  readonly id: string;
  readonly subset: string;
  readonly split: string;
  /** The path of the file in the data set; null to find it by subset and split. */
  readonly file: string | null;
}

/** Names mirrors to use instead, separated by commas. */
const MIRRORS = 'VENDOR_GATE_MODELSCOPE';
const HOSTS = 'https://www.modelscope.cn,https://www.modelscope.ai';
const REVISION = 'master';
const PAGE_SIZE = 100;
/** A data set of more than 10,000 files is none of those meant here. */
const MAX_PAGES = 100;
const MAX_CARD_BYTES = 1 << 20;

/**
 * Fetches a table from ModelScope as JSON lines: the listing first, then the file, whose digest must be the one in the
 * listing; several parts are joined in order. The second host is asked when the first cannot be reached.
 * The SHA-256 of several parts is that of their digests, each in hex on a line of its own.
 * @throws SourceUnreachable when no host gives the data; another ConfigError when the file cannot be told or used.
 */
export async function obtainFromModelscope(table: HubTable, ctx: ObtainContext): Promise<Obtained> {
  const hosts = hostsFrom(ctx.env);
  const failures: string[] = [];
  for (const host of hosts) {
    try {
      const obtained = await fromHost(host, table, ctx);
      if (failures.length > 0) {
        ctx.note(`${failures.join('; ')}. The data set came from ${host.host} instead.`);
      }
      return obtained;
    } catch (error) {
      if (!(error instanceof SourceUnreachable)) throw error;
      failures.push(error.problems.map(({ what }) => what.replace(/\.$/, '')).join('; '));
    }
  }
  throw unreachable(
    whereOfHost(ctx),
    `${failures.join('; ')}.`,
    nextStep(
      ctx.downloads,
      'Check the network and the proxy settings, or download the file and give its path.',
    ),
  );
}

/** What names the host, and so what is to be mended when it does not answer. */
function whereOfHost({ env, where }: ObtainContext): string {
  return env[MIRRORS]?.trim() ? MIRRORS : where;
}

function hostsFrom(env: ObtainContext['env']): URL[] {
  const given = env[MIRRORS]?.trim() || HOSTS;
  return given.split(',').map((text) => {
    const host = text.trim();
    if (URL.canParse(host) && /^https?:/.test(host)) return new URL(host);
    throw problem(
      MIRRORS,
      `${shown(host)} is not a URL.`,
      'Set it to base URLs such as https://www.modelscope.cn, separated by commas, or unset it.',
    );
  });
}

async function fromHost(host: URL, table: HubTable, ctx: ObtainContext): Promise<Obtained> {
  const fetching = { ...ctx, where: whereOfHost(ctx) };
  const files = await listFiles(host, table.id, fetching);
  const parts = await partsOf(files, host, table, ctx);
  const label = labelOf(host, table.id, parts, ctx.env);
  const scratch = new Scratch(ctx.scratch);
  const conversion = convertContext(label, scratch, ctx);
  const pin = parts.length === 1 ? ctx.sha256 : null;
  const digests: string[] = [];
  const paths: string[] = [];
  try {
    for (const { path: name, sha256: expected } of parts) {
      const url = fileUrl(host, table.id, name);
      const stored = await fetchFile(url, { ...fetching, sha256: pin, expected });
      digests.push(stored.sha256);
      paths.push(await toJsonLines({ path: stored.path, name, member: null }, conversion));
    }
    const sha256 = digestOfAll(digests);
    checkPin(sha256, label, ctx);
    const [first = ''] = paths;
    const path = paths.length === 1 ? first : await joined(paths, conversion);
    return { path, sha256, label, dispose: () => scratch.dispose() };
  } catch (error) {
    await scratch.dispose();
    throw error;
  }
}

/** All files of the data set, page by page. */
async function listFiles(host: URL, id: string, ctx: ObtainContext): Promise<HubFile[]> {
  const files: HubFile[] = [];
  const seen = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const url = apiUrl(host, id, 'repo/tree', {
      Revision: REVISION,
      Root: '/',
      Recursive: 'True',
      PageNumber: String(page),
      PageSize: String(PAGE_SIZE),
    });
    const answer = await fetchJson(url, { ...ctx, sha256: null, expected: null });
    const entries = entriesOf(answer, host, ctx.where);
    const before = seen.size;
    for (const { Path: path, Type: type, Sha256: digest } of entries) {
      if (typeof path !== 'string' || seen.has(path)) continue;
      seen.add(path);
      const sha256 = typeof digest === 'string' && /^[0-9a-f]{64}$/i.test(digest) ? digest : null;
      if (type !== 'tree') files.push({ path, sha256: sha256?.toLowerCase() ?? null });
    }
    // A server that does not page gives the same again.
    if (entries.length < PAGE_SIZE || seen.size === before) break;
  }
  return files;
}

/** @throws SourceUnreachable for anything but a listing: the host does not give the data. */
function entriesOf(answer: Json, host: URL, where: string): readonly JsonObject[] {
  const body = asObject(answer);
  const code = body?.['Code'];
  if (body !== null && Number(code) === 200) {
    const files = asObject(body['Data'] ?? null)?.['Files'] ?? [];
    if (Array.isArray(files)) {
      return (files as readonly Json[]).map(asObject).filter((entry) => entry !== null);
    }
  }
  const message = typeof body?.['Message'] === 'string' ? `: ${shown(body['Message'])}` : '';
  const what =
    typeof code === 'number' && code !== 200
      ? `${host.host} does not give the list of files (code ${code}${message}).`
      : `${host.host} answered something else than a list of files.`;
  throw unreachable(where, what, 'Try again later, or download the file and give its path.');
}

async function partsOf(
  files: readonly HubFile[],
  host: URL,
  { id, subset, split, file }: HubTable,
  ctx: ObtainContext,
): Promise<readonly HubFile[]> {
  const choice = file === null ? chooseFiles(files, subset, split) : matchingFiles(files, [file]);
  if ('parts' in choice) return choice.parts;
  const card = file === null ? files.find(({ path }) => path === 'README.md') : undefined;
  const names = card === undefined ? null : await cardNames(host, card, id, subset, split, ctx);
  if (names !== null) {
    const named = matchingFiles(files, names);
    if ('parts' in named) return named.parts;
  }
  const what = `it cannot be told which file of ${id} on ${host.host} is meant: ${choice.why}.`;
  const all = shownList(files.map(({ path }) => path));
  const fix = `It holds ${all === '' ? 'nothing' : all}. Name one with \`source: modelscope:${id}#FILE\`.`;
  throw problem(ctx.where, what, fix);
}

/** What the README says, where the names of the files leave it open. */
async function cardNames(
  host: URL,
  { path, sha256 }: HubFile,
  id: string,
  subset: string,
  split: string,
  ctx: ObtainContext,
): Promise<readonly string[] | null> {
  const where = whereOfHost(ctx);
  const fetched = { ...ctx, where, sha256: null, expected: sha256, maxBytes: MAX_CARD_BYTES };
  const stored = await fetchFile(fileUrl(host, id, path), fetched);
  return filesInCard(await readFile(stored.path, 'utf8'), subset, split);
}

function fileUrl(host: URL, id: string, path: string): URL {
  return apiUrl(host, id, 'repo', { Source: 'SDK', Revision: REVISION, FilePath: path });
}

function apiUrl(host: URL, id: string, verb: string, query: Readonly<Record<string, string>>): URL {
  const base = host.pathname.replace(/\/$/, '');
  const url = new URL(`${base}/api/v1/datasets/${id}/${verb}`, host);
  url.search = new URLSearchParams(query).toString();
  return url;
}

function labelOf(
  host: URL,
  id: string,
  parts: readonly HubFile[],
  env: ObtainContext['env'],
): string {
  const more = parts.length > 1 ? ` and ${parts.length - 1} more` : '';
  const mirror = env[MIRRORS]?.trim() ? ` from ${host.host}` : '';
  return `modelscope ${id} ${shown(parts[0]?.path ?? '')}${more}${mirror}`;
}

function digestOfAll(digests: readonly string[]): string {
  const [first = ''] = digests;
  if (digests.length === 1) return first;
  return createHash('sha256')
    .update(digests.map((digest) => `${digest}\n`).join(''))
    .digest('hex');
}

/** The lines of all parts in one file. */
async function joined(paths: readonly string[], ctx: ConvertContext): Promise<string> {
  const to = await ctx.scratch.newFile();
  try {
    await writeLines(to, ctx.maxBytes, async (writer) => {
      for (const path of paths) await copyLines(path, writer);
    });
  } catch (error) {
    throw conversionProblem(error, ctx);
  }
  return to;
}

async function copyLines(path: string, writer: LineWriter): Promise<void> {
  const lines = await LineFile.open(path);
  try {
    for (let line = 1; line <= lines.lines; line += 1) {
      if (lines.has(line)) writer.line(lines.read(line));
    }
  } finally {
    lines.close();
  }
}

function asObject(value: Json): JsonObject | null {
  const is = typeof value === 'object' && value !== null && !Array.isArray(value);
  return is ? (value as JsonObject) : null;
}

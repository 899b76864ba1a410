import { existsSync } from 'node:fs';
import { builtinSyntheticPath } from '../../datasets/builtin.js';
import { SourceUnreachable } from '../../datasets/fetch.js';
import { membersToJsonLines } from '../../datasets/json-lines.js';
import { obtainFromModelscope } from '../../datasets/modelscope.js';
import { Scratch } from '../../datasets/scratch.js';
import {
  convertContext,
  type ObtainContext,
  type Obtained,
  obtain,
  store,
} from '../../datasets/source.js';
import { nextStep } from '../../datasets/unreachable.js';
import type { OpenContext } from '../../model/benchmark.js';
import { ConfigError } from '../../model/errors.js';
import { nearest } from '../../text/nearest.js';
import type { Options } from './options.js';

export const SOURCE = 'datasets.k2_verifier.source';
export const LABELS = 'datasets.k2_verifier.labels';

/** The files of a run, on this machine, as JSON lines. */
export interface Files {
  readonly rows: Obtained;
  /** Null when the rows have to carry their decisions themselves. */
  readonly labels: Obtained | null;
  readonly synthetic: boolean;
}

/** What EvalScope reads; it holds k2_thinking only. */
const HUB = 'evalscope/K2VendorVerifier';
const SPLIT = 'test';
/** What upstream publishes, both subsets in one: the rows, and the official results of either model. */
const TARBALL = 'https://statics.moonshot.cn/k2vv/tool-calls.tar.gz';
/** Names another place of the tarball. */
const TARBALL_MIRROR = 'VENDOR_GATE_MOONSHOT';
const ROWS = 'tool-calls/samples.jsonl';
const RESULTS: Readonly<Record<string, string>> = {
  k2_thinking: 'tool-calls/kimi-k2-thinking_results.jsonl',
  k2_0905: 'tool-calls/kimi-k2-0905-preview_results.jsonl',
};

type Official = 'modelscope' | 'moonshot';

/**
 * Fetches the data set and, where they are apart, the official decisions. What is wrong with either is reported
 * together.
 * @throws ConfigError when they cannot be had.
 */
export async function obtainFiles(options: Options, ctx: OpenContext): Promise<Files> {
  const both = await Promise.allSettled([
    rowsAndResults(options, ctx),
    options.labels === null
      ? null
      : obtain(options.labels, { ...ctx, sha256: null, where: LABELS }),
  ] as const);
  const [files, labels] = both;
  if (files.status === 'fulfilled' && labels.status === 'fulfilled') {
    return { ...files.value, labels: labels.value ?? files.value.labels };
  }
  const errors: unknown[] = [];
  for (const each of both) if (each.status === 'rejected') errors.push(each.reason);
  if (files.status === 'fulfilled') await disposeAll(files.value);
  if (labels.status === 'fulfilled') await labels.value?.dispose();
  const other = errors.find((error) => !(error instanceof ConfigError));
  if (other !== undefined) throw other;
  throw new ConfigError(errors.flatMap((error) => (error as ConfigError).problems));
}

export async function disposeAll({ rows, labels }: Files): Promise<void> {
  await Promise.all([rows.dispose(), labels?.dispose()]);
}

async function rowsAndResults(options: Options, open: OpenContext): Promise<Files> {
  const ctx: ObtainContext = { ...open, sha256: options.sha256, where: SOURCE };
  const { source } = options;
  if (source === 'synthetic') {
    return { rows: await obtain(builtinSyntheticPath(), ctx), labels: null, synthetic: true };
  }
  if (source === null || source === 'modelscope' || source === 'moonshot') {
    return official(source, options, open.subset.name, ctx);
  }
  suggestName(source);
  const hub = /^modelscope:([\w.-]+\/[\w.-]+)(?:#(.+))?$/.exec(source);
  const rows =
    hub === null
      ? await obtain(source, ctx)
      : await fromHub(hub[1] ?? '', hub[2] ?? null, open.subset.name, ctx);
  return { rows, labels: null, synthetic: false };
}

/** A slip in one of the names would otherwise look like a path to nowhere. */
function suggestName(source: string): void {
  if (!/^[a-z]+$/i.test(source) || existsSync(source)) return;
  const meant = nearest(source.toLowerCase(), ['modelscope', 'moonshot', 'synthetic']);
  if (meant !== null) throw problem(`there is no file ${source}.`, `Did you mean ${meant}?`);
}

/** The published set: from where it was asked for or, when that cannot be reached, from the other place. */
async function official(
  asked: Official | null,
  options: Options,
  subset: string,
  ctx: ObtainContext,
): Promise<Files> {
  const onHub = subset === 'k2_thinking';
  if (asked === 'modelscope' && !onHub) {
    throw problem(
      `modelscope does not hold ${subset}: ${HUB} has k2_thinking only.`,
      'Leave `source` out, or set it to moonshot, which holds both subsets.',
    );
  }
  const first: Official = asked ?? (onHub ? 'modelscope' : 'moonshot');
  const second: Official = first === 'modelscope' ? 'moonshot' : 'modelscope';
  try {
    return await fromPlace(first, options, subset, ctx);
  } catch (error) {
    if (!(error instanceof SourceUnreachable)) throw error;
    const reason = reasonOf(error);
    const isGone = ctx.downloads.offline ? 'is not in the cache' : 'cannot be reached';
    if (!onHub) throw unreachable(`${first} ${isGone} (${reason}).`, ctx);
    const bound = boundTo(options);
    if (bound !== null) {
      const what = `${first} ${isGone} (${reason}), and ${second} was not asked because ${bound}.`;
      throw unreachable(what, ctx);
    }
    const files = await fromPlace(second, options, subset, ctx).catch((other: unknown) => {
      if (!(other instanceof SourceUnreachable)) throw other;
      const are = ctx.downloads.offline ? 'is in the cache' : 'can be reached';
      throw unreachable(
        `neither ${first} (${reason}) nor ${second} (${reasonOf(other)}) ${are}.`,
        ctx,
      );
    });
    ctx.note(
      `The data set was asked of ${first}, which ${isGone} (${reason}). It was taken from ${files.rows.label} instead.`,
    );
    return files;
  }
}

/** Why the other place may not stand in: its bytes and its row numbers are its own. */
function boundTo({ sha256, labels }: Options): string | null {
  if (sha256 !== null) return '`sha256` pins the bytes of this one';
  return labels === null ? null : '`labels` belongs to the row numbers of this one';
}

async function fromPlace(
  place: Official,
  options: Options,
  subset: string,
  ctx: ObtainContext,
): Promise<Files> {
  if (place === 'moonshot') return fromTarball(subset, options.labels === null, ctx);
  return { rows: await fromHub(HUB, null, subset, ctx), labels: null, synthetic: false };
}

function fromHub(
  id: string,
  file: string | null,
  subset: string,
  ctx: ObtainContext,
): Promise<Obtained> {
  return obtainFromModelscope({ id, subset, split: SPLIT, file }, ctx);
}

/** Rows and results out of one file, which is fetched and unpacked once. */
async function fromTarball(
  subset: string,
  withResults: boolean,
  ctx: ObtainContext,
): Promise<Files> {
  const mirror = ctx.env[TARBALL_MIRROR]?.trim() || null;
  const {
    path,
    name,
    sha256,
    label: address,
  } = await store(mirror ?? TARBALL, {
    ...ctx,
    where: mirror === null ? ctx.where : TARBALL_MIRROR,
  });
  const label = `moonshot tool-calls.tar.gz${mirror === null ? '' : ` from ${address}`}`;
  const scratch = new Scratch(ctx.scratch);
  const results = RESULTS[subset];
  const members = withResults && results !== undefined ? [ROWS, results] : [ROWS];
  try {
    const conversion = convertContext(label, scratch, ctx);
    const [rows = '', labels] = await membersToJsonLines({ path, name }, members, conversion);
    const dispose = () => scratch.dispose();
    return {
      rows: { path: rows, sha256, label, dispose },
      labels:
        labels === undefined
          ? null
          : { path: labels, sha256, label: `${label}#${results}`, dispose },
      synthetic: false,
    };
  } catch (error) {
    await scratch.dispose();
    throw error;
  }
}

function reasonOf({ problems }: ConfigError): string {
  return problems
    .map(({ where, what }) => `${where === SOURCE ? '' : `${where}: `}${what.replace(/\.$/, '')}`)
    .join('; ');
}

function unreachable(what: string, { downloads }: ObtainContext): ConfigError {
  const online =
    'Check the network and the proxy settings, or download the data set once and give its path.';
  return problem(what, `${nextStep(downloads, online)} \`source: synthetic\` is for a first try.`);
}

function problem(what: string, fix: string): ConfigError {
  return new ConfigError([{ where: SOURCE, what, fix }]);
}

import type { OpenContext } from '../../model/benchmark.js';
import { ConfigError, type Problem } from '../../model/errors.js';
import { CHAT_TEMPLATE, type ChatTemplateFile, openChatTemplate } from './chat-template-file.js';
import type { DataSet } from './data-set.js';
import { loadRow } from './load-row.js';
import { noteSkipped } from './notes.js';
import type { Options } from './options.js';
import { mostTokens, type RequestPlan } from './request.js';
import { SamePrompts } from './same-prompts.js';

const OPTION = 'datasets.k2_verifier';
/** Rows named in an error: a template fails on others in the same ways. */
const NAMED_PROBLEMS = 3;
/** Rows between two looks at the signal; a long row takes some 20 ms. */
const AT_ONCE = 25;

/**
 * The chat template that makes prompts for /completions; null with `api: chat`.
 * @throws ConfigError for options that do not go together and for a template that cannot be read.
 */
export async function openTemplate(
  options: Options,
  { clock }: Pick<OpenContext, 'clock'>,
): Promise<ChatTemplateFile | null> {
  const { completions, chatTemplate, toolStrict } = options;
  const problems: Problem[] = [];
  if (completions && chatTemplate === null) {
    problems.push({
      where: CHAT_TEMPLATE,
      what: 'is not set, and `api: completions` needs it to make prompts of messages and tools.',
      fix: 'Name the chat_template.jinja, or the tokenizer_config.json, of the model that is served.',
    });
  }
  if (!completions && chatTemplate !== null) {
    problems.push({
      where: CHAT_TEMPLATE,
      what: 'is set, but with `api: chat` the server makes the prompts with its own template.',
      fix: 'Set `api: completions`, or take it out.',
    });
  }
  if (completions && toolStrict) {
    problems.push({
      where: `${OPTION}.tool-strict`,
      what: 'asks the server for guided decoding of tool calls, which /completions does not know.',
      fix: 'Set it with `api: chat`.',
    });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return chatTemplate === null ? null : openChatTemplate(chatTemplate, clock.now());
}

/**
 * Makes the request of every row once, before anything is sent, so that a template that fails on some row is found
 * before it costs anything, and so is a file that is no chat template.
 *
 * @returns the data set without the rows that no prompt can be made of, which are left out when the options say so.
 * @throws ConfigError when a row has no prompt, or no limit of tokens, or rows that ask different things have the same
 *   prompt.
 */
export async function checkPrompts(
  data: DataSet,
  plan: RequestPlan,
  template: ChatTemplateFile,
  options: Options,
  { signal, note }: Pick<OpenContext, 'signal' | 'note'>,
): Promise<DataSet> {
  checkLimits(data, plan);
  const bad = new Set<number>();
  const problems: Problem[] = [];
  const prompts = new SamePrompts(options.chatTemplate ?? 'the template', template);
  for (const [place, row] of data.rows.entries()) {
    if (place % AT_ONCE === 0) {
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
    try {
      loadRow(data, String(row), plan, prompts.watching(row));
    } catch (error) {
      if (!(error instanceof ConfigError) || isOfTemplate(error)) throw error;
      bad.add(row);
      if (problems.length < NAMED_PROBLEMS) problems.push(...error.problems);
      else if (!options.skipBadRows) break;
    }
  }
  if (bad.size === 0) return data;
  if (!options.skipBadRows || bad.size === data.rows.length) throw new ConfigError(problems);
  noteSkipped([...bad], problems, note);
  return without(bad, data);
}

/** A fault of the whole file, which no row can be left out for. */
function isOfTemplate({ problems }: ConfigError): boolean {
  return problems.some(({ where }) => where === CHAT_TEMPLATE);
}

function checkLimits(data: DataSet, plan: RequestPlan): void {
  if (mostTokens(plan) !== null) return;
  const row = data.rows.find((each) => data.ownMaxTokens(each) === null);
  if (row === undefined) return;
  throw new ConfigError([
    {
      where: 'max-tokens',
      what: `is not set, nor does line ${row} of the data set set it; without it most servers end an answer of /completions after 16 tokens.`,
      fix: 'Set it.',
    },
  ]);
}

function without(bad: ReadonlySet<number>, data: DataSet): DataSet {
  const rows = data.rows.filter((row) => !bad.has(row));
  return {
    ...data,
    rows,
    info: { ...data.info, rows: rows.length },
    skipped: data.skipped + bad.size,
    has: (row) => data.has(row) && !bad.has(row),
  };
}

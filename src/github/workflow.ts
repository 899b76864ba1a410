import { randomUUID } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { EOL } from 'node:os';
import * as core from '@actions/core';
import { forLog } from '../text/escape.js';
import type { Untrusted } from '../text/untrusted.js';
import { wordsOf } from './failure.js';

type Env = Readonly<Record<string, string | undefined>>;

/** GitHub drops a larger summary whole, with an error annotation. Of all that one step writes. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
/** All outputs of a job together may have 1 MB. */
const MAX_OUTPUT_BYTES = 256 * 1024;
/** GitHub shows ten of each level a step. */
const MAX_ANNOTATIONS = 10;

interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

type SummaryWritten =
  | { readonly kind: 'written'; readonly bytes: number }
  /** The runner has no job summary: worth a notice. */
  | { readonly kind: 'absent'; readonly message: string }
  /** Worth a warning. */
  | { readonly kind: 'failed'; readonly message: string; readonly fix: string };

/** The payload of the event, from GITHUB_EVENT_PATH; null with the reason when it cannot be read. */
export async function readPayload(
  env: Env,
): Promise<{ readonly payload: unknown; readonly problem: string | null }> {
  const path = env['GITHUB_EVENT_PATH'];
  if (!path) return { payload: null, problem: 'GITHUB_EVENT_PATH is not set.' };
  try {
    return { payload: JSON.parse(await readFile(path, 'utf8')), problem: null };
  } catch (error) {
    return { payload: null, problem: `The event file cannot be read: ${wordsOf(error)}.` };
  }
}

/**
 * Hides secrets in everything the job logs from now on. Only real values: masking an empty or one-character one would
 * garble the log. Of a value with a scheme (`Bearer abc`) the part after it is masked too.
 */
export function maskSecrets(values: readonly string[]): void {
  const parts = values.flatMap((value) => {
    const [, afterScheme = ''] = /^\s*[\w-]+\s+(\S+)\s*$/.exec(value) ?? [];
    return [value, value.trim(), afterScheme];
  });
  for (const part of new Set(parts)) if (part.trim().length > 1) core.setSecret(part);
}

/**
 * Sets the action's outputs. Small values only: files are for the rest.
 * @returns a sentence for each output that could not be set
 */
export function setOutputs(outputs: Readonly<Record<string, string>>): readonly string[] {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(outputs)) {
    const bytes = Buffer.byteLength(value);
    if (bytes > MAX_OUTPUT_BYTES) {
      problems.push(
        `Output ${name} is not set: it has ${bytes} bytes and the limit is ${MAX_OUTPUT_BYTES}. Read it from the report file.`,
      );
      continue;
    }
    try {
      core.setOutput(name, value);
    } catch (error) {
      problems.push(`Output ${name} is not set: ${wordsOf(error)}.`);
    }
  }
  return problems;
}

/**
 * Writes the job summary, in one piece.
 * @param markdown fitted to the limit by its renderer
 * @param env for GITHUB_STEP_SUMMARY
 * @param append for tests
 */
export async function writeSummary(
  markdown: string,
  env: Env,
  append: (path: string, text: string) => Promise<void> = appendFile,
): Promise<SummaryWritten> {
  const path = env['GITHUB_STEP_SUMMARY'];
  if (!path)
    return {
      kind: 'absent',
      message:
        'This runner has no job summary (GITHUB_STEP_SUMMARY is not set; GitHub Enterprise Server has it from 3.6): see the report files.',
    };
  const bytes = Buffer.byteLength(markdown);
  try {
    const before = await stat(path).then(
      (file) => file.size,
      () => 0,
    );
    if (before + bytes > MAX_SUMMARY_BYTES)
      return {
        kind: 'failed',
        message: `The job summary is not written: with ${before + bytes} bytes GitHub would drop it (limit ${MAX_SUMMARY_BYTES}).`,
        fix: 'Read summary.md among the report files.',
      };
    await append(path, markdown);
    return { kind: 'written', bytes };
  } catch (error) {
    return {
      kind: 'failed',
      message: `The job summary is not written: ${wordsOf(error)}.`,
      fix: 'Free space on the runner and check the rights to GITHUB_STEP_SUMMARY; summary.md is among the report files.',
    };
  }
}

/**
 * Annotates the run. Text is escaped by @actions/core (line ends, `%`, and `:` and `,` in the title), so none of it can
 * become a workflow command; beyond GitHub's ten a level the rest goes to the plain log.
 * @param annotations worst first
 */
export function annotate(annotations: readonly Annotation[]): void {
  const say = { error: core.error, warning: core.warning, notice: core.notice };
  const shown = { error: 0, warning: 0, notice: 0 };
  for (const { level, title, message } of annotations) {
    if (shown[level]++ < MAX_ANNOTATIONS) say[level](message, { title });
    else logPlain(`${level}: ${title}: ${message}`);
  }
}

/** A warning with its next step, on one annotation. */
export function warn(warning: { readonly message: string; readonly fix: string }): void {
  core.warning(`${warning.message} ${warning.fix}`.trim(), { title: 'Vendor Gate' });
}

/** Says something that is neither wrong nor to be overlooked. */
export function notice(message: string): void {
  core.notice(message, { title: 'Vendor Gate' });
}

/** Prints text from outside; the runner takes no commands meanwhile. */
export function logVendorText(text: Untrusted): void {
  quietly(forLog(text));
}

/** Folds the log lines of `run` under a title. */
export const group: <T>(title: string, run: () => Promise<T>) => Promise<T> = core.group;

/** Prints a line of our own. */
export const log: (line: string) => void = core.info;

/** Ends the job as failed: red, exit code 1. */
export const fail: (message: string) => void = core.setFailed;

function logPlain(text: string): void {
  quietly(text.replace(/[\r\n]+/g, ' '));
}

/**
 * Prints with commands stopped: the runner takes `::name::` at the start of a line and `##[name]` anywhere in one
 * (actions/runner, ActionCommand.cs). In one write, so that no other line falls between; the token cannot be guessed.
 */
function quietly(text: string): void {
  const token = randomUUID();
  core.info([`::stop-commands::${token}`, text, `::${token}::`].join(EOL));
}

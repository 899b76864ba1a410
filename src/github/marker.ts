import { createHash } from 'node:crypto';
import { VERDICTS, type Verdict } from '../model/gate.js';

/** What the sticky comment says about itself, in an HTML comment at its very start. */
export interface Marker {
  readonly reportId: string;
  /** null outside GitHub Actions. */
  readonly runId: number | null;
  /** From 1. */
  readonly attempt: number;
  readonly headSha: string | null;
  readonly verdict: Verdict;
  /** Gates that failed, as written. */
  readonly failedGates: readonly string[];
}

/** A marker as read back: the report-id encoded, the gates as their digest. */
export interface ReadMarker {
  readonly id: string;
  readonly runId: number | null;
  readonly attempt: number;
  readonly verdict: Verdict | null;
  readonly gates: string;
}

/**
 * The marker's text, one line. No value can end the HTML comment: all but the report-id are numbers, hexadecimal or
 * fixed words.
 */
export function formatMarker(marker: Marker): string {
  return [
    '<!-- vendor-gate',
    `id=${encodeReportId(marker.reportId)}`,
    `run=${marker.runId ?? 0}`,
    `attempt=${marker.attempt}`,
    `sha=${/^[0-9a-f]+$/i.test(marker.headSha ?? '') ? marker.headSha : ''}`,
    `verdict=${marker.verdict}`,
    `gates=${digestOfGates(marker.failedGates)}`,
    '-->',
  ].join(' ');
}

/** A marker counts only at the very start of a body: vendor text further down may hold a copy of one. */
const MARKER = /^\s*<!-- vendor-gate ((?:[a-z]+=[^\s>]* )+)-->/;

/** Reads the marker a comment starts with; null when there is none. Unknown keys are ignored. */
export function parseMarker(body: string): ReadMarker | null {
  const pairs = MARKER.exec(body)?.[1];
  if (pairs === undefined) return null;
  const values = new Map(
    pairs
      .trim()
      .split(' ')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const id = values.get('id');
  if (id === undefined) return null;
  return {
    id,
    runId: wholeOf(values.get('run')),
    attempt: wholeOf(values.get('attempt')) ?? 1,
    verdict: VERDICTS.find((verdict) => verdict === values.get('verdict')) ?? null,
    gates: values.get('gates') ?? '',
  };
}

/** The body with another marker in place of the one it starts with. */
export function replaceMarker(body: string, marker: string): string {
  return body.replace(MARKER, () => marker);
}

/** Whether `one` was written by a later run, or a later attempt of the same run, than `other`. */
export function isNewer(
  one: { readonly runId: number | null; readonly attempt: number },
  other: { readonly runId: number | null; readonly attempt: number },
): boolean {
  if (one.runId === null || other.runId === null) return false;
  return one.runId !== other.runId ? one.runId > other.runId : one.attempt > other.attempt;
}

/**
 * A report-id as it stands in a marker. encodeURIComponent leaves no white space and no `>`, so nothing can end the
 * HTML comment; a lone surrogate would make it throw. Long ids become a digest.
 */
export function encodeReportId(reportId: string): string {
  const encoded = encodeURIComponent(reportId.replace(/\p{Surrogate}/gu, '\ufffd'));
  return encoded.length <= 200 ? encoded : `sha256:${sha256(reportId)}`;
}

/** Sixteen hexadecimal digits that are equal when the same gates failed, in whatever order. */
export function digestOfGates(failed: readonly string[]): string {
  return sha256([...failed].sort().join('\n')).slice(0, 16);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function wholeOf(text: string | undefined): number | null {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : 0;
  return number > 0 ? number : null;
}

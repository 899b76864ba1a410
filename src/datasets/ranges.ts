import type { Validators } from './cache.js';
import type { Answer } from './get.js';
import type { Version } from './part.js';

/** A request for the rest of a file. */
export interface Range {
  readonly version: Version;
  /** First byte asked for. */
  readonly start: number;
  /** The bytes from there on that are here already. */
  readonly tail: Buffer;
}

/** RFC 9110, 8.8.2.2, calls a date strong from one second on; clocks that write it need not agree so well. */
const STRONG_AFTER_MS = 60_000;

export function validatorsOf(answer: Answer): Validators {
  return { etag: answer.header('etag'), lastModified: answer.header('last-modified') };
}

/** Bytes of the whole file that an answer with all of it announces; null when it does not. */
export function lengthOf(answer: Answer): number | null {
  const text = answer.header('content-length') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * By what the rest of this file can be asked for later on; null when nothing shows that it belongs to it (RFC 9110,
 * 13.1.5): only a strong entity tag does, or without any tag a date that lies well back.
 */
export function versionOf(answer: Answer, total: number | null): Version | null {
  if (answer.header('accept-ranges') === 'none') return null;
  const { etag, lastModified } = validatorsOf(answer);
  if (etag !== null) return /^"[\x21\x23-\x7e]*"$/.test(etag) ? { validator: etag, total } : null;
  if (lastModified === null) return null;
  const age = Date.parse(answer.header('date') ?? '') - Date.parse(lastModified);
  return age >= STRONG_AFTER_MS ? { validator: lastModified, total } : null;
}

/**
 * The length of the whole file, when the answer is the rest that was asked for; null when it is anything else.
 */
export function continues(answer: Answer, { version, start }: Range): number | null {
  if (answer.status !== 206) return null;
  const place = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(
    answer.header('content-range') ?? '',
  );
  if (place === null) return null;
  const [first, last] = [Number(place[1]), Number(place[2])];
  const total = place[3] === '*' ? (version.total ?? last + 1) : Number(place[3]);
  const { etag, lastModified } = validatorsOf(answer);
  const now = version.validator.startsWith('"') ? etag : lastModified;
  const same = now === null || now === version.validator;
  const fits = first === start && last >= first && last < total;
  return same && fits && total === (version.total ?? total) ? total : null;
}

import { forTerminal, forText, forCodeSpan } from '../text/escape.js';
import { reveal, type Untrusted, untrusted } from '../text/untrusted.js';

/**
 * A part of a sentence before it is written for a surface: our own words as a string (no Markdown in them), text from
 * outside as an object that says how it is shown.
 */
export type Piece =
  | string
  | { readonly text: Untrusted; readonly max: number }
  | { readonly code: Untrusted; readonly max: number };
export type Sentence = readonly Piece[];

/** Longest run of outside text in a sentence, in characters. */
const TEXT_CHARS = 300;
const CODE_CHARS = 120;
const LONG_CHARS = 600;

/** Words that came in from outside (a message, a title, a note), shown as plain text. */
export function outside(text: string | Untrusted, max = TEXT_CHARS): Piece {
  return { text: untrusted(raw(text)), max };
}

/** A name from outside (model, URL, path, reason), shown as code where the surface can. */
export function code(text: string | Untrusted, max = CODE_CHARS): Piece {
  return { code: untrusted(raw(text)), max };
}

/** A sentence written elsewhere in the project that sets names in backticks: each becomes code, all is escaped. */
export function worded(text: string): Sentence {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? code(part) : outside(part, LONG_CHARS)))
    .filter((piece) => typeof piece === 'string' || !('text' in piece) || reveal(piece.text) !== '');
}

/** The sentence as GitHub Markdown, on one line. */
export function toMarkdown(sentence: Sentence): string {
  return sentence
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'text' in piece ? forText(piece.text, piece.max) : forCodeSpan(piece.code, piece.max);
    })
    .join('');
}

/** The sentence as plain text on one line, safe to print on a terminal or in an annotation. */
export function toPlain(sentence: Sentence): string {
  return sentence
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'text' in piece ? oneLine(piece.text, piece.max) : oneLine(piece.code, piece.max);
    })
    .join('');
}

/** Text from outside on one line of a terminal, at most `max` characters. */
export function oneLine(text: Untrusted, max: number): string {
  const flat = raw(text).slice(0, max * 4).replace(/\s+/gu, ' ').trim();
  return forTerminal(untrusted(clip(flat, max)));
}

/** At most `max` characters (code points), the last one '…' when something was left out. */
export function clip(text: string, max: number): string {
  const points = [...text.slice(0, max * 2 + 2)];
  return points.length <= max ? points.join('') : `${points.slice(0, max - 1).join('')}…`;
}

/** With a capital first letter, to begin a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function raw(text: string | Untrusted): string {
  return typeof text === 'string' ? text : reveal(text);
}

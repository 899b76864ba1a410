import { forCodeSpan, forTableCell, forTerminal, forText } from '../text/escape.js';
import { type Untrusted, untrusted } from '../text/untrusted.js';

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
  return { text: foreign(text), max };
}

/** A name from outside (model, URL, path, reason), shown as code where the surface can. */
export function code(text: string | Untrusted, max = CODE_CHARS): Piece {
  return { code: foreign(text), max };
}

/** Marks what came in from outside, by whichever type the report holds it. */
function foreign(text: string | Untrusted): Untrusted {
  return typeof text === 'string' ? untrusted(text) : text;
}

/** A sentence written elsewhere in the project that sets names in backticks: each becomes code, all is escaped. */
export function worded(text: string, max = LONG_CHARS): Sentence {
  // Many backticks would make many pieces, each with its own maximum.
  if (text.length > max) return [outside(text, max)];
  return text.split(/`([^`]+)`/).flatMap((part, index): Sentence => {
    if (index % 2 === 1) return [code(part)];
    const words = part.trim();
    if (words === '') return part === '' ? [] : [' '];
    // Escaping trims, but a space beside a name must stay.
    return [/^\s/.test(part) ? ' ' : '', outside(words, max), /\s$/.test(part) ? ' ' : ''];
  });
}

/** The sentence as GitHub Markdown, on one line; not for a table cell, where a pipe in code is written otherwise. */
export function toMarkdown(sentence: Sentence): string {
  return sentence
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'text' in piece ? forText(piece.text, piece.max) : forCodeSpan(piece.code, piece.max);
    })
    .join('');
}

/** The sentence as a cell of a Markdown table. */
export function toCell(sentence: Sentence): string {
  return sentence
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'text' in piece
        ? forTableCell(piece.text, piece.max)
        : forCodeSpan(piece.code, piece.max, 'table');
    })
    .join('');
}

/** The sentence as plain text on one line, safe to print on a terminal or in an annotation. */
export function toPlain(sentence: Sentence): string {
  return sentence
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'text' in piece
        ? forTerminal(piece.text, piece.max)
        : forTerminal(piece.code, piece.max);
    })
    .join('');
}

/** The steps that the escaping of every surface shares: cut, and make what cannot be seen visible. */

/**
 * Characters that change how the text around them is shown, or are not shown at all: controls (C0 without tab and
 * newline, DEL, C1 with its ANSI introducer), soft hyphen, bidi controls, zero-width and filler characters, line and
 * paragraph separators, byte-order mark, interlinear marks, tag characters and lone surrogates.
 */
const HIDDEN = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e' +
    '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]' +
    '|\\p{Surrogate}',
  'gu',
);

/** A character as `\u{hex}`. */
function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Shows hidden characters as `\u{hex}`. CR LF counts as a newline; a CR of its own is shown. Tab and LF stay. */
export function showHidden(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, spelled);
}

/** Puts a text on one line: ` ⏎ ` stands for line breaks, a space for a tab. Hidden characters are shown. */
export function oneLine(text: string): string {
  return showHidden(text)
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').trim())
    .filter((line) => line !== '')
    .join(' ⏎ ');
}

/** The start of a text, and what to say about the rest. */
export interface Cut {
  readonly text: string;
  /** Empty when nothing was cut. */
  readonly mark: string;
}

/** Keeps the first `maxChars` UTF-16 units, one less where a surrogate pair would be cut in two. */
export function cut(text: string, maxChars: number): Cut {
  if (text.length <= maxChars) return { text, mark: '' };
  const last = text.charCodeAt(maxChars - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars;
  const kept = text.slice(0, Math.max(0, end));
  const more = (text.length - kept.length).toLocaleString('en-US');
  return { text: kept, mark: `… (+${more} characters)` };
}

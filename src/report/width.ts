/** How many columns text takes on a terminal: East Asian wide characters and emoji take two, marks none. */

// Unicode East Asian Width W and F (UAX #11), by block, and emoji shown as pictures by default.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
// Marks, joiners, variation selectors and the vowels and finals of decomposed Hangul.
const EMPTY = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;

/** Columns taken by `text`, which holds no control characters and no line breaks. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (EMPTY.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** `text` with spaces added to `width` columns on the side away from `align`. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + gap : gap + text;
}

/**
 * Breaks `text` into lines of at most `width` columns: at spaces where it can, inside a word where it must (CJK text
 * has no spaces, a URL may be longer than a line). A no-break space is kept.
 */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(2, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (widthOf(joined) <= room) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = broken(word, room);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1) ?? '';
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
}

function broken(word: string, room: number): string[] {
  const parts: string[] = [];
  let part = '';
  let width = 0;
  for (const character of word) {
    const columns = widthOf(character);
    if (width + columns > room) {
      parts.push(part);
      part = '';
      width = 0;
    }
    part += character;
    width += columns;
  }
  parts.push(part);
  return parts;
}

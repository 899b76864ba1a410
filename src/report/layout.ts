import { pad, widthOf, wrap } from './width.js';

/** Columns and colours of a terminal. Text that comes in is already safe to print. */

export type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold';
/** Colours text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

const CODES: Record<Colour, readonly [number, number]> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export function painter(color: boolean): Paint {
  return (colour, text) => {
    const [on, off] = CODES[colour];
    return color && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}
export interface Cell {
  readonly text: string;
  readonly colour?: Colour;
}

/** Narrowest first column before a table is given up for a list. */
const NARROW = 18;
const GAP = '  ';

/**
 * A table in at most `width` columns. The first column wraps when space is short; where even that is not enough each
 * row becomes a short paragraph.
 */
export function columns(
  header: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  paint: Paint,
): string[] {
  const widths = header.map((column, index) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[index]?.text ?? ''))),
  );
  const others = widths.slice(1).reduce((sum, each) => sum + each + GAP.length, 0);
  const first = Math.min(widths[0] ?? 0, width - others);
  if (first < Math.min(NARROW, widths[0] ?? 0)) return paragraphs(header, rows, width, paint);
  widths[0] = first;
  const line = (cells: readonly string[], colours: readonly (Colour | undefined)[]): string =>
    cells
      .map((text, index) => {
        const right = header[index]?.align === 'right';
        // Nothing stands after the last column, so it needs no spaces there.
        const last = index === cells.length - 1 && !right;
        const padded = last ? text : pad(text, widths[index] ?? 0, right ? 'right' : 'left');
        const colour = colours[index];
        return colour === undefined ? padded : paint(colour, padded);
      })
      .join(GAP)
      .replace(/ +$/, '');
  const lines = [
    line(
      header.map((column) => column.title),
      header.map(() => 'dim' as const),
    ),
  ];
  for (const row of rows) {
    const [head = '', ...rest] = wrap(row[0]?.text ?? '', first);
    const colours = row.map((cell) => cell.colour);
    lines.push(line([head, ...row.slice(1).map((cell) => cell.text)], colours));
    lines.push(...rest.map((part) => line([part], colours)));
  }
  return lines;
}

function paragraphs(
  header: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  paint: Paint,
): string[] {
  return rows.flatMap((row) => {
    const rest = row
      .slice(1)
      .map((cell, index) => `${header[index + 1]?.title ?? ''}: ${cell.text}`)
      .join(', ');
    const colour = row.find((cell) => cell.colour !== undefined)?.colour;
    return [
      ...wrap(row[0]?.text ?? '', width),
      ...wrap(rest, width - 2).map(
        (text) => `  ${colour === undefined ? text : paint(colour, text)}`,
      ),
    ];
  });
}

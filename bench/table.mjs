/** Rows of texts as lines with aligned columns, the first to the left and the others to the right. */
export function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => [...row[column]].length)));
  const line = (row) =>
    row
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]),
      )
      .join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  );
}

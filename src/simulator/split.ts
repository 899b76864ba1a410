/** How many pieces each text is cut into, so that there are `pieces` in all, or as many as there are characters. */
export function segmentsOf(texts: readonly string[], pieces: number): number[] {
  // A piece never ends inside a character, so a character is the most that can be cut.
  const lengths = texts.map((text) => [...text].length);
  const cuts: number[] = lengths.map((length) => Math.min(length, 1));
  for (let used = cuts.reduce((a, b) => a + b, 0); used < pieces; used += 1) {
    let longest = -1;
    for (const [at, length] of lengths.entries()) {
      const cut = cuts[at] ?? 0;
      if (cut === length) continue;
      const other = longest === -1 ? 0 : (lengths[longest] ?? 0) / (cuts[longest] ?? 1);
      if (length / cut > other) longest = at;
    }
    if (longest === -1) break;
    cuts[longest] = (cuts[longest] ?? 0) + 1;
  }
  return cuts;
}

/** `text` in `pieces` pieces of nearly the same number of characters. */
export function splitEvenly(text: string, pieces: number): string[] {
  const characters = [...text];
  return Array.from({ length: pieces }, (_, at) =>
    characters
      .slice(
        Math.floor((at * characters.length) / pieces),
        Math.floor(((at + 1) * characters.length) / pieces),
      )
      .join(''),
  );
}

/** The first `max` UTF-16 units, never half a surrogate pair, with a mark when something is missing. */
export function head(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}

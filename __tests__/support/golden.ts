import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Compares `text` with a golden file; UPDATE_GOLDEN=1 writes the file instead. A mismatch throws with the first lines
 * that differ.
 */
export function matchGolden(path: string, text: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  const wanted = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (text === wanted) return;
  throw new Error(
    `${path} differs (- golden, + now). If the change is meant, run again with UPDATE_GOLDEN=1 and review the diff.\n${difference(wanted, text)}`,
  );
}

const SHOWN = 40;

/** Lines that differ, with the two before them, by the longest common subsequence. */
export function difference(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] as Uint32Array;
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j, context] = [0, 0, [] as string[]];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      context = [...context, `  ${a[i] ?? ''}`].slice(-2);
      i += 1;
      j += 1;
      continue;
    }
    lines.push(...context);
    context = [];
    if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${a[i] ?? ''}`);
      i += 1;
    } else {
      lines.push(`+ ${b[j] ?? ''}`);
      j += 1;
    }
  }
  const more = lines.length - SHOWN;
  return [...lines.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more lines`] : [])].join('\n');
}

import { problem } from './problem.js';

/** @throws ConfigError when the digest found is not the one asked for; null asks for none. */
export function checkPin(
  found: string,
  label: string,
  { sha256, where }: { readonly sha256: string | null; readonly where: string },
): void {
  if (sha256 === null || sha256.toLowerCase() === found) return;
  throw problem(
    where,
    `${label} has the SHA-256 ${found}, but ${sha256.toLowerCase()} was asked for.`,
    'The data changed, or the pin belongs to another file: check which, then update the pin.',
  );
}

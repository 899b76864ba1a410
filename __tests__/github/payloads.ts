import { createRequire } from 'node:module';

type Payload = Record<string, unknown>;

const definitions = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
  name: string;
  examples: Payload[];
}[];

/** A real payload as GitHub published it; a fresh copy. */
export function payload(event: string, index = 0): Payload {
  const example = definitions.find(({ name }) => name === event)?.examples[index];
  if (!example) throw new Error(`no example ${index} of ${event}`);
  return structuredClone(example);
}

/** A payload with one value replaced; numbers in `path` go into arrays. */
export function changed(of: Payload, path: string, value: unknown): Payload {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<Payload>((now, key) => now[key] as Payload, of);
  parent[last] = value;
  return of;
}

/** All events of which GitHub published payloads. */
export const EVENTS: readonly string[] = definitions.map(({ name }) => name);
export const countOf = (event: string): number =>
  definitions.find(({ name }) => name === event)?.examples.length ?? 0;

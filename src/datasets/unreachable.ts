import { ConfigError } from '../model/errors.js';

/**
 * A file that could not be had at all: no network, DNS or TLS, a server that refuses, is out of order or lies, or
 * nothing in the cache while offline. The caller may fall back to another source.
 */
export class SourceUnreachable extends ConfigError {}

export function unreachable(where: string, what: string, fix: string): SourceUnreachable {
  return new SourceUnreachable([{ where, what, fix }]);
}

export const ONLINE_ONCE = 'Run once without offline, or download the file and give its path.';

/** The next step: where nothing was asked for, it is not the network that must be checked. */
export function nextStep({ offline }: { readonly offline: boolean }, online: string): string {
  return offline ? ONLINE_ONCE : online;
}

/** A failure that may be gone at the next attempt. */
export class Passing extends Error {}

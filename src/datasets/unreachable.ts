import { ConfigError } from '../model/errors.js';

/**
 * A file that could not be had at all: no network, DNS or TLS, a server that refuses, is out of order or lies, or
 * nothing in the cache while offline. The caller may fall back to another source.
 */
export class SourceUnreachable extends ConfigError {}

export function unreachable(where: string, what: string, fix: string): SourceUnreachable {
  return new SourceUnreachable([{ where, what, fix }]);
}

/** A failure that may be gone at the next attempt. */
export class Passing extends Error {}

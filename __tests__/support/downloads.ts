import { join } from 'node:path';
import type { Downloads } from '../../src/model/downloads.js';

/** A cache of downloads below `dir`, with the network and without a cache beyond it. */
export function downloadsIn(dir: string, rest: Partial<Downloads> = {}): Downloads {
  return { dir: join(dir, 'downloads'), offline: false, remote: null, progress: () => {}, ...rest };
}

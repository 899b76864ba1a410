/** Where files from the network are kept, and how downloading is told. Handed down from the outside world. */
export interface Downloads {
  /** The cache; made when it does not exist. Shared by all jobs of the machine, so nothing in it is ever changed. */
  readonly dir: string;
  /** Use what is in the cache and nothing else. */
  readonly offline: boolean;
  /** A cache beyond this machine (the Actions cache); null where there is none. */
  readonly remote: RemoteCache | null;
  /** Called now and then while a file arrives, and once more, with `ended`, when no more of it will. */
  progress(label: string, state: Arriving): void;
}

/** How far the download of a file is. */
export interface Arriving {
  /** Bytes that are here, with those of an earlier, interrupted download. */
  readonly received: number;
  /** Bytes of the whole file; null when the server does not say. */
  readonly total: number | null;
  /** Bytes of `received` that were here before. */
  readonly before: number;
  readonly elapsedMs: number;
  readonly ended: boolean;
}

/** Neither method rejects: a cache that cannot be reached is only slower. */
export interface RemoteCache {
  /**
   * Puts the files that were saved under `key`, or else under the newest key that starts with `prefix`, into the
   * directory `dir`, which exists and is empty. Returns the key they were found under, or null.
   */
  restore(key: string, prefix: string | null, dir: string): Promise<string | null>;
  /** Saves the files, each by its base name. */
  save(key: string, paths: readonly string[]): Promise<void>;
}

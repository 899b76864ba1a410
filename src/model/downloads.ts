/** Where files from the network are kept, and how downloading is told. Handed down from the outside world. */
export interface Downloads {
  /** The cache; made when it does not exist. Shared by all jobs of the machine, so nothing in it is ever changed. */
  readonly dir: string;
  /** Use what is in the cache and nothing else. */
  readonly offline: boolean;
  /** A cache beyond this machine (the Actions cache); null where there is none. */
  readonly remote: RemoteCache | null;
  /** Called now and then while a file arrives. `total`: its bytes, null when the server does not say. */
  progress(label: string, received: number, total: number | null): void;
}

/** Neither method rejects: a cache that cannot be reached is only slower. */
export interface RemoteCache {
  /**
   * Brings the file that was saved under `key`, or else the newest whose key starts with `prefix`, to `path`.
   * Returns the key it was found under, or null.
   */
  restore(key: string, prefix: string | null, path: string): Promise<string | null>;
  save(key: string, path: string): Promise<void>;
}

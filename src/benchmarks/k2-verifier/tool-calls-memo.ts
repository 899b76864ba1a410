/**
 * Remembers what `make` gave for the `limit` keys asked for last, so that memory stays flat in the number of rows.
 */
export function remembered<T>(limit: number, make: (key: string) => T): (key: string) => T {
  const recent = new Map<string, { readonly value: T }>();
  return (key) => {
    const known = recent.get(key);
    // A Map keeps insertion order: the least recently used key comes first.
    recent.delete(key);
    const entry = known ?? { value: make(key) };
    recent.set(key, entry);
    if (recent.size > limit) {
      for (const oldest of recent.keys()) {
        recent.delete(oldest);
        break;
      }
    }
    return entry.value;
  };
}

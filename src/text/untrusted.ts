/**
 * Text that came from outside: an endpoint, a data set, a vendor's error page. It is a string at run time and
 * serialises as one, but the type is opaque, so that it cannot reach a surface without passing through the
 * escaping function of that surface (see escape.ts).
 */
declare const brand: unique symbol;
export type Untrusted = { readonly [brand]: 'untrusted' };

/** Marks text from outside. */
export function untrusted(text: string): Untrusted {
  return text as unknown as Untrusted;
}

/** The raw text, for storage, comparison and the escaping functions; never for a surface. */
export function reveal(text: Untrusted): string {
  return text as unknown as string;
}

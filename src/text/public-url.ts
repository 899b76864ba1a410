/** A URL as it may be shown: without credentials, fragment and query values, all of which can be secret. */
export function publicUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

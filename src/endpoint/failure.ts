import { type Finding, failed } from './finding.js';

/** OpenSSL's words for a certificate that does not hold, as Node passes them on in `code`. */
const CERTIFICATE = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'EPROTO',
]);
const TLS_FAMILY = /^(?:CERT_|ERR_TLS_|ERR_SSL_)/;

/** What a connection that failed, or broke while the answer came, means. Reads the codes of the whole cause chain. */
export function classifyFailure(error: unknown): Finding & { kind: 'failed' } {
  const chain = causesOf(error);
  const codes = chain.map((error) => textIn(error, 'code')).filter((code) => code !== '');
  const innermost = chain.at(-1);
  const words = textIn(innermost, 'message') || String(innermost ?? 'unknown');
  const code = codes.at(-1) ?? '';
  const detail = words.includes(code) ? words : `${code}: ${words}`;
  if (codes.some((one) => CERTIFICATE.has(one) || TLS_FAMILY.test(one))) {
    return failed('tls', null, detail);
  }
  if (codes.includes('UND_ERR_HEADERS_OVERFLOW')) return failed('too_large', null, detail);
  // HPE_: the parser of HTTP; Z_: the one of compressed bodies
  if (codes.some((one) => /^(?:HPE_|Z_)/.test(one))) return failed('malformed', null, detail);
  return failed('network', null, detail);
}

/** The error and what caused it, outermost first; of several attempts at connecting the first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let current = error;
  while (current !== undefined && current !== null && chain.length < 8) {
    chain.push(current);
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else current = current instanceof Error ? current.cause : undefined;
  }
  return chain;
}

function textIn(error: unknown, name: 'code' | 'message'): string {
  const text: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof text === 'string' ? text : '';
}

import { Buffer } from 'node:buffer';

/**
 * Shorter secrets are left alone: masking every `abc` would riddle a report with stars and give the secret away by
 * the holes. Placeholder keys such as `EMPTY` fall below it on purpose.
 */
const SHORTEST_SECRET = 6;

const MASK = '***';

/**
 * The base64 of a secret as part of something longer: what comes before it may end at any of three alignments, and the
 * characters at both ends that depend on the neighbours are left out.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((whole.length * 8) / 6);
    const standard = whole.toString('base64').slice(start, end);
    forms.push(standard, standard.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** A secret in the ways in which a server, a URL or a document may write it. */
function writtenForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const url = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
  const strict = url.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const lower = (form: string) => form.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  return [
    secret,
    json,
    ascii,
    json.replaceAll('/', '\\/'),
    ascii.replaceAll('/', '\\/'),
    url,
    strict,
    lower(url),
    lower(strict),
    url.replaceAll('%20', '+'),
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    ...base64Forms(secret),
  ];
}

/** The value itself, its lines when it has several, and what follows the scheme of an Authorization header. */
function partsOf(value: string): string[] {
  const whole = value.trim();
  const token = /^(?:Bearer|Basic|Token)\s+(\S.*)$/i.exec(whole)?.[1];
  return [whole, ...whole.split(/[\r\n]+/).map((line) => line.trim()), token ?? ''];
}

/**
 * Makes a function that replaces secrets by `***`, longest first, so that nothing of a longer secret stays when a
 * shorter one is part of it. Caught are the secret as it is, JSON-escaped, URL-encoded, HTML-escaped and in base64
 * (standard and URL-safe, at any alignment, so also inside an encoded `user:secret`). A secret given as a whole header
 * value (`Bearer X`) is also caught as X. Secrets shorter than SHORTEST_SECRET characters are not masked. A secret cut
 * in two by a size limit is not recognised: redact before cutting.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets.flatMap(partsOf)) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of writtenForms(secret)) {
      if (form.length >= SHORTEST_SECRET) forms.add(form);
    }
  }
  if (forms.size === 0) return (text) => text;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'g',
  );
  return (text) => text.replace(pattern, MASK);
}

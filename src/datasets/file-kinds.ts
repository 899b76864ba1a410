import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../model/json.js';
import { shown } from './problem.js';

/** What may be expected of a file that is fetched. */
export interface FileKind {
  /** What these bytes are instead of what was asked for; null when they may be it. */
  refuse(path: string): Promise<string | null>;
  /** The same for files that say the same. */
  content(file: { readonly path: string; readonly sha256: string }): Promise<string>;
}

export const MAX_JSON_BYTES = 8 * 2 ** 20;

export const PLAIN_FILE: FileKind = {
  refuse: async (path) => ((await isWebPage(path)) ? 'a web page instead of a data set' : null),
  content: async ({ sha256 }) => sha256,
};

export const JSON_DOCUMENT: FileKind = {
  async refuse(path) {
    if (await isWebPage(path)) return 'a web page instead of JSON';
    try {
      await readJson(path);
      return null;
    } catch (error) {
      return `something that is not JSON (${shown((error as Error).message)})`;
    }
  },
  // The envelope of a hub's answer has a request id or a time in it, which change with every answer.
  async content({ path }) {
    return createHash('sha256')
      .update(JSON.stringify(enclosed(await readJson(path))))
      .digest('hex');
  },
};

/** Throws for what is not JSON. Compressed JSON, which some servers send unasked, is unpacked. */
export async function readJson(path: string): Promise<Json> {
  const { size } = await stat(path);
  if (size > MAX_JSON_BYTES) throw new RangeError(`it has ${size} bytes`);
  const stored = await readFile(path);
  const isGzip = stored[0] === 0x1f && stored[1] === 0x8b;
  const bytes = isGzip ? gunzipSync(stored, { maxOutputLength: MAX_JSON_BYTES }) : stored;
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
}

/** The objects and lists in the outermost object, where there are any. */
function enclosed(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const parts = Object.entries(value).filter(([, part]) => typeof part === 'object' && part);
  return parts.length === 0 ? value : (Object.fromEntries(parts) as Json);
}

async function isWebPage(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    return /^\ufeff?\s*(<!--[\s\S]*?-->\s*)?<(!doctype\s+html|html)\b/i.test(head);
  } finally {
    await file.close();
  }
}

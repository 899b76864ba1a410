import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { ConfigError } from '../../model/errors.js';
import type { Json, JsonObject } from '../../model/json.js';
import {
  type ChatTemplate,
  chatTemplate,
  TemplateError,
  type TemplateSource,
} from './chat-template.js';
import { isList, isObject } from './official.js';

export const CHAT_TEMPLATE = 'datasets.k2_verifier.chat-template';

const MAX_BYTES = 16 * 2 ** 20;

export interface ChatTemplateFile extends ChatTemplate {
  /** Of the file, lower-case hex. */
  readonly sha256: string;
}

/**
 * Reads a chat template from a file: Jinja, or JSON in the form of tokenizer_config.json, with `chat_template` (one, or
 * a list of them by name) and the tokens that it may name.
 *
 * @param now what the template takes for the current time, milliseconds since the epoch.
 * @throws ConfigError when there is no such file, or no template in it that can be read.
 */
export async function openChatTemplate(path: string, now: number): Promise<ChatTemplateFile> {
  const bytes = await bytesOf(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw problem(`${path} is not UTF-8 text.`, 'Give a Jinja file or a tokenizer_config.json.');
  }
  try {
    const source = /\.json$/i.test(path) ? sourceIn(text, path, now) : jinja(text, now);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...chatTemplate(source), sha256 };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw problem(
      `${path} is not a template that can be read here: ${error.message}.`,
      'Check that it is the chat template of the model. What is not supported is in docs/k2-verifier.md.',
    );
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    const info = await stat(path);
    if (!info.isFile()) throw new Error('it is not a regular file');
    const { size } = info;
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, more than ${MAX_BYTES}`);
    return await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw problem(
        `there is no file ${path}.`,
        'Check the path; it starts at the working directory.',
      );
    throw problem(`${path} cannot be read: ${message}.`, 'Check the file.');
  }
}

function jinja(text: string, now: number): TemplateSource {
  return { text, forTools: null, bosToken: null, eosToken: null, now };
}

function sourceIn(text: string, path: string, now: number): TemplateSource {
  let config: Json;
  try {
    config = JSON.parse(text) as Json;
  } catch {
    throw problem(`${path} is not valid JSON.`, 'Mend the file, or name a Jinja file.');
  }
  const object = isObject(config) ? config : {};
  const templates = templatesIn(object);
  const usual = templates.get('default') ?? [...templates.values()][0];
  if (usual === undefined) {
    throw problem(
      `${path} has no \`chat_template\`.`,
      'Newer models have it in a file of its own, chat_template.jinja: name that one.',
    );
  }
  return {
    text: usual,
    forTools: templates.get('tool_use') ?? null,
    bosToken: tokenIn(object['bos_token']),
    eosToken: tokenIn(object['eos_token']),
    now,
  };
}

/** By name; one that has none is `default`. */
function templatesIn(config: JsonObject): Map<string, string> {
  const given = config['chat_template'];
  if (typeof given === 'string') return new Map([['default', given]]);
  const templates = new Map<string, string>();
  for (const entry of isList(given) ? given : []) {
    if (!isObject(entry)) continue;
    const { name, template } = entry;
    if (typeof name === 'string' && typeof template === 'string') templates.set(name, template);
  }
  return templates;
}

/** A token is a text, or an object that describes one. */
function tokenIn(token: Json | undefined): string | null {
  const text = isObject(token) ? token['content'] : token;
  return typeof text === 'string' ? text : null;
}

function problem(what: string, fix: string): ConfigError {
  return new ConfigError([{ where: CHAT_TEMPLATE, what, fix }]);
}

import type { Json, JsonObject } from '../model/json.js';
import { asList, asObject } from './shape.js';

/** What the body of an error says about itself, without whatever part of the request it quotes. */
export interface ErrorWords {
  /** Sentences for people, each cut to MAX_MESSAGE characters. */
  readonly messages: readonly string[];
  /** Codes and types by which the error calls itself. */
  readonly codes: readonly string[];
  /** Request fields it names as the offending ones, such as `stream_options` or `body.messages.3.content`. */
  readonly fields: readonly string[];
}

const MAX_MESSAGE = 1000;
/** So much of an error's body is read from the wire, in bytes; a longer text from elsewhere is not taken apart. */
export const MAX_ERROR_BYTES = 65_536;
/** Errors inside errors, as gateways wrap them: about four, each in two or three members. */
const MAX_DEPTH = 10;
/** Parts of an error that are looked at. */
const MAX_PARTS = 200;

const MESSAGES = new Set(['message', 'msg', 'error_msg', 'error_message', 'error_description']);
const NESTED = new Set(['error', 'errors', 'detail', 'details', 'metadata', 'raw']);
const CODES = new Set(['code', 'type', 'status']);
/** Where pydantic begins to quote what it was given, in its own words and in Python's. */
const QUOTED = /\binput(?:_value)?['"]?[ \t]*[=:]/;

/**
 * Takes the body of an error apart: OpenAI's `{"error":{"message","type","code","param"}}`, FastAPI's
 * `{"detail":[{"loc","msg"}]}`, Gemini's list, an error in a gateway's `metadata.raw`, or text. Only members that are
 * known to hold the endpoint's own words are read, since many servers quote the whole request in an error, and a prompt
 * may hold any words. Takes anything, never throws, and costs time linear in the length of the body.
 */
export function errorWordsOf(body: string): ErrorWords {
  const words = new Collected();
  words.text(body, 0);
  return words;
}

const UNREADABLE_OUTPUT = /output that does not match the expected .{0,40}format/i;

/**
 * What llama.cpp says, with code 500, when the model has written a call that its parser cannot read. That is what this
 * model does, not a passing fault of the server: asking again until it does better would favour the vendor.
 */
export function isUnreadableOutput(text: string): boolean {
  return UNREADABLE_OUTPUT.test(text.slice(0, MAX_MESSAGE));
}

class Collected implements ErrorWords {
  readonly messages: string[] = [];
  readonly codes: string[] = [];
  readonly fields: string[] = [];
  private parts = 0;

  /** Text, or JSON as text. What looks like JSON and is none was cut off, or is Python's way to write it. */
  text(text: string, depth: number): void {
    const isJson = text.length <= MAX_ERROR_BYTES && /^\s*[{[]/.test(text);
    const value = isJson ? parsed(text) : undefined;
    if (typeof value === 'object') this.take(value, depth + 1);
    else this.say(text);
  }

  private take(value: Json | undefined, depth: number): void {
    this.parts += 1;
    if (depth > MAX_DEPTH || this.parts > MAX_PARTS) return;
    if (typeof value === 'string') this.text(value, depth);
    for (const item of asList(value)?.slice(0, MAX_PARTS) ?? []) this.take(item, depth + 1);
    const object = asObject(value);
    if (object !== null) this.members(object, depth);
  }

  private members(object: JsonObject, depth: number): void {
    const place = asList(object['loc'])
      ?.filter((step) => typeof step === 'string' || typeof step === 'number')
      .join('.');
    if (place !== undefined) this.fields.push(place);
    if (typeof object['param'] === 'string') this.fields.push(object['param']);
    for (const [name, value] of Object.entries(object)) {
      if (MESSAGES.has(name) && typeof value === 'string') {
        if (place === undefined) this.text(value, depth + 1);
        else this.say(`${place}: ${value}`);
      } else if (NESTED.has(name)) this.take(value, depth + 1);
      else if (CODES.has(name) && (typeof value === 'string' || typeof value === 'number')) {
        this.codes.push(String(value));
      }
    }
  }

  private say(text: string): void {
    const start = text.slice(0, MAX_MESSAGE);
    const quoted = start.search(QUOTED);
    this.messages.push(quoted === -1 ? start : start.slice(0, quoted));
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

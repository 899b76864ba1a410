import type { Json } from '../model/json.js';
import { CompletionAssembler } from './assemble.js';
import { asObject } from './shape.js';
import { type ServerEvent, SseParser } from './sse.js';
import type { WireWarning } from './warnings.js';

/** How the bytes of a body turned out to be meant. */
export type Form = 'unknown' | 'stream' | 'json' | 'text';

/** What must be seen to tell a stream from text: the longest field name and its colon. */
const HEAD = 6;
const FIELD = /^(?:data|event|id|retry)(?:[:\n\r]|$)/;

/**
 * Reads the bytes of a successful answer, as they arrive, into a completion. Whether they are a stream or one JSON
 * body is decided by what they hold: servers stream unasked and send JSON where a stream was asked for
 * (Open-WebUI-Functions#54), put white space before the body (omlx#2072) or a byte order mark.
 *
 * Characters may be split between chunks (imp#1554); any split of the same bytes gives the same result.
 */
export class AnswerReader {
  form: Form = 'unknown';
  /** The closing [DONE] of a stream came. */
  done = false;
  /** Part of the answer could not be read, so what was put together is not what was said. */
  broken: string | null = null;
  readonly warnings = new Set<WireWarning>();
  readonly completion = new CompletionAssembler(this.warnings);
  private readonly decoder = new TextDecoder();
  private readonly events = new SseParser((event) => this.event(event));
  private text = '';
  private ended = false;

  push(bytes: Uint8Array): void {
    this.take(this.decoder.decode(bytes, { stream: true }));
  }

  /** No more bytes will come, for whatever reason. */
  end(): void {
    this.take(this.decoder.decode());
    if (this.form === 'unknown' && this.text !== '') this.decide(true);
    this.ended = true;
    this.events.end();
    if (this.form === 'json') this.body();
  }

  /** The beginning of a body that is no stream, for error texts. */
  get snippet(): string {
    return this.text;
  }

  private take(text: string): void {
    if (text === '') return;
    if (this.form === 'stream') {
      if (!this.done) this.events.push(text);
      return;
    }
    if (this.form !== 'unknown') {
      this.text += text;
      return;
    }
    // trimStart takes the byte order mark too
    this.text = (this.text + text).trimStart();
    this.decide(false);
  }

  private decide(final: boolean): void {
    const text = this.text;
    const head = text.slice(0, HEAD);
    if (head === '') return;
    if (head[0] === '{' || head[0] === '[') this.form = 'json';
    else if (head[0] !== ':' && head.length < HEAD && !final) return;
    else if (head[0] === ':' || FIELD.test(head)) {
      this.form = 'stream';
      this.text = '';
      this.events.push(text);
    } else this.form = 'text';
  }

  private event(event: ServerEvent): void {
    if (this.done) return;
    const isError = event.type === 'error';
    const text = event.lines.join('\n').trim();
    if (text === '') {
      if (isError) this.completion.fail({ code: null, text: 'an event of type "error"' });
    } else if (!this.data(text, isError) && !this.separately(event.lines)) {
      this.unreadable(text, isError);
    }
  }

  /** Takes the data of one event; false when it is neither JSON nor [DONE]. */
  private data(text: string, isError: boolean): boolean {
    if (text === '[DONE]') {
      this.done = true;
      return true;
    }
    const value = parse(text);
    if (value === undefined) return false;
    if (typeof value !== 'object' || value === null) this.warnings.add('keepalive_in_data');
    else if (isError && asObject(value)?.['error'] === undefined) {
      this.completion.fail({ code: null, text });
    } else this.completion.add(value);
    return true;
  }

  /** Some servers end each event with one line break only; then every line stands for itself. */
  private separately(lines: readonly string[]): boolean {
    const texts = lines.map((line) => line.trim()).filter((line) => line !== '');
    if (texts.length < 2) return false;
    if (texts.some((line) => line !== '[DONE]' && parse(line) === undefined)) return false;
    this.warnings.add('events_not_separated');
    for (const line of texts) if (!this.done) this.data(line, false);
    return true;
  }

  private unreadable(text: string, isError: boolean): void {
    if (isError) this.completion.fail({ code: null, text });
    else if (text[0] !== '{' && text[0] !== '[') this.warnings.add('keepalive_in_data');
    // The last event of a stream that was cut says nothing; what came before it decides.
    else if (!this.ended && this.completion.finishReason === null) this.broken ??= text;
  }

  private body(): void {
    const value = parse(this.text);
    if (value === undefined) this.broken = this.text;
    else this.completion.add(value);
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

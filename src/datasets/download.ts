import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { classifyFailure } from '../endpoint/failure.js';
import { dispatcherFor } from '../endpoint/proxy.js';
import type { Arriving } from '../model/downloads.js';
import { ConfigError } from '../model/errors.js';
import { publicUrl } from '../text/public-url.js';
import { cacheProblem, type Validators } from './cache.js';
import { type Answer, cannotBeDownloaded, type GetContext, get } from './get.js';
import { PartFile } from './part.js';
import { problem } from './problem.js';
import { continues, lengthOf, type Range, validatorsOf, versionOf } from './ranges.js';
import { Passing, SourceUnreachable, unreachable } from './unreachable.js';

export interface DownloadContext extends GetContext {
  /** Proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxBytes: number;
  /** Waits before the second, third ... attempt that brings nothing new. */
  readonly retryDelaysMs?: readonly number[];
  /** Does not go on with what an earlier download left. */
  readonly fresh: boolean;
  onProgress(state: Arriving): void;
}

export interface Downloaded extends Validators {
  /** A file in the directory given, the caller's to move or delete. */
  readonly path: string;
  readonly sha256: string;
  /** Whether it was put together from several answers. */
  readonly resumed: boolean;
}

const RETRY_DELAYS_MS = [1_000, 4_000];
/** An attempt that brings so much more of the file is no failure: a bad line gets there in the end. */
const STEP_BYTES = 1 << 20;
const TELL_EVERY_MS = 100;

/**
 * Brings the body of `url` into a new file in `dir`, byte for byte, as it arrives. Goes on where a broken download
 * ended, an earlier process's too, when the server shows that it is the same file still; else starts anew.
 * @param have what is known of the copy that is there; null when there is none
 * @returns null when the server says that the copy is current.
 * @throws SourceUnreachable saying what the server answered; another ConfigError for too many bytes and for a disk that
 *   takes none. Rejects with the signal's reason when aborted.
 */
export async function download(
  url: URL,
  dir: string,
  have: Validators | null,
  ctx: DownloadContext,
): Promise<Downloaded | null> {
  const delays = ctx.retryDelaysMs ?? RETRY_DELAYS_MS;
  const transfer = new Transfer(url, dir, have, ctx);
  try {
    await transfer.resume();
    for (let failures = 0; ; failures += 1) {
      try {
        return await transfer.attempt();
      } catch (error) {
        ctx.signal.throwIfAborted();
        if (!(error instanceof Passing)) throw error;
        if (transfer.gotFurther()) failures = 0;
        const wait = delays[failures];
        if (wait === undefined) throw cannotBeDownloaded(url, error.message, ctx.where);
        await delay(wait, undefined, { signal: ctx.signal }).catch(() => {});
        ctx.signal.throwIfAborted();
      }
    }
  } catch (error) {
    const useless = error instanceof ConfigError && !(error instanceof SourceUnreachable);
    await transfer.abandon(useless);
    throw error;
  } finally {
    transfer.end();
  }
}

class Transfer {
  readonly #url: URL;
  readonly #dir: string;
  readonly #have: Validators | null;
  readonly #ctx: DownloadContext;
  readonly #startedAt = performance.now();
  #part: PartFile | null = null;
  /** Bytes of the whole, when the last answer said. */
  #total: number | null = null;
  #received = 0;
  #before = 0;
  #resumed = false;
  #furthest = 0;
  #toldAt: number | null = null;

  constructor(url: URL, dir: string, have: Validators | null, ctx: DownloadContext) {
    this.#url = url;
    this.#dir = dir;
    this.#have = have;
    this.#ctx = ctx;
  }

  /** Takes over what an earlier download left. */
  async resume(): Promise<void> {
    if (this.#ctx.fresh) return;
    this.#part = await PartFile.resume(this.#dir, this.#ctx.signal);
    this.#before = this.#part?.size ?? 0;
    this.#received = this.#before;
    this.#furthest = this.#before;
  }

  async attempt(): Promise<Downloaded | null> {
    const part = this.#part;
    const range = part?.version ? { version: part.version, tail: await part.tail() } : null;
    const start = range === null ? 0 : (part?.size ?? 0) - range.tail.length;
    const headers =
      range === null
        ? conditions(this.#have)
        : { range: `bytes=${start}-`, 'if-range': range.version.validator };
    const dispatcher = dispatcherFor(this.#ctx.env);
    try {
      const answer = await get(this.#url, headers, dispatcher, this.#ctx);
      if (answer.status === 304) return null;
      if (answer.status === 200) await this.#startAnew(answer);
      else await this.#goOn(answer, range === null ? null : { ...range, start });
      return await this.#finish(validatorsOf(answer));
    } finally {
      await dispatcher.destroy();
    }
  }

  /** Whether the last attempt was worth its while. */
  gotFurther(): boolean {
    const size = this.#part?.size ?? 0;
    if (size < this.#furthest + STEP_BYTES) return false;
    this.#furthest = size;
    return true;
  }

  async abandon(useless: boolean): Promise<void> {
    if (useless) await this.#discard();
    else await this.#part?.release();
  }

  end(): void {
    if (this.#toldAt !== null) this.#tell(true);
  }

  async #startAnew(answer: Answer): Promise<void> {
    await this.#discard();
    const encoding = answer.header('content-encoding')?.toLowerCase() ?? 'identity';
    // Gzip stays as it came, as curl leaves it: often it is the stored file, and readers tell it by its content.
    if (!/^(identity|gzip|x-gzip)?$/.test(encoding)) {
      const what = `${publicUrl(this.#url)} comes in the encoding ${encoding}, which was not asked for.`;
      throw unreachable(this.#ctx.where, what, 'Download it yourself and give its path.');
    }
    this.#total = lengthOf(answer);
    this.#checkSize(this.#total ?? 0);
    try {
      this.#part = await PartFile.create(this.#dir, versionOf(answer, this.#total));
    } catch (error) {
      throw cacheProblem(error, this.#dir);
    }
    await this.#receive(answer.body, this.#part, Buffer.alloc(0));
  }

  async #goOn(answer: Answer, range: Range | null): Promise<void> {
    const part = this.#part;
    const total = range === null ? null : continues(answer, range);
    if (part === null || range === null || total === null) {
      await this.#discard();
      throw new Passing('the server did not go on where an earlier answer had ended');
    }
    this.#total = total;
    this.#checkSize(total);
    this.#resumed = true;
    await this.#receive(answer.body, part, range.tail);
  }

  /** @param again what the body has to begin with: bytes that are here already. */
  async #receive(body: Answer['body'], part: PartFile, again: Buffer): Promise<void> {
    let known = again;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        const overlap = Math.min(known.length, chunk.length);
        if (!chunk.subarray(0, overlap).equals(known.subarray(0, overlap))) throw new Spliced();
        known = known.subarray(overlap);
        if (chunk.length > overlap) await this.#append(part, chunk.subarray(overlap));
        this.#tellNowAndThen();
      }
    } catch (error) {
      this.#ctx.signal.throwIfAborted();
      if (error instanceof Spliced) await this.#discard();
      if (error instanceof ConfigError || error instanceof Passing) throw error;
      throw new Passing(classifyFailure(error).detail);
    }
  }

  async #append(part: PartFile, bytes: Buffer): Promise<void> {
    this.#checkSize(part.size + bytes.length);
    try {
      await part.append(bytes);
    } catch (error) {
      throw cacheProblem(error, this.#dir);
    }
    this.#received = part.size;
  }

  async #finish(validators: Validators): Promise<Downloaded> {
    const part = this.#part;
    if (part === null) throw new Passing('nothing came');
    const total = this.#total;
    if (total !== null && part.size < total) {
      throw new Passing(`the connection ended after ${part.size} of ${total} bytes`);
    }
    if (total !== null && part.size > total) {
      await this.#discard();
      throw new Passing(`more than the ${total} bytes came that the server had announced`);
    }
    const sha256 = await part.finish();
    this.#part = null;
    return { path: part.path, sha256, resumed: this.#resumed, ...validators };
  }

  async #discard(): Promise<void> {
    const part = this.#part;
    this.#part = null;
    this.#resumed = false;
    this.#received = 0;
    this.#before = 0;
    await part?.discard();
  }

  #tellNowAndThen(): void {
    if (performance.now() - (this.#toldAt ?? this.#startedAt) >= TELL_EVERY_MS) this.#tell(false);
  }

  #tell(ended: boolean): void {
    this.#toldAt = performance.now();
    this.#ctx.onProgress({
      received: this.#received,
      total: this.#total,
      before: this.#before,
      elapsedMs: this.#toldAt - this.#startedAt,
      ended,
    });
  }

  #checkSize(bytes: number): void {
    const { maxBytes, where } = this.#ctx;
    if (bytes <= maxBytes) return;
    const what = `${publicUrl(this.#url)} has more than ${maxBytes} bytes.`;
    throw problem(where, what, 'If that is right, download it yourself and give its path.');
  }
}

/** The server goes on with other bytes than those that are here. */
class Spliced extends Passing {
  constructor() {
    super('the server went on with another file than it had begun with');
  }
}

function conditions(have: Validators | null): Record<string, string> {
  if (have === null) return {};
  // RFC 9110, 13.1.3: a server that knows entity tags ignores the date.
  return {
    ...(have.etag === null ? {} : { 'if-none-match': have.etag }),
    ...(have.lastModified === null ? {} : { 'if-modified-since': have.lastModified }),
  };
}

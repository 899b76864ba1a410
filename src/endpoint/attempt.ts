import type { Clock } from '../model/clock.js';
import type { ChatRequest } from '../model/completion.js';
import { AnswerReader } from './answer.js';
import type { Draft } from './assemble.js';
import { classifyStatus } from './classify.js';
import type { Answer, Client } from './client.js';
import { MAX_ERROR_BYTES } from './error-words.js';
import { classifyFailure } from './failure.js';
import { type Finding, failed } from './finding.js';
import { type Ending, judgeAnswer } from './judge.js';
import { odditiesOf } from './oddities.js';
import type { WireWarning } from './warnings.js';
import { readAnswer, readText } from './wire.js';

const OVER = 'the attempt is over';

export interface AttemptLimits {
  readonly model: string;
  readonly requestTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/** One request and what came of it. Times in milliseconds. */
export interface Attempt {
  readonly finding: Finding;
  readonly status: number | null;
  readonly firstTokenMs: number | null;
  readonly totalMs: number;
  /** What came of the answer, complete or not. */
  readonly draft: Draft;
  readonly warnings: ReadonlySet<WireWarning>;
  readonly headers: Answer['headers'];
}

/**
 * Sends one request and reads its answer within the time limit, which covers everything from connecting to the
 * last byte. Rejects only with the reason of `signal`.
 */
export async function attempt(
  client: Client,
  request: ChatRequest & { readonly wantsStream: boolean },
  limits: AttemptLimits,
  clock: Clock,
  signal: AbortSignal,
): Promise<Attempt> {
  signal.throwIfAborted();
  const started = clock.elapsed();
  const abort = new AbortController();
  const timer = new AbortController();
  const forward = () => abort.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  let isLate = false;
  const expire = () => {
    if (timer.signal.aborted) return;
    isLate = true;
    abort.abort();
  };
  clock.sleep(limits.requestTimeoutMs, timer.signal).then(expire, () => undefined);
  const late = (status: number | null) =>
    failed('timeout', status, `no complete answer within ${limits.requestTimeoutMs / 1000} s`);

  let answer: Answer | null = null;
  const reader = new AnswerReader();
  let firstTokenMs: number | null = null;
  let finding: Finding;
  try {
    answer = await client.post(request.path, request.body, abort.signal);
    const { status, headers, body } = answer;
    if (status < 200 || status > 299) {
      const text = await readText(body, MAX_ERROR_BYTES);
      finding = classifyStatus(status, text, headers.get('location') ?? null, request.path);
    } else {
      let ending: Ending = await readAnswer(body, reader, limits.maxResponseBytes, clock, () => {
        if (firstTokenMs === null && reader.form === 'stream' && reader.completion.started) {
          firstTokenMs = clock.elapsed() - started;
        }
      });
      if (isLate && ending.kind === 'broken') ending = { kind: 'broken', failure: late(status) };
      finding = judgeAnswer(reader, status, ending);
    }
  } catch (error) {
    finding = isLate ? late(null) : classifyFailure(error);
  } finally {
    timer.abort(OVER); // a reason saves the making of an exception that nobody looks at
    signal.removeEventListener('abort', forward);
  }
  if (finding.kind !== 'completion') signal.throwIfAborted();
  noteOddities(finding, reader, request, limits.model);
  return {
    finding,
    status: answer?.status ?? null,
    firstTokenMs,
    totalMs: clock.elapsed() - started,
    draft: reader.completion.draft(),
    warnings: reader.warnings,
    headers: answer?.headers ?? new Map(),
  };
}

function noteOddities(
  finding: Finding,
  reader: AnswerReader,
  { path, wantsStream }: ChatRequest & { readonly wantsStream: boolean },
  model: string,
): void {
  if (finding.kind !== 'completion') return;
  const { warnings } = reader;
  for (const name of odditiesOf(finding.draft, model, path)) warnings.add(name);
  if (reader.form === 'stream' && !wantsStream) warnings.add('stream_though_not_asked');
  if (reader.form === 'json' && wantsStream) warnings.add('json_though_stream_asked');
}

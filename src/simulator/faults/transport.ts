import { gzipSync } from 'node:zlib';
import { asBuffer, bodyPlan, planBytes, type ResponsePlan, type Step } from '../plan.js';
import type { Fault, FaultContext } from './fault.js';

const MIB = 1 << 20;
/** Above every sensible limit on the size of an answer (32 MiB is usual). */
const TOO_LARGE_BYTES = 64 * MIB;
/** Pause of `trickle` between two bytes. */
const TRICKLE_MS = 100;
/** `slow` takes this many times the latency, and at least this long. */
const SLOW_FACTOR = 10;
const SLOW_LEAST_MS = 1000;

/** The same response with other bytes, which are then no longer announced by length. */
function withSteps(plan: ResponsePlan, steps: Iterable<Step>): ResponsePlan {
  const { 'content-length': _, ...headers } = plan.headers;
  return { ...plan, headers, steps };
}

/** The steps that lie before byte `end`, the last one cut there. */
function* upTo(steps: Iterable<Step>, end: number): Generator<Step> {
  let left = end;
  for (const { atMs, bytes } of steps) {
    const buffer = asBuffer(bytes);
    if (left > 0) yield { atMs, bytes: buffer.subarray(0, left) };
    left -= buffer.length;
  }
}

/** The same bytes again and again, each sent when the one before has left. */
function* again(bytes: string | Uint8Array, times: number, atMs: number): Generator<Step> {
  for (let n = 0; n < times; n += 1) yield { atMs, bytes };
}

function* trickling(bytes: Buffer, fromMs: number): Generator<Step> {
  for (let at = 0; ; at += 1) {
    // When the answer is used up, blank lines follow for ever: they mean nothing in a stream or after a body.
    const byte = at < bytes.length ? bytes.subarray(at, at + 1) : '\n';
    yield { atMs: fromMs + at * TRICKLE_MS, bytes: byte };
  }
}

/** Cuts each multi-byte character in two and sends the parts in different packets. */
function* splitCharacters(bytes: Buffer, fromMs: number): Generator<Step> {
  let from = 0;
  let atMs = fromMs;
  for (let at = 1; at < bytes.length && atMs < fromMs + 100; at += 1) {
    const continues = ((bytes[at] ?? 0) & 0xc0) === 0x80 && ((bytes[at - 1] ?? 0) & 0xc0) === 0xc0;
    if (!continues) continue;
    yield { atMs, bytes: bytes.subarray(from, at) };
    from = at;
    // Long enough for the two parts not to be joined on the way.
    atMs += 10;
  }
  yield { atMs, bytes: bytes.subarray(from) };
}

/** A piece of an answer that is well-formed but never ends. */
function hugeAnswer({ form }: FaultContext): { start: string; more: string } {
  const filler = 'simulated '.repeat(6553);
  if (form === 'plain') {
    return { start: '{"choices":[{"index":0,"message":{"content":"', more: filler };
  }
  const choices = [{ index: 0, delta: { content: filler }, finish_reason: null }];
  return { start: '', more: `data: ${JSON.stringify({ choices })}\n\n` };
}

let member: Buffer | undefined;

/** Blanks, compressed a thousandfold. Members of a gzip file may follow each other without end. */
function gzipMember(): Buffer {
  member ??= gzipSync(Buffer.alloc(MIB, ' '), { level: 9 });
  return member;
}

/** What goes wrong below HTTP, and bytes that test a client's limits. */
export const TRANSPORT_FAULTS: readonly Fault[] = [
  {
    name: 'leading-space',
    row: 43,
    text: 'white space before a JSON body',
    plan: (plan, { form }) =>
      form === 'plain'
        ? withSteps(
            plan,
            [...plan.steps].map(({ atMs, bytes }) => ({ atMs, bytes: `\n\n   \t\r\n${bytes}` })),
          )
        : plan,
  },
  {
    name: 'split-utf8',
    row: 44,
    text: 'characters of several bytes are split between packets',
    answer: (answer) => ({ ...answer, content: `${answer.content ?? ''} 模拟 ✓ é 🙂` }),
    plan: (plan, { latencyMs }) => ({
      ...plan,
      steps: splitCharacters(planBytes(plan), latencyMs),
    }),
  },
  {
    name: 'broken-utf8',
    row: 44,
    text: 'the server broke a character itself: U+FFFD in the content',
    answer: (answer) => ({ ...answer, content: `${answer.content ?? ''} \uFFFD\uFFFD` }),
  },
  {
    name: 'slow',
    row: null,
    text: `${SLOW_FACTOR} times the latency, at least ${SLOW_LEAST_MS} ms`,
    plan: (plan, { latencyMs }) => {
      const stretch = Math.max(SLOW_FACTOR * latencyMs, SLOW_LEAST_MS) - latencyMs;
      return {
        ...plan,
        steps: [...plan.steps].map((step) => ({ ...step, atMs: step.atMs + stretch })),
      };
    },
  },
  {
    name: 'hang',
    row: null,
    text: 'the connection stays open, nothing is ever sent',
    plan: (plan) => ({ ...plan, steps: [], ending: 'hang' }),
  },
  {
    name: 'hang-midway',
    row: null,
    text: 'half of the answer is sent, then nothing more',
    plan: (plan) => ({
      ...plan,
      steps: upTo(plan.steps, Math.floor(planBytes(plan).length / 2)),
      ending: 'hang',
    }),
  },
  {
    name: 'reset',
    row: null,
    text: 'the connection is cut at some byte of the answer',
    plan: (plan, { chance }) => ({
      ...plan,
      steps: upTo(plan.steps, Math.ceil(planBytes(plan).length * chance)),
      ending: 'reset',
    }),
  },
  {
    name: 'reset-early',
    row: null,
    text: 'the connection is cut before anything is sent',
    plan: (plan) => ({ ...plan, steps: [], ending: 'reset' }),
  },
  {
    name: 'reset-once',
    row: null,
    text: 'the connection is cut before anything is sent, the first time',
    once: true,
    plan: (plan) => ({ ...plan, steps: [], ending: 'reset' }),
  },
  {
    name: 'trickle',
    row: null,
    text: `one byte every ${TRICKLE_MS} ms, without end`,
    plan: (plan, { latencyMs }) => withSteps(plan, trickling(planBytes(plan), latencyMs)),
  },
  {
    name: 'too-large',
    row: null,
    text: `an answer of more than ${TOO_LARGE_BYTES / MIB} MiB`,
    plan: (plan, ctx) => {
      const { start, more } = hugeAnswer(ctx);
      const times = Math.ceil(TOO_LARGE_BYTES / more.length);
      return withSteps(plan, [
        { atMs: ctx.latencyMs, bytes: start },
        ...again(more, times, ctx.latencyMs),
      ]);
    },
  },
  {
    name: 'endless-line',
    row: null,
    text: `one line of ${TOO_LARGE_BYTES / MIB} MiB`,
    plan: (plan, { latencyMs }) =>
      withSteps(plan, again(`data: ${' '.repeat(65536)}`, TOO_LARGE_BYTES / 65536, latencyMs)),
  },
  {
    name: 'gzip-bomb',
    row: null,
    text: 'a compressed body that expands a thousandfold to 1 GiB',
    plan: (plan, { latencyMs }) => {
      const bomb = withSteps(plan, again(gzipMember(), 1024, latencyMs));
      return { ...bomb, headers: { ...bomb.headers, 'content-encoding': 'gzip' } };
    },
  },
  {
    name: 'redirect',
    row: null,
    text: 'HTTP 307 to another host',
    plan: (_plan, { latencyMs }) => {
      const plan = bodyPlan(307, 'text/plain; charset=utf-8', 'Moved.\n', latencyMs);
      const location = 'http://elsewhere.example/v1/chat/completions';
      return { ...plan, headers: { ...plan.headers, location } };
    },
  },
];

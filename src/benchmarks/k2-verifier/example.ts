import { CAUSES, type Completion } from '../../model/completion.js';
import type { Observation } from '../../model/observation.js';
import type { Example } from '../../model/report.js';
import { reveal, untrusted } from '../../text/untrusted.js';
import type { Official } from './official.js';
import type { Payload, Sample } from './sample.js';
import { hasCalls, isCut, isReasoningOnly, isTriggered, judgeCalls } from './score.js';
import { invalidText } from './words.js';
import { writable } from './writable.js';

/** Longest texts of an example, in UTF-16 units; a report holds a handful of them. */
const MAX_TEXT = 400;
const MAX_ARGUMENTS = 300;
const MAX_CALLS = 3;
const MAX_DETAIL = 500;

interface Kind {
  readonly kind: string;
  readonly rank: number;
  readonly title: string;
}

const MISSED: Kind = {
  kind: 'missed_call',
  rank: 2,
  title: 'the official model called a tool, the vendor did not',
};
const EXTRA: Kind = {
  kind: 'extra_call',
  rank: 3,
  title: 'the vendor called a tool, the official model did not',
};
const LEAKED: Kind = {
  kind: 'leaked_call',
  rank: 1,
  title: 'the vendor wrote the tool call as plain text instead of calling',
};
const UNMARKED: Kind = {
  kind: 'unmarked_call',
  rank: 1,
  title: 'the vendor sent tool calls, but its finish_reason does not say so',
};
const REASONING_ONLY: Kind = {
  kind: 'reasoning_only',
  rank: 2,
  title: 'the vendor thought and then said nothing',
};
const REFUSED: Kind = { kind: 'refused', rank: 4, title: 'the endpoint refused the prompt' };
const UNANSWERED: Kind = { kind: 'unanswered', rank: 5, title: 'no usable answer came' };

/** What a person would learn from this sample; null when both sides decided alike and nothing is wrong. */
export function exampleOf(sample: Sample, observation: Observation<Payload>): Example | null {
  const of = (kind: Kind, vendor: string, detail: string): Example => ({
    id: sample.id,
    ...kind,
    prompt: untrusted(sample.prompt),
    official: untrusted(decision(sample.official, sample.official.content)),
    vendor: untrusted(vendor),
    detail: untrusted(head(detail, MAX_DETAIL)),
  });
  if (observation.kind === 'unmeasured') {
    const { cause, detail } = observation;
    return of(UNANSWERED, 'no answer', [CAUSES[cause], reveal(detail)].filter(Boolean).join(': '));
  }
  const { payload } = observation;
  if (payload.kind === 'refused') {
    return of(REFUSED, `refused with HTTP ${payload.status}`, reveal(payload.body));
  }
  const { completion } = payload;
  const vendor = vendorDecision(completion);
  if (isTriggered(completion)) {
    const invalid = invalidCall(sample, completion);
    if (invalid !== null) return of(invalid.kind, vendor, invalid.detail);
    return sample.official.triggered ? null : of(EXTRA, vendor, '');
  }
  const kind = untriggeredKind(sample, observation, completion);
  return kind === null ? null : of(kind, vendor, '');
}

function invalidCall(
  sample: Sample,
  completion: Completion,
): { kind: Kind; detail: string } | null {
  const kindOf = (reason: string): Kind => ({
    kind: 'invalid_call',
    rank: 1,
    title: `a tool call failed validation: ${invalidText(reason)}`,
  });
  const verdicts = judgeCalls(sample, completion);
  if (verdicts.length === 0) return { kind: kindOf('no_tool_calls'), detail: '' };
  const faults = verdicts.flatMap((verdict, index) => (verdict.valid ? [] : [{ index, verdict }]));
  const [first] = faults;
  if (first === undefined) return null;
  const which = verdicts.length > 1 ? `call ${first.index + 1} of ${verdicts.length}: ` : '';
  return { kind: kindOf(first.verdict.reason), detail: `${which}${reveal(first.verdict.detail)}` };
}

function untriggeredKind(
  { official }: Sample,
  { exchanges }: Observation<Payload>,
  completion: Completion,
): Kind | null {
  if (hasCalls(completion) && !isCut(completion)) return UNMARKED;
  const warned = new Set(exchanges.at(-1)?.warnings);
  if (warned.has('leaked_tool_markup') || warned.has('markup_in_reasoning')) return LEAKED;
  if (isReasoningOnly(completion)) return REASONING_ONLY;
  return official.triggered ? MISSED : null;
}

function vendorDecision(completion: Completion): string {
  const calls = (completion.toolCalls ?? []).map((call) => ({
    name: call.name,
    arguments:
      typeof call.arguments === 'string'
        ? call.arguments
        : JSON.stringify(writable(call.arguments)),
  }));
  const text = [completion.content, completion.reasoning].find(
    (each) => (each ?? '').trim() !== '',
  );
  const { finishReason } = completion;
  return decision({ triggered: isTriggered(completion), finishReason, calls }, text ?? null);
}

/** A decision in words, with the calls or else the text. */
function decision(
  { triggered, finishReason, calls }: Pick<Official, 'triggered' | 'finishReason' | 'calls'>,
  text: string | null,
): string {
  const named = calls
    .slice(0, MAX_CALLS)
    .map((call) => `${head(call.name, 100)}(${head(call.arguments, MAX_ARGUMENTS)})`);
  if (calls.length > MAX_CALLS) named.push(`${calls.length - MAX_CALLS} more calls`);
  const reason = finishReason === null ? '' : ` (finish_reason ${head(finishReason, 64)})`;
  const verb = triggered ? 'called a tool' : `did not call a tool${reason}`;
  const said = named.length > 0 ? named.join(', ') : head((text ?? '').trim(), MAX_TEXT);
  return said === '' ? verb : `${verb}: ${said}`;
}

/** The first `max` UTF-16 units, never half a surrogate pair, with a mark when something is missing. */
function head(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}

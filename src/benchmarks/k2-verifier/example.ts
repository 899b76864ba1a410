import { CAUSES, type Completion } from '../../model/completion.js';
import type { Observation } from '../../model/observation.js';
import { type Example, MINOR_RANK } from '../../model/report.js';
import { reveal, untrusted } from '../../text/untrusted.js';
import { type Disagreement, disagreementOf } from './agreement-difference.js';
import { answerIn, type MarkupFault } from './completions-answer.js';
import { head } from './head.js';
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
const BROKEN_MARKUP: Readonly<Record<MarkupFault, Kind>> = {
  malformed_markup: {
    kind: 'malformed_markup',
    rank: 1,
    title: "the model's tool-call markup does not make up a whole call",
  },
  stripped_markup: {
    kind: 'stripped_markup',
    rank: 1,
    title: 'the server took the special tokens out of the text, and the tool call with them',
  },
};
const REASONING_ONLY: Kind = {
  kind: 'reasoning_only',
  rank: 2,
  title: 'the vendor thought and then said nothing',
};
const REFUSED: Kind = { kind: 'refused', rank: 4, title: 'the endpoint refused the prompt' };
const UNANSWERED: Kind = { kind: 'unanswered', rank: 5, title: 'no usable answer came' };

/** Both called, and every call is valid. */
const OTHER_CALLS: Readonly<Record<Disagreement['about'], Kind>> = {
  tools: {
    kind: 'other_tool',
    rank: MINOR_RANK,
    title: 'the vendor called another tool than the official model',
  },
  count: {
    kind: 'other_call_count',
    rank: MINOR_RANK + 1,
    title: 'the vendor made another number of tool calls than the official model',
  },
  arguments: {
    kind: 'other_arguments',
    rank: MINOR_RANK + 2,
    title: 'the vendor called the same tool with other arguments',
  },
};

/** What a person would learn from this sample; null when both sides did the same, as far as that is known. */
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
  const { completion, fault } = answerIn(payload);
  const vendor = vendorDecision(completion);
  if (isTriggered(completion)) {
    const invalid = invalidCall(sample, completion);
    if (invalid !== null) return of(invalid.kind, vendor, invalid.detail);
    if (!sample.official.triggered) return of(EXTRA, vendor, '');
    const other = disagreementOf(sample.official.calls, completion.toolCalls ?? []);
    return other === null ? null : of(OTHER_CALLS[other.about], vendor, other.detail);
  }
  const kind =
    fault === null ? untriggeredKind(sample, observation, completion) : BROKEN_MARKUP[fault];
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

import { createHash } from 'node:crypto';
import type { Benchmark, OpenContext, Opened } from '../../model/benchmark.js';
import { ConfigError } from '../../model/errors.js';
import type { JsonObject } from '../../model/json.js';
import type { Outcome } from '../../model/observation.js';
import { JsonTextError } from '../../text/json-text.js';
import { notComparableReasons } from './comparable.js';
import { type DataSet, openDataSet } from './data-set.js';
import { detailOf } from './detail.js';
import { exampleOf } from './example.js';
import { writeResultFiles } from './files.js';
import { readResultRecord } from './import.js';
import { METRICS } from './metrics.js';
import { OPTIONS_SCHEMA, type Options, readOptions } from './options.js';
import { preparedRequest } from './prepared.js';
import { promptEnd } from './prompt.js';
import { asksForStream, buildRequest, planRequests, type RequestPlan } from './request.js';
import { RequestHashes } from './request-hashes.js';
import { type Field, fieldsOf } from './rows.js';
import type { Payload, Sample } from './sample.js';
import { scoreSample } from './score.js';
import { SUBSETS } from './subsets.js';

/** Replays the official prompt set and compares tool-call decisions; docs/k2-verifier.md says what is measured. */
export const k2Verifier: Benchmark<Sample, Payload> = {
  spec: {
    name: 'k2_verifier',
    title: 'K2 Vendor Verifier',
    version: '1',
    optionsSchema: OPTIONS_SCHEMA,
    defaultSubset: 'k2_thinking',
    subsets: SUBSETS,
    metrics: METRICS,
    defaultOrder: 'random',
  },
  detail: detailOf,
  async open(given, ctx) {
    const options = readOptions(given);
    const data = await openDataSet(options, ctx);
    return openedOn(data, options, ctx);
  },
};

function openedOn(data: DataSet, options: Options, ctx: OpenContext): Opened<Sample, Payload> {
  const plan = planRequests(ctx.request, ctx.subset, options);
  const settings = settingsOf(data, options, plan, ctx);
  const load = (id: string): Loaded => loadRow(data, id, plan);
  const stream = asksForStream(plan);
  const hashes = new RequestHashes(data.rows.at(-1) ?? 0);
  return {
    fingerprint: {
      digest: sha256(JSON.stringify(Object.entries(settings).sort())),
      settings,
    },
    dataset: data.info,
    keys: data.rows.map((row) => ({ id: String(row), group: String(row) })),
    notComparable: notComparableReasons(data, options, ctx),
    ceiling: (id) => ({ requests: 1, tokens: tokensOf(plan) ?? data.ownMaxTokens(Number(id)) }),
    async load(id) {
      const { sample, prepared } = load(id);
      hashes.remember(Number(id), prepared);
      return sample;
    },
    async observe(sample, { send }): Promise<Outcome<Payload>> {
      const reply = await send({ path: '/chat/completions', body: sample.body, stream });
      if (reply.kind === 'failed') {
        return { kind: 'unmeasured', cause: reply.cause, detail: reply.detail };
      }
      return { kind: 'measured', payload: reply };
    },
    score: scoreSample,
    example: exampleOf,
    writeFiles: (dir, observations, run) =>
      writeResultFiles(
        dir,
        observations(),
        async (id) => {
          const { sample, prepared } = load(id);
          const { extraBody, stream } = plan;
          const request = prepared();
          const hash = hashes.of(Number(id), request);
          return { sample, sent: { prepared: request, hash, extraBody, stream } };
        },
        run,
      ),
    readRecord: (record) => readResultRecord(record, data.has),
    close: data.close,
  };
}

interface Loaded {
  readonly sample: Sample;
  /** The request as K2VV would make it. */
  prepared(): string;
}

function loadRow(data: DataSet, id: string, plan: RequestPlan): Loaded {
  const { line, row, findings, official } = data.read(Number(id));
  let fields: Field[];
  try {
    fields = fieldsOf(line, row);
    const { body, changes } = buildRequest(fields, findings, plan);
    const tools = fields.find(({ key }) => key === 'tools')?.text ?? null;
    return {
      sample: {
        id,
        body,
        tools,
        official,
        changes,
        // Read again when it is wanted, which is seldom: many samples wait for their answers at the same time.
        get prompt() {
          return promptEnd(data.read(Number(id)).row.messages);
        },
      },
      prepared: () => preparedRequest(fields, findings, plan),
    };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    // Valid JSON that cannot be edited: nested beyond all reason.
    const where = `${data.info.source}, line ${id}`;
    throw new ConfigError([
      { where, what: `cannot be sent: ${error.message}.`, fix: 'Mend the row.' },
    ]);
  }
}

/** What changes requests or scores; flat, so that the difference between two runs can be named. */
function settingsOf(
  data: DataSet,
  options: Options,
  plan: RequestPlan,
  { request }: OpenContext,
): JsonObject {
  return {
    dataset: data.info.sha256,
    labels: data.labelsSha256,
    model: plan.model,
    temperature: plan.temperature ?? 'as in the row',
    max_tokens: plan.maxTokens ?? 'as in the row',
    stream: plan.stream,
    thinking: request.thinking,
    thinking_style: request.thinkingStyle,
    extra_body: Object.keys(request.extraBody).length === 0 ? null : digestOf(request.extraBody),
    'history-arguments': options.sanitize ? 'sanitize' : 'raw',
    'tool-call-ids': options.functionIds ? 'functions' : 'keep',
    'tool-strict': options.toolStrict,
  };
}

/** The most completion tokens of an answer that the plan sets for every row; null when it sets none. */
function tokensOf({ maxTokens, extraBody }: RequestPlan): number | null {
  const replaced = extraBody['max_completion_tokens'] ?? extraBody['max_tokens'];
  return typeof replaced === 'number' && replaced > 0 ? replaced : maxTokens;
}

/** Names the extra body without showing it, since it may hold something private. */
function digestOf(value: JsonObject): string {
  return `sha256:${sha256(JSON.stringify(value)).slice(0, 16)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

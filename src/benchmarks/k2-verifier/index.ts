import { createHash } from 'node:crypto';
import type { Benchmark, OpenContext, Opened } from '../../model/benchmark.js';
import type { JsonObject } from '../../model/json.js';
import type { ChatTemplateFile } from './chat-template-file.js';
import { notComparableReasons, PROMPTS_SCORED } from './comparable.js';
import { checkPrompts, openTemplate } from './completions-open.js';
import { type DataSet, openDataSet } from './data-set.js';
import { detailOf } from './detail.js';
import { exampleOf } from './example.js';
import { mergeResultFiles, writeResultFiles } from './files.js';
import { holdsPrompt, readResultRecord } from './import.js';
import { type Loaded, loadRow } from './load-row.js';
import { METRICS } from './metrics.js';
import { observeSample } from './observe.js';
import { OPTIONS_SCHEMA, type Options, readOptions } from './options.js';
import { asksForStream, mostTokens, planRequests, type RequestPlan } from './request.js';
import { RequestHashes } from './request-hashes.js';
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
  mergeFiles: mergeResultFiles,
  async open(given, ctx) {
    const options = readOptions(given);
    const template = await openTemplate(options, ctx);
    const data = await openDataSet(options, ctx);
    try {
      const plan = planRequests(ctx.request, ctx.subset, options);
      const checked =
        template === null ? data : await checkPrompts(data, plan, template, options, ctx);
      return openedOn(checked, options, ctx, plan, template);
    } catch (error) {
      await data.close();
      throw error;
    }
  },
};

function openedOn(
  data: DataSet,
  options: Options,
  ctx: OpenContext,
  plan: RequestPlan,
  template: ChatTemplateFile | null,
): Opened<Sample, Payload> {
  const settings = settingsOf(data, options, plan, ctx, template);
  const load = (id: string): Loaded => loadRow(data, id, plan, template);
  const stream = asksForStream(plan);
  const hashes = new RequestHashes(data.rows.at(-1) ?? 0);
  const reasons = notComparableReasons(data, options, ctx);
  let promptsScored = false;
  return {
    fingerprint: {
      digest: sha256(JSON.stringify(Object.entries(settings).sort())),
      settings,
    },
    dataset: data.info,
    keys: data.rows.map((row) => ({ id: String(row), group: String(row) })),
    get notComparable() {
      // Known once the records are read: whoever scores a file need not say how it was made.
      return promptsScored && !options.completions ? [...reasons, PROMPTS_SCORED] : reasons;
    },
    ceiling: (id) => ({ requests: 1, tokens: mostTokens(plan) ?? data.ownMaxTokens(Number(id)) }),
    async load(id) {
      const { sample, prepared } = load(id);
      hashes.remember(Number(id), prepared);
      return sample;
    },
    observe: (sample, { send }) => observeSample(sample, stream, send),
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
    readRecord(record) {
      promptsScored ||= holdsPrompt(record);
      return readResultRecord(record, data.has);
    },
    close: data.close,
  };
}

/** What changes requests or scores; flat, so that the difference between two runs can be named. */
function settingsOf(
  data: DataSet,
  options: Options,
  plan: RequestPlan,
  { request }: OpenContext,
  template: ChatTemplateFile | null,
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
    api: options.completions ? 'completions' : 'chat',
    'chat-template': template?.sha256 ?? null,
  };
}

/** Names the extra body without showing it, since it may hold something private. */
function digestOf(value: JsonObject): string {
  return `sha256:${sha256(JSON.stringify(value)).slice(0, 16)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { createHash } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import type { Benchmark, OpenContext, Opened } from '../../model/benchmark.js';
import { ConfigError } from '../../model/errors.js';
import type { JsonObject } from '../../model/json.js';
import { notComparableReasons } from './comparable.js';
import { detailOf } from './detail.js';
import { Episodes } from './episodes.js';
import { exampleOf } from './example.js';
import { writeResultFiles } from './files.js';
import { METRICS } from './metrics.js';
import { OPTIONS_SCHEMA, type Options, readOptions } from './options.js';
import { openPages, type Pages } from './pages.js';
import type { Payload } from './payload.js';
import { type Episode, schedule } from './schedule.js';
import { scoreEpisode } from './score.js';
import { SUBSETS } from './subsets.js';
import { chosenTasks } from './tasks-option.js';

/**
 * Most of an episode is waiting, for the model and for pages to come to rest; but where the cores have too much to do,
 * the timers of pages and of the browser's own clicks run late, and results change.
 */
const BROWSERS_A_CORE = 4;
const BYTES_A_BROWSER = 400 * 2 ** 20;
const MOST_BROWSERS = 64;

/** Lets a model finish short tasks in a real browser; docs/miniwob.md says what is measured. */
export const miniwob: Benchmark<Episode, Payload> = {
  spec: {
    name: 'miniwob',
    title: 'MiniWoB',
    version: '1',
    optionsSchema: OPTIONS_SCHEMA,
    defaultSubset: 'default',
    subsets: SUBSETS,
    metrics: METRICS,
    defaultOrder: 'file',
    maxConcurrency: Math.max(
      1,
      Math.min(
        MOST_BROWSERS,
        BROWSERS_A_CORE * availableParallelism(),
        Math.floor(totalmem() / BYTES_A_BROWSER),
      ),
    ),
  },
  detail: detailOf,
  async open(given, ctx) {
    const options = readOptions(given);
    refuseMessages(ctx);
    const tasks = chosenTasks(ctx.subset.name, options.tasks);
    const pages = await openPages(options, ctx);
    try {
      return openedOn(pages, tasks, options, ctx);
    } catch (error) {
      await pages.close();
      throw error;
    }
  },
};

function openedOn(
  pages: Pages,
  tasks: ReadonlySet<string> | null,
  options: Options,
  ctx: OpenContext,
): Opened<Episode, Payload> {
  const planned = schedule({ repeats: options.repeats, tasks, limit: null, all: pages.tasks });
  const byId = new Map(planned.map((episode) => [episode.id, episode]));
  const episodeOf = (id: string): Episode => {
    const episode = byId.get(id);
    if (episode === undefined) throw new Error(`there is no episode ${id}`);
    return episode;
  };
  const episodes = new Episodes(pages.dir, miniwob.spec.maxConcurrency ?? 1, options, ctx);
  const settings = settingsOf(pages, options, ctx);
  const { maxTokens } = ctx.request;
  return {
    fingerprint: { digest: sha256(JSON.stringify(Object.entries(settings).sort())), settings },
    dataset: {
      source: pages.source,
      sha256: pages.sha256,
      rows: planned.length,
      synthetic: pages.synthetic,
    },
    keys: planned.map(({ id, task }) => ({ id, group: task.name })),
    notComparable: notComparableReasons(pages, options, ctx),
    ceiling: () => ({
      requests: options.maxSteps,
      tokens: maxTokens === null ? null : maxTokens * options.maxSteps,
    }),
    load: async (id) => episodeOf(id),
    observe: (episode, ask) => episodes.play(episode, ask),
    score: scoreEpisode,
    example: exampleOf,
    writeFiles: (dir, observations) => writeResultFiles(dir, observations(), episodeOf),
    async close() {
      await episodes.close();
      await pages.close();
    },
  };
}

/** What changes an episode; flat, so that the difference between two runs can be named. */
function settingsOf(pages: Pages, options: Options, { request }: OpenContext): JsonObject {
  const { extraBody } = request;
  return {
    pages: pages.sha256,
    model: request.model,
    temperature: request.temperature,
    max_tokens: request.maxTokens,
    stream: request.stream,
    thinking: request.thinking,
    thinking_style: request.thinkingStyle,
    extra_body:
      Object.keys(extraBody).length === 0
        ? null
        : `sha256:${sha256(JSON.stringify(extraBody)).slice(0, 16)}`,
    repeats: options.repeats,
    max_steps: options.maxSteps,
    success_threshold: options.successThreshold,
    url_check: options.urlCheck,
    image: options.image,
    history: options.history,
  };
}

/** Everything else may be set, but a conversation that never changes is no episode. */
function refuseMessages({ request }: OpenContext): void {
  if (!('messages' in request.extraBody)) return;
  throw new ConfigError([
    {
      where: 'extra-body',
      what: 'It sets messages, which are the episode itself in miniwob.',
      fix: 'Leave messages out.',
    },
  ]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

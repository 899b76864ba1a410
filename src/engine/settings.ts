import type { Config } from '../model/config.js';
import type { JsonObject } from '../model/json.js';
import { publicUrl } from '../text/public-url.js';

/**
 * What decides the figures of a run, flat, for the report; a benchmark's options as `NAME/SUBSET.OPTION`. Holds no
 * secret: header values stay out.
 */
export function settingsOf(config: Config): JsonObject {
  const { request } = config;
  const options = config.benchmarks.flatMap(({ name, subset, options: given }) =>
    Object.entries(given).map(([option, value]) => [
      `${name}/${subset}.${option}`,
      typeof value === 'string' ? withoutSecrets(value) : value,
    ]),
  );
  return {
    ...Object.fromEntries(options),
    limit: config.limit,
    order: config.order ?? 'default',
    seed: config.seed,
    shard: config.shard === null ? null : `${config.shard.index}/${config.shard.of}`,
    concurrency: config.concurrency,
    'max-requests-per-minute': config.maxRequestsPerMinute,
    'request-timeout': `${config.requestTimeoutMs / 1000}s`,
    'max-retries': config.maxRetries,
    deadline: `${config.deadlineMs / 1000}s`,
    'token-budget': config.budget.tokens,
    'cost-budget': config.budget.cost,
    'price-in': config.budget.priceIn,
    'price-out': config.budget.priceOut,
    temperature: request.temperature,
    'max-tokens': request.maxTokens,
    stream: request.stream,
    thinking: request.thinking,
    'thinking-style': request.thinkingStyle,
    'extra-body': request.extraBody,
    headers: Object.keys(config.headers),
    decision: config.decision,
    confidence: config.confidence,
    'early-stop': config.earlyStop,
    'default-gates': config.defaultGates,
  };
}

/** A data set's address may be signed. */
function withoutSecrets(value: string): string {
  return /^https?:\/\//i.test(value) && URL.canParse(value) ? publicUrl(new URL(value)) : value;
}

import type { JsonObject, JsonSchema } from '../../model/json.js';

/** What can be set for this benchmark under `datasets:`, beside `subset`. */
export const OPTIONS_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    source: {
      type: 'string',
      minLength: 1,
      description:
        'The data set: `modelscope` (default for k2_thinking) or `moonshot` (default for k2_0905), the path or https URL of a file (JSON lines, CSV or Parquet, also gzip or in a tar archive as ARCHIVE#MEMBER), `modelscope:OWNER/NAME`, or `synthetic` for the built-in hand-made one.',
    },
    labels: {
      type: 'string',
      minLength: 1,
      description:
        'Path or https URL of a K2 Vendor Verifier results file of the official model, in any form that `source` may have. It gives the official decision to rows that carry none, joined by data_index. `moonshot` has its own.',
    },
    sha256: {
      type: 'string',
      pattern: '^[0-9a-fA-F]{64}$',
      description:
        'SHA-256 that the file of `source` must have, as stored there. With it no other source stands in for one that cannot be reached.',
    },
    'on-bad-row': {
      enum: ['fail', 'skip'],
      default: 'fail',
      description: 'Whether a malformed row ends the run or is left out and counted.',
    },
    'history-arguments': {
      enum: ['sanitize', 'raw'],
      default: 'sanitize',
      description:
        'Whether tool-call arguments in the history that are not JSON are replaced by {} (as EvalScope does) or sent as they are.',
    },
    'tool-call-ids': {
      enum: ['keep', 'functions'],
      default: 'keep',
      description:
        'functions: rewrite tool-call ids in the history to functions.NAME:IDX. Not comparable with published figures.',
    },
    'tool-strict': {
      type: 'boolean',
      default: false,
      description:
        'Add "strict": true to every tool, to see whether guided decoding is the cure. Not comparable with published figures.',
    },
    api: {
      enum: ['chat', 'completions'],
      default: 'chat',
      description:
        "completions: make the prompt of each row with `chat-template`, send it to /completions and read the tool calls out of the text, to tell the model apart from the server's template and parser. Not comparable with published figures.",
    },
    'chat-template': {
      type: 'string',
      minLength: 1,
      description:
        "Path of the model's chat template (Jinja), or of its tokenizer_config.json, for `api: completions`.",
    },
  },
};

export interface Options {
  readonly source: string | null;
  readonly labels: string | null;
  readonly sha256: string | null;
  readonly skipBadRows: boolean;
  /** Replace malformed history arguments by `{}`. */
  readonly sanitize: boolean;
  /** Rewrite history ids to `functions.NAME:IDX`. */
  readonly functionIds: boolean;
  readonly toolStrict: boolean;
  /** Send prompts to /completions instead of messages to /chat/completions. */
  readonly completions: boolean;
  /** Path of the template that makes the prompts. */
  readonly chatTemplate: string | null;
}

/** @param options checked against OPTIONS_SCHEMA before. */
export function readOptions(options: JsonObject): Options {
  const text = (name: string): string | null => {
    const value = options[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    source: text('source'),
    labels: text('labels'),
    sha256: text('sha256'),
    skipBadRows: options['on-bad-row'] === 'skip',
    sanitize: options['history-arguments'] !== 'raw',
    functionIds: options['tool-call-ids'] === 'functions',
    toolStrict: options['tool-strict'] === true,
    completions: options['api'] === 'completions',
    chatTemplate: text('chat-template'),
  };
}

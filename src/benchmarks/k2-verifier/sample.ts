import type { Completion } from '../../model/completion.js';
import type { Untrusted } from '../../text/untrusted.js';
import type { Official } from './official.js';
import type { Change } from './request.js';

/** One row, ready to be sent and judged. */
export interface Sample {
  /** Number of its line, from 1; K2VV's data_index. */
  readonly id: string;
  /** The request body, sent byte for byte. */
  readonly body: string;
  /** Of a request to /completions, which answers with text; null for /chat/completions. */
  readonly asText: { readonly opensThinking: boolean } | null;
  /** The tools of the row as JSON text, as they stand there; null when it has none. */
  readonly tools: string | null;
  readonly official: Official;
  /** What was changed in the row's messages and tools before sending. */
  readonly changes: readonly Change[];
  /** End of the last user message, for people. */
  readonly prompt: string;
}

/** What the vendor made of a sample. A refusal of one prompt is an answer, not a failure to measure. */
export type Payload =
  | { readonly kind: 'completion'; readonly completion: Completion }
  /**
   * An answer of /completions: the content is the text as it came, with its markup, and finish_reason the wire's.
   * `opensThinking`: the text begins with thinking, because its prompt ended with `<think>`.
   */
  | {
      readonly kind: 'text';
      readonly completion: Completion;
      readonly opensThinking: boolean;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly body: Untrusted };

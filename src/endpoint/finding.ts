import type { Cause } from '../model/completion.js';
import type { Draft } from './assemble.js';

/** A complete answer. */
export type Finished = Draft & { readonly finishReason: string };

/** What one attempt came to, its texts still raw: not redacted, not cut. */
export type Finding =
  | { readonly kind: 'completion'; readonly draft: Finished }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | {
      readonly kind: 'failed';
      readonly cause: Cause;
      readonly status: number | null;
      readonly detail: string;
      /** Asking again would be of no use, or unfair, although the cause is one that is usually retried. */
      readonly final: boolean;
    };

/** A failed attempt. */
export function failed(
  cause: Cause,
  status: number | null,
  detail: string,
  final = false,
): Finding & { kind: 'failed' } {
  return { kind: 'failed', cause, status, detail, final };
}

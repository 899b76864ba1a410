import { pythonStrip } from '../../text/python-repr.js';
import type { Action } from './action.js';
import { actionTextOf } from './action-arguments.js';
import { readCall } from './action-grammar.js';
import { checkStatement } from './python/action-statement.js';
import { pythonSource } from './python/tokens.js';

/** What to do about a tool call. `text`: the action as the model wrote it. */
export type ReadAction =
  /** Ends the episode: EvalScope's check of the action failed. */
  | { readonly kind: 'fatal'; readonly reason: string; readonly text: string }
  | { readonly kind: 'action'; readonly action: Action; readonly text: string };

/**
 * Reads the arguments of a call of `browser_action`. Never throws; takes time in proportion to the text's length.
 * @param argumentsText as received, not yet taken apart; see `readActionText` for the action alone
 */
export function readAction(argumentsText: string): ReadAction {
  return readActionText(actionTextOf(argumentsText));
}

/** Reads an action that `actionTextOf` took out of a tool call. */
export function readActionText(text: string): ReadAction {
  const source = pythonSource(pythonStrip(text));
  const verdict = checkStatement(source);
  if (!verdict.ok) return { kind: 'fatal', reason: verdict.reason, text };
  return { kind: 'action', action: readCall(source, verdict.start, verdict.name), text };
}

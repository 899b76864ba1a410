import type { Completion } from '../../model/completion.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { View } from './environment.js';

/** What happens in an episode, in order; the messages together are the conversation. */
export type TraceEvent =
  /** A screenshot, before the message that shows it. */
  | { readonly kind: 'screenshot'; readonly name: string; readonly png: Uint8Array }
  /** As it was sent, but for the image: its address is the name of the screenshot's file. */
  | { readonly kind: 'message'; readonly message: JsonObject }
  | { readonly kind: 'answer'; readonly ms: number; readonly completion: Completion }
  | { readonly kind: 'step'; readonly ms: number; readonly action: string; readonly view: View }
  | { readonly kind: 'error'; readonly what: string; readonly text: string }
  | { readonly kind: 'end'; readonly result: JsonObject };

/** Takes events down; must not throw. */
export type Record = (event: TraceEvent) => void;

/** `step-003.png` */
export function screenshotName({ step }: View): string {
  return `step-${String(step).padStart(3, '0')}.png`;
}

/** Longest text kept of whatever the model or the page says, in UTF-16 units. */
const MAX_TEXT = 20_000;

/** Text, or JSON with its texts, cut to what a trace keeps of one. */
export function bounded(value: Json): Json {
  if (typeof value === 'string') {
    if (value.length <= MAX_TEXT) return value;
    return `${value.slice(0, MAX_TEXT)}… (${value.length - MAX_TEXT} more)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(bounded);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bounded(one)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

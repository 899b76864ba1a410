import { deeperThan } from '../../endpoint/shape.js';
import type { Json } from '../../model/json.js';
import { MAX_JSON_DEPTH } from '../../text/json-text.js';

/** The value, or a text in its place where it nests so deeply that JSON.stringify would run out of stack. */
export function writable(value: Json): Json {
  return deeperThan(value, MAX_JSON_DEPTH)
    ? `(nested deeper than ${MAX_JSON_DEPTH} levels)`
    : value;
}

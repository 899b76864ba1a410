import type { Json, JsonObject } from '../model/json.js';

// Looking at JSON whose shape nobody promised. None of these throws.

/** The value as an object; null for anything else, lists included. */
export function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
}

/** The value as a list; null for anything else. */
export function asList(value: Json | undefined): readonly Json[] | null {
  return Array.isArray(value) ? value : null;
}

/** The value as text; null for anything else and for the empty string, which servers send for "nothing". */
export function asText(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number >= 0 that fits a double, also when it came as a string of digits; null for anything else. */
export function asCount(value: Json | undefined): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Whether `value` nests deeper than `limit`; JSON.stringify overflows the stack on a few thousand levels. */
export function deeperThan(value: Json, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  return Object.values(value).some((child: Json) => deeperThan(child, limit - 1));
}

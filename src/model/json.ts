/** A JSON value. Numbers may have lost precision; where that matters use text/json-text.ts instead. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
/** A JSON Schema document; draft 2020-12 unless it says otherwise. */
export type JsonSchema = JsonObject | boolean;

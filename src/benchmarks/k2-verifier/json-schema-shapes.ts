import type { JsonNode } from '../../text/json-text.js';
import { isNumber, valueOfNode } from './json-schema-values.js';

/**
 * A keyword's value is not what its metaschema asks for. Happens only in parts of a document that the metaschema does
 * not reach, such as the target of a reference into an unknown keyword.
 */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** The members of an object by name; the last duplicate wins. */
export type Members = ReadonlyMap<string, JsonNode>;

export function membersOf(node: JsonNode): Members {
  if (node.type !== 'object') throw new Malformed('not an object');
  return new Map(node.members.map(({ key, value }) => [key, value]));
}

export function listOf(node: JsonNode): JsonNode[] {
  if (node.type !== 'array') throw new Malformed('not a list');
  return node.items;
}

export function textOf(node: JsonNode): string {
  if (node.type !== 'string') throw new Malformed('not a string');
  return node.value;
}

export function textsOf(node: JsonNode): string[] {
  return listOf(node).map(textOf);
}

export function numberOf(node: JsonNode): number | bigint {
  const value = valueOfNode(node);
  if (!isNumber(value)) throw new Malformed('not a number');
  return value;
}

export function isTrue(node: JsonNode | undefined): boolean {
  return node?.type === 'literal' && node.value === true;
}

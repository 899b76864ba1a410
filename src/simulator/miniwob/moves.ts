import type { Node } from './page.js';

/** Actions as text. */

export function click(node: Node): string {
  return `click(${literal(node.bid ?? '')})`;
}

export function fill(node: Node, text: string): string {
  return `fill(${literal(node.bid ?? '')}, ${literal(text)})`;
}

/** A string literal of Python; JSON's are such, but for lone surrogates, which no page shows. */
export function literal(text: string): string {
  return JSON.stringify(text);
}

/** Nodes that can be acted on by bid. */
export function reachable(nodes: readonly Node[], ...roles: readonly string[]): Node[] {
  return nodes.filter(({ bid, role }) => bid !== null && roles.includes(role));
}

const ORDINAL = /\b(\d+)(?:st|nd|rd|th)\b/;

/** 3 for '3rd' in the text; null where there is none. */
export function ordinalIn(text: string): number | null {
  const match = ORDINAL.exec(text);
  return match === null ? null : Number(match[1]);
}

/** What the goal has in quotation marks, in order. */
export function quotedIn(goal: string): string[] {
  return [...goal.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text);
}

import type { AxNode, AxProperty } from './ax-tree.js';

/**
 * Marking writes an element's bid into `aria-roledescription` and `aria-description`, because that is what reaches
 * the accessibility tree; what stood there before follows after a space.
 */
const MARK = /^browsergym_id_([A-Za-z0-9]+)\s?(.*)$/s;

interface Mark {
  readonly bid: string;
  readonly rest: string;
}

function readMark(value: unknown): Mark | null {
  const match = typeof value === 'string' ? MARK.exec(value) : null;
  return match === null ? null : { bid: match[1] ?? '', rest: match[2] ?? '' };
}

/** The bid of a marked node, and its properties without the mark; an unmarked node has none. */
export function unmarked(node: AxNode): {
  readonly bid: string | null;
  readonly properties: readonly AxProperty[];
} {
  let bid: string | null = null;
  const properties: AxProperty[] = [];
  for (const property of node.properties ?? []) {
    const mark = property.name === 'roledescription' ? readMark(property.value.value) : null;
    if (mark === null) {
      properties.push(property);
      continue;
    }
    bid = mark.bid;
    if (mark.rest === '') continue;
    properties.push({ ...property, value: { ...property.value, value: mark.rest } });
  }
  return { bid: bid ?? readMark(node.description?.value)?.bid ?? null, properties };
}

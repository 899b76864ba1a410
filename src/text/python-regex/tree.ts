import type { CharTest } from './characters.js';

/** Python's `re.compile` would raise. */
export class PythonRegexError extends Error {
  override readonly name = 'PythonRegexError';
}

export type Place = 'start' | 'end' | 'very end' | 'line start' | 'line end';

/** A parsed pattern. `max` of a repetition may be Infinity. */
export type RegexNode =
  | { readonly type: 'one'; readonly test: CharTest }
  | { readonly type: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly type: 'choice'; readonly items: readonly RegexNode[] }
  | {
      readonly type: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly mode: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly type: 'group'; readonly capture: number | null; readonly body: RegexNode }
  | { readonly type: 'atomic'; readonly body: RegexNode }
  | { readonly type: 'at'; readonly where: Place }
  | { readonly type: 'boundary'; readonly negate: boolean; readonly word: CharTest }
  | { readonly type: 'reference'; readonly group: number; readonly caseless: boolean }
  | {
      readonly type: 'look';
      readonly negate: boolean;
      /** Characters to go back first; null for a look ahead. */
      readonly back: number | null;
      readonly body: RegexNode;
    }
  | {
      readonly type: 'condition';
      readonly group: number;
      readonly yes: RegexNode;
      readonly no: RegexNode;
    };

/** Least and greatest number of characters. */
export type Width = readonly [number, number];

/**
 * How many characters a node takes.
 * @param groupWidth the width of a capturing group that was closed before.
 */
export function widthOf(node: RegexNode, groupWidth: (group: number) => Width): Width {
  switch (node.type) {
    case 'one':
      return [1, 1];
    case 'sequence': {
      const widths = node.items.map((item) => widthOf(item, groupWidth));
      return [
        widths.reduce((sum, [low]) => sum + low, 0),
        widths.reduce((sum, [, high]) => sum + high, 0),
      ];
    }
    case 'choice':
      return either(node.items.map((item) => widthOf(item, groupWidth)));
    case 'condition':
      return either([widthOf(node.yes, groupWidth), widthOf(node.no, groupWidth)]);
    case 'repeat': {
      const [low, high] = widthOf(node.body, groupWidth);
      return [low * node.min, high === 0 || node.max === 0 ? 0 : high * node.max];
    }
    case 'group':
    case 'atomic':
      return widthOf(node.body, groupWidth);
    case 'reference':
      return groupWidth(node.group);
    case 'at':
    case 'boundary':
    case 'look':
      return [0, 0];
  }
}

function either(widths: readonly Width[]): Width {
  return [Math.min(...widths.map(([low]) => low)), Math.max(...widths.map(([, high]) => high))];
}

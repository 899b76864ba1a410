/** A line of the accessibility tree. */
export interface Node {
  /** null for what can only be reached by coordinates. */
  readonly bid: string | null;
  readonly role: string;
  readonly name: string;
  /** null where the line has none. */
  readonly value: string | null;
  /** The rest of the line: `checked='false', focused`. */
  readonly attributes: string;
}

/** What an observation of miniwob says. */
export interface Page {
  readonly goal: string;
  /** In the order of the tree. */
  readonly nodes: readonly Node[];
}

const GOAL = 'Goal: ';
const TREE = '\nAccessibility tree:\n';

/** null for a text that is no observation. */
export function readPage(text: string): Page | null {
  const tree = text.indexOf(TREE);
  const goalEnd = text.indexOf('\nURL: ');
  if (!text.startsWith(GOAL) || tree < 0 || goalEnd < 0) return null;
  return {
    goal: text.slice(GOAL.length, goalEnd),
    nodes: text
      .slice(tree + TREE.length)
      .split('\n')
      .flatMap(readNode),
  };
}

const QUOTED = `'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*"`;
const LINE = new RegExp(
  `^\\t*(?:\\[(\\w+)\\] )?(\\S+?)(?:,? (${QUOTED}))?(?: value=(${QUOTED}|[^,]*))?(?:, (.*))?$`,
);

function readNode(line: string): Node[] {
  const match = LINE.exec(line);
  if (match === null) return [];
  const [, bid, role = '', name, value, attributes = ''] = match;
  return [
    {
      bid: bid ?? null,
      role,
      name: name === undefined ? '' : unquoted(name),
      value: value === undefined ? null : unquoted(value),
      attributes,
    },
  ];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The text of a Python literal; anything else stays as it is. */
function unquoted(literal: string): string {
  if (!/^['"]/.test(literal)) return literal;
  return literal
    .slice(1, -1)
    .replace(
      /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gs,
      (_, two, four, eight, one) => {
        const digits: string | undefined = two ?? four ?? eight;
        if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16));
        return ESCAPES[one as string] ?? (one as string);
      },
    );
}

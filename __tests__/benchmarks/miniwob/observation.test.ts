import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { type AxNode, mergeFrames } from '../../../src/benchmarks/miniwob/ax-tree.js';
import { flattenAxTree } from '../../../src/benchmarks/miniwob/observation.js';

interface Vector {
  readonly task: string;
  readonly nodes: readonly AxNode[];
  readonly text: string;
}
const { vectors } = JSON.parse(
  readFileSync(new URL('../../fixtures/miniwob-axtree-vectors.json', import.meta.url), 'utf8'),
) as { vectors: readonly Vector[] };

/** A node with the value of each field, and properties by name. */
function node(
  nodeId: string,
  role: string,
  name: string | null,
  rest: Partial<AxNode> & { readonly with?: Readonly<Record<string, unknown>> } = {},
): AxNode {
  const { with: properties = {}, ...fields } = rest;
  return {
    nodeId,
    role: { value: role },
    ...(name === null ? {} : { name: { value: name } }),
    properties: Object.entries(properties).map(([key, value]) => ({ name: key, value: { value } })),
    ...fields,
  };
}

function root(...childIds: string[]): AxNode {
  return node('root', 'RootWebArea', 'T', { childIds });
}

/** Lines below the root, without their first tab. */
function below(...nodes: AxNode[]): string[] {
  const [first, ...lines] = flattenAxTree(nodes).split('\n');
  expect(first).toBe("RootWebArea 'T'");
  return lines.map((line) => line.slice(1));
}

describe('flattenAxTree', () => {
  it('has all the vectors', () => {
    expect(vectors).toHaveLength(24);
  });

  test.each(vectors)('prints $task as BrowserGym does', ({ nodes, text }) => {
    expect(flattenAxTree(nodes)).toBe(text);
  });

  test.each<[string, AxNode, readonly string[]]>([
    ['no mark', node('a', 'button', 'Go'), ["button 'Go'"]],
    [
      'a mark in roledescription, which is gone then',
      node('a', 'button', 'Go', { with: { roledescription: 'browsergym_id_5 ' } }),
      ["[5] button 'Go'"],
    ],
    [
      'a role description of its own behind the mark',
      node('a', 'button', 'RD', { with: { roledescription: 'browsergym_id_a11 fancy' } }),
      ["[a11] button 'RD', roledescription='fancy'"],
    ],
    [
      'a mark in the description alone',
      node('a', 'button', 'Go', { description: { value: 'browsergym_id_5 more\nwords' } }),
      ["[5] button 'Go'"],
    ],
    [
      'the first of two marks',
      node('a', 'button', 'Go', {
        description: { value: 'browsergym_id_6' },
        with: { roledescription: 'browsergym_id_5 ' },
      }),
      ["[5] button 'Go'"],
    ],
    [
      'no mark but one that looks like it',
      node('a', 'button', 'Go', { with: { roledescription: 'browsergym_id_ x' } }),
      ["button 'Go', roledescription='browsergym_id_ x'"],
    ],
    ['a name with spaces around it', node('a', 'button', '\x1f a \x85'), ["button 'a'"]],
    ['a name without a value', { ...node('a', 'button', null), name: {} }, ["button ''"]],
    ['no name', node('a', 'button', null), []],
    ['a line break', node('a', 'LineBreak', '\n'), []],
    ['a generic node', node('a', 'generic', 'g', { with: { editable: 'plaintext' } }), []],
    [
      'a generic node that says something',
      node('a', 'generic', '', { with: { focusable: true, focused: true } }),
      ['generic, focused'],
    ],
    [
      'a generic node that says something and has a name',
      node('a', 'generic', 'g', { with: { focused: true } }),
      ["generic 'g', focused"],
    ],
    ['empty text', node('a', 'StaticText', ''), []],
    ['text that the parent holds', node('a', 'StaticText', 'T'), []],
    ['text that the parent does not hold', node('a', 'StaticText', ' T'), ["StaticText 'T'"]],
    ['value zero', node('a', 'slider', '', { value: { value: 0 } }), ["slider '' value=0"]],
    ['an empty value', node('a', 'textbox', '', { value: { value: '' } }), ["textbox '' value=''"]],
    ['no value', node('a', 'textbox', '', { value: { value: null } }), ["textbox ''"]],
    [
      'values of all kinds',
      node('a', 'slider', '', {
        value: { value: 2.5 },
        with: { valuemin: 0, valuemax: 1.5, checked: 'mixed', selected: false, modal: true },
      }),
      [
        "slider '' value=2.5, valuemin=0, valuemax=1.5, checked='mixed', selected=False, modal=True",
      ],
    ],
    [
      'what is never printed',
      node('a', 'heading', 'H', {
        with: {
          editable: 'plaintext',
          readonly: true,
          level: 2,
          settable: true,
          multiline: true,
          invalid: 'true',
          focusable: true,
        },
      }),
      ["heading 'H'"],
    ],
    [
      'flags, when they are true',
      node('a', 'textbox', '', { with: { required: true, focused: false, atomic: true } }),
      ["textbox '', required, atomic"],
    ],
    [
      'a property without a value',
      node('a', 'tab', 't', { with: { labelledby: undefined, controls: 'tabs-1' } }),
      ["tab 't', controls='tabs-1'"],
    ],
  ])('prints %s', (_name, child, lines) => {
    expect(below(root('a'), child)).toEqual(lines);
  });

  it('moves the children of a node that is left out up', () => {
    expect(
      below(
        root('a', 'd'),
        node('a', 'none', null, { childIds: ['b'] }),
        node('b', 'generic', 'x', { childIds: ['c'] }),
        node('c', 'paragraph', '', { childIds: ['e'] }),
        node('d', 'button', 'last'),
        node('e', 'StaticText', 'inner'),
      ),
    ).toEqual(["paragraph ''", "\tStaticText 'inner'", "button 'last'"]);
  });

  it('compares text with the parent alone, printed or not', () => {
    expect(
      below(
        root('label', 'bare', 'break'),
        node('label', 'generic', 'pick a day', { childIds: ['1'] }),
        node('1', 'StaticText', 'day'),
        node('bare', 'none', null, { childIds: ['2'] }),
        node('2', 'StaticText', 'T'),
        node('break', 'LineBreak', 'T', { childIds: ['3'] }),
        node('3', 'StaticText', 'T'),
      ),
    ).toEqual(["StaticText 'T'", "StaticText 'T'"]);
  });

  it('passes over missing children, loops and second parents', () => {
    expect(
      below(
        root('root', 'gone', 'a', 'b'),
        node('a', 'list', '', { childIds: ['a', 'root', 'c'] }),
        node('b', 'list', '', { childIds: ['c', 'd', 'd'] }),
        node('c', 'listitem', 'c'),
        { nodeId: 'd', role: { value: 'listitem' }, name: { value: 'd' } },
      ),
    ).toEqual(["list ''", "\tlistitem 'c'", "list ''", "\tlistitem 'd'"]);
  });

  it('prints nothing without nodes, and a node without a role', () => {
    expect(flattenAxTree([])).toBe('');
    expect(flattenAxTree([{ nodeId: '1', name: { value: 'x' } }])).toBe(" 'x'");
  });

  it('takes a page as deep as pages can be', () => {
    const nodes = Array.from({ length: 20_000 }, (_, i) =>
      node(String(i), 'generic', '', { childIds: [String(i + 1)] }),
    );
    expect(flattenAxTree([...nodes, node('20000', 'button', 'deep')])).toBe("button 'deep'");
  });
});

describe('flattenAxTree on any tree', () => {
  const id = fc.integer({ min: 0, max: 12 }).map(String);
  const text = fc.oneof(
    fc.constantFrom('', ' ', 'a', "it's", '\u0000', 'browsergym_id_3 ', '\ud800', 'LineBreak'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  const value = fc.record(
    { value: fc.oneof(text, fc.boolean(), fc.double(), fc.constant(null)) },
    { requiredKeys: [] },
  );
  const role = fc.constantFrom('generic', 'StaticText', 'LineBreak', 'button', 'none', 'Iframe');
  const name = fc.constantFrom('focused', 'roledescription', 'checked', 'editable', 'required');
  const anyNode: fc.Arbitrary<AxNode> = fc.record(
    {
      nodeId: id,
      role: role.map((each) => ({ value: each })),
      name: value,
      value,
      description: value,
      properties: fc.array(fc.record({ name, value }), { maxLength: 4 }),
      childIds: fc.array(id, { maxLength: 4 }),
      backendDOMNodeId: fc.integer({ min: 0, max: 12 }),
    },
    { requiredKeys: ['nodeId'] },
  );
  const anyTree = fc.array(anyNode, { maxLength: 14 });

  it('never fails, and each line is at most one level deeper than the one before', () => {
    fc.assert(
      fc.property(anyTree, (nodes) => {
        const lines = flattenAxTree(nodes).split('\n');
        let depth = -1;
        for (const line of lines) {
          const tabs = /^\t*/.exec(line)?.[0].length ?? 0;
          expect(tabs).toBeLessThanOrEqual(depth + 1);
          depth = tabs;
        }
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, nodes.length));
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('gives the same for merged frames that do not touch one another', () => {
    fc.assert(
      fc.property(anyTree, (nodes) => {
        const merged = mergeFrames([{ frameId: 'main', nodes }], new Map());
        expect(flattenAxTree(merged)).toBe(flattenAxTree(nodes));
      }),
      { seed: 5, numRuns: 100 },
    );
  });
});

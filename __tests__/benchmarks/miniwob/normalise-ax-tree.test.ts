import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import {
  type AxNode,
  type FrameTree,
  iframeElements,
  mergeFrames,
} from '../../../src/benchmarks/miniwob/ax-tree.js';
import {
  type ElementFacts,
  normaliseAxTree,
} from '../../../src/benchmarks/miniwob/normalise-ax-tree.js';
import { flattenAxTree } from '../../../src/benchmarks/miniwob/observation.js';

function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')) as T;
}

const { pages } = fixture<{
  pages: readonly {
    readonly name: string;
    readonly trees: readonly FrameTree[];
    readonly contentFrames: readonly (readonly [number, string])[];
    readonly elements: readonly (readonly [string, ElementFacts])[];
    readonly text: string;
  }[];
}>('miniwob-axtree-156.json');
const { vectors } = fixture<{
  vectors: readonly { readonly task: string; readonly nodes: AxNode[]; readonly text: string }[];
}>('miniwob-axtree-vectors.json');

const NOTHING: ElementFacts = { valueText: null, controls: null, label: null, title: null };

/** A marked node of the role; properties by name. */
function marked(
  bid: string,
  role: string,
  name: string,
  properties: Readonly<Record<string, unknown>> = {},
): AxNode {
  const own = Object.entries(properties).map(([key, value]) => ({ name: key, value: { value } }));
  return {
    nodeId: '1',
    role: { value: role },
    name: { value: name },
    description: { value: `browsergym_id_${bid}` },
    properties: own,
  };
}

function normalisedLine(node: AxNode, facts: Partial<ElementFacts> = {}): string {
  return flattenAxTree(normaliseAxTree([node], new Map([['7', { ...NOTHING, ...facts }]])));
}

describe('normaliseAxTree', () => {
  test.each(pages)('gives the text of Chromium 126 for the page "$name"', (page) => {
    const nodes = mergeFrames(page.trees, new Map(page.contentFrames));
    expect(flattenAxTree(normaliseAxTree(nodes, new Map(page.elements)))).toBe(page.text);
  });

  test.each(pages)('has something to do on the page "$name"', (page) => {
    const nodes = mergeFrames(page.trees, new Map(page.contentFrames));
    expect(flattenAxTree(nodes)).not.toBe(page.text);
  });

  test.each(vectors)('leaves the tree of $task in Chromium 126 as it is', ({ nodes, text }) => {
    expect(flattenAxTree(normaliseAxTree(nodes, new Map()))).toBe(text);
  });

  test.each<[string, AxNode, Partial<ElementFacts>, string]>([
    [
      'properties that are new',
      marked('7', 'link', 'l', { url: 'x', actions: 'y' }),
      {},
      "[7] link 'l'",
    ],
    ['a cell', marked('7', 'cell', 'c'), {}, "[7] gridcell 'c'"],
    ['a form without a name', marked('7', 'form', ''), {}, ''],
    ['a form with a name', marked('7', 'form', 'f'), {}, "[7] form 'f'"],
    ['a list box', marked('7', 'MenuListPopup', 'm'), {}, ''],
    [
      'a value text that the browser made up',
      marked('7', 'slider', 's', { valuetext: '3 of 4' }),
      {},
      "[7] slider 's', valuetext=''",
    ],
    [
      "a value text that is the page's",
      marked('7', 'slider', 's', { valuetext: '' }),
      { valueText: 'loud' },
      "[7] slider 's', valuetext='loud'",
    ],
    [
      'a value text that no property asks for',
      marked('7', 'slider', 's'),
      { valueText: 'loud' },
      "[7] slider 's'",
    ],
    [
      'controls that the browser left out',
      marked('7', 'tab', 't', { expanded: false, details: 'd' }),
      { controls: 'a b' },
      "[7] tab 't', expanded=False, controls='a b', details='d'",
    ],
    [
      'controls that are there',
      marked('7', 'tab', 't', { controls: 'a' }),
      { controls: 'a b' },
      "[7] tab 't', controls='a'",
    ],
    ['facts of another element', marked('8', 'tab', 't'), { controls: 'a' }, "[8] tab 't'"],
    ['a title of a button', marked('7', 'button', ''), { title: 'tip' }, "[7] button ''"],
  ])('%s', (_name, node, facts, line) => {
    expect(normalisedLine(node, facts)).toBe(line);
  });

  it('names a generic node after its label, else its title, and hides the text that says the same', () => {
    const text: AxNode = { nodeId: '2', role: { value: 'StaticText' }, name: { value: 'July' } };
    const week = { ...marked('7', 'generic', ''), childIds: ['2'] };
    const lines = (facts: Partial<ElementFacts>): string =>
      flattenAxTree(normaliseAxTree([week, text], new Map([['7', { ...NOTHING, ...facts }]])));
    expect(lines({})).toBe("StaticText 'July'");
    expect(lines({ label: 'In July' })).toBe('');
    expect(lines({ title: 'July 2016' })).toBe('');
    expect(lines({ label: 'June', title: 'July' })).toBe("StaticText 'July'");
  });

  it('does not take a part of an element for the element', () => {
    // The editor inside an input has the input's bid, but not its title.
    const input = { ...marked('7', 'textbox', 'Type a name'), childIds: ['2'] };
    const editor = { ...marked('7', 'generic', ''), nodeId: '2', childIds: ['3'] };
    const text: AxNode = { nodeId: '3', role: { value: 'StaticText' }, name: { value: 'name' } };
    const facts = new Map([['7', { ...NOTHING, title: 'Type a name' }]]);
    expect(flattenAxTree(normaliseAxTree([input, editor, text], facts))).toBe(
      "[7] textbox 'Type a name'\n\tStaticText 'name'",
    );
  });

  it('keeps a button of the page that is called like one of the browser', () => {
    expect(normalisedLine(marked('7', 'button', 'Show date picker'))).toBe(
      "[7] button 'Show date picker'",
    );
  });

  it('puts the lines of a text area together, an empty last one too', () => {
    const area = {
      ...marked('7', 'textbox', '', { multiline: true }),
      value: { value: 'a\n\nb\n' },
      childIds: ['2'],
    };
    const part = (nodeId: string, role: string, name: string): AxNode => ({
      nodeId,
      role: { value: role },
      name: { value: name },
    });
    const editor = { ...part('2', 'generic', ''), childIds: ['3', '4', '5', '6', '7', '8'] };
    const parts = [
      part('3', 'StaticText', 'a'),
      part('4', 'LineBreak', '\n'),
      part('5', 'LineBreak', '\n'),
      part('6', 'StaticText', 'b'),
      part('7', 'LineBreak', '\n'),
      part('8', 'LineBreak', '\n'),
    ];
    expect(flattenAxTree(normaliseAxTree([area, editor, ...parts], new Map()))).toBe(
      "[7] textbox '' value='a\\n\\nb\\n'\n\tStaticText 'a\\n\\nb'",
    );
    const single = { ...area, properties: [] };
    expect(flattenAxTree(normaliseAxTree([single, editor, ...parts], new Map()))).toBe(
      "[7] textbox '' value='a\\n\\nb\\n'\n\tStaticText 'a'\n\tStaticText 'b'",
    );
  });
});

describe('mergeFrames', () => {
  const iframe = (nodeId: string, backendDOMNodeId: number): AxNode => ({
    nodeId,
    role: { value: 'Iframe' },
    name: { value: '' },
    backendDOMNodeId,
  });
  const trees: FrameTree[] = [
    {
      frameId: 'main',
      nodes: [
        { nodeId: '1', role: { value: 'RootWebArea' }, name: { value: '' }, childIds: ['2', '3'] },
        iframe('2', 20),
        iframe('3', 30),
      ],
    },
    { frameId: 'inner', nodes: [{ nodeId: '4', role: { value: 'button' }, name: { value: 'b' } }] },
    { frameId: 'empty', nodes: [] },
  ];

  it('asks for the frames of iframes', () => {
    expect(iframeElements(trees)).toEqual([20, 30]);
  });

  test.each<[string, [number, string][], string]>([
    ['its iframe', [[30, 'inner']], "RootWebArea ''\n\tIframe ''\n\tIframe ''\n\t\tbutton 'b'"],
    ['no iframe that is known', [], "RootWebArea ''\n\tIframe ''\n\tIframe ''"],
    ['a frame that is gone', [[30, 'gone']], "RootWebArea ''\n\tIframe ''\n\tIframe ''"],
    ['a frame without nodes', [[20, 'empty']], "RootWebArea ''\n\tIframe ''\n\tIframe ''"],
  ])('puts a frame into %s', (_name, contentFrames, text) => {
    expect(flattenAxTree(mergeFrames(trees, new Map(contentFrames)))).toBe(text);
  });
});

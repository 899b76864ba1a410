import { type AxNode, type AxProperty, nameOf, roleOf } from './ax-tree.js';
import { unmarked } from './marks.js';

/**
 * ARIA and title attributes that newer Chromium no longer shows in its tree as Chromium 126 did. null: not there.
 *
 * Wanted of marked elements only, and of those only where one of the four is there; so the marking script, which sees
 * every element anyway, returns them beside the bids, and nothing has to be looked up afterwards.
 */
export interface ElementFacts {
  /** `aria-valuetext` */
  readonly valueText: string | null;
  /** `aria-controls` */
  readonly controls: string | null;
  /** `aria-label` */
  readonly label: string | null;
  readonly title: string | null;
}

/** The names of properties that Chromium 126 knows. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'busy disabled editable focusable focused hidden hiddenRoot invalid keyshortcuts settable roledescription live ' +
    'atomic relevant root autocomplete hasPopup level multiselectable orientation multiline readonly required ' +
    'valuemin valuemax valuetext checked expanded modal pressed selected activedescendant controls describedby ' +
    'details errormessage flowto labelledby owns'
  ).split(' '),
);
/** Properties that come after `controls`. */
const AFTER_CONTROLS: ReadonlySet<string> = new Set([
  'describedby',
  'details',
  'errormessage',
  'flowto',
  'labelledby',
  'owns',
]);
/** Nodes that have no name in Chromium 126. */
const NAMELESS: ReadonlySet<string> = new Set(['InlineTextBox', 'MenuListPopup']);
/** 'Show date picker', 'Show local date and time picker'; twice over where the input has a title. */
const PICKER = /^Show .*\bpicker$/;

/**
 * Makes the tree of a newer Chromium look like that of Chromium 126, so that `flattenAxTree` prints the text that
 * BrowserGym's pinned browser would have given. Leaves a tree of Chromium 126 as it is.
 *
 * Found by comparing Chromium 126 and 156 on all 125 tasks.
 *
 * @param nodes marked nodes, frames merged or not
 * @param elements by bid (with its frame's prefix); elements without any of the attributes may be missing
 */
export function normaliseAxTree(
  nodes: readonly AxNode[],
  elements: ReadonlyMap<string, ElementFacts>,
): AxNode[] {
  const met = new Set<string>();
  const result: AxNode[] = [];
  for (const node of withWholeTexts(nodes)) {
    const { bid } = unmarked(node);
    // Parts that the browser itself builds into an element share its bid; they come after the element.
    const isElement = bid !== null && !met.has(bid);
    if (bid !== null) met.add(bid);
    if (!isElement && bid !== null && isPicker(node)) continue;
    result.push(normalised(node, isElement ? elements.get(bid) : undefined));
  }
  return result;
}

function isPicker(node: AxNode): boolean {
  return roleOf(node) === 'button' && PICKER.test(nameOf(node) ?? '');
}

function normalised(node: AxNode, element: ElementFacts | undefined): AxNode {
  const role = roleOf(node);
  const { name, ...nameless } = node;
  if (NAMELESS.has(role) || (role === 'form' && nameOf(node) === '')) return nameless;
  const properties = normalisedProperties(node.properties ?? [], element);
  const label = element?.label ?? element?.title ?? '';
  if (role === 'generic' && nameOf(node) === '' && label !== '') {
    return { ...node, name: { value: label }, properties };
  }
  if (role === 'cell') {
    return { ...node, role: { value: 'gridcell' }, properties };
  }
  return { ...node, properties };
}

function normalisedProperties(
  given: readonly AxProperty[],
  element: ElementFacts | undefined,
): AxProperty[] {
  const properties = given
    .filter(({ name }) => KNOWN.has(name))
    .map((property) =>
      property.name === 'valuetext' ? asText(property, element?.valueText ?? '') : property,
    );
  const controls = element?.controls ?? null;
  if (controls === null || properties.some(({ name }) => name === 'controls')) return properties;
  const after = properties.findIndex(({ name }) => AFTER_CONTROLS.has(name));
  const added = { name: 'controls', value: { value: controls } };
  return properties.toSpliced(after === -1 ? properties.length : after, 0, added);
}

function asText({ name }: AxProperty, value: string): AxProperty {
  return { name, value: { value } };
}

/**
 * Chromium 126 has the text of a text area in one node; newer ones have one a line with line breaks between them. The
 * first of them gets the whole text.
 */
function withWholeTexts(nodes: readonly AxNode[]): readonly AxNode[] {
  const areas = nodes.filter(isTextArea);
  if (areas.length === 0) return nodes;
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const childrenOf = ({ childIds = [] }: AxNode): AxNode[] =>
    childIds.flatMap((id) => byId.get(id) ?? []);
  for (const area of areas) {
    for (const editor of childrenOf(area)) {
      const parts = childrenOf(editor);
      const first = parts.find((part) => roleOf(part) === 'StaticText');
      const isSplit = parts.some((part) => roleOf(part) === 'LineBreak');
      if (roleOf(editor) !== 'generic' || !isSplit || first === undefined) continue;
      byId.set(editor.nodeId, { ...editor, childIds: [first.nodeId] });
      byId.set(first.nodeId, { ...first, name: { value: area.value?.value } });
    }
  }
  return nodes.map((node) => byId.get(node.nodeId) ?? node);
}

function isTextArea(node: AxNode): boolean {
  return (
    roleOf(node) === 'textbox' &&
    typeof node.value?.value === 'string' &&
    (node.properties ?? []).some(({ name, value }) => name === 'multiline' && value.value === true)
  );
}

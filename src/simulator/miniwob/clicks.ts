import { click, ordinalIn, quotedIn, reachable } from './moves.js';
import type { Node, Page } from './page.js';
import type { Rule } from './player.js';

const CLICKABLE = ['button', 'link', 'tab', 'menuitem', 'treeitem'];

/** Clicks what the goal names, in its order; where it names nothing that is there, what is most likely meant. */
export const clickMove: Rule = ({ page, past }) => {
  const [next] = targetsOf(page).filter((node) => !past.includes(click(node)));
  return next === undefined ? null : click(next);
};

/** Once more, when all is done and the page is not: the first click may have gone to something that lay above. */
export const repeatMove: Rule = ({ past }) =>
  past.findLast((action) => action.startsWith('click(')) ?? null;

function targetsOf(page: Page): readonly Node[] {
  const special = focused(page) ?? widget(page);
  if (special !== null) return [special];
  const { goal, nodes } = page;
  const placed = reachable(nodes, ...CLICKABLE)
    .map((node) => ({ node, at: placeIn(goal, node) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .filter(({ node }, index, all) => all.findIndex((b) => b.node.name === node.name) === index)
    .map(({ node }) => node);
  const folded = /\bexpand\b/i.test(goal)
    ? reachable(nodes, 'tab').filter(({ attributes }) => attributes.includes('expanded=False'))
    : [];
  if (placed.length > 0) return [...folded, ...placed];
  const buttons = reachable(nodes, 'button');
  return [...folded, ...buttons.slice(-1)];
}

/** Where the goal names it: in quotation marks, else as words. -1 where it does not. */
function placeIn(goal: string, { name }: Node): number {
  if (name === '') return -1;
  const exact = goal.indexOf(`"${name}"`);
  if (exact >= 0) return exact;
  // The cross in a dialog's corner.
  if (name === 'Close' && (goal.includes('"x"') || goal.includes('"X"')))
    return goal.search(/"x"/i);
  if (quotedIn(goal).length > 0 && !/^(?:submit|login|ok|search)$/i.test(name)) return -1;
  const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return goal.search(new RegExp(`(?<![\\w#])${word}(?![\\w#])`, 'i'));
}

/** `Focus into the 3rd input textbox.` */
function focused({ goal, nodes }: Page): Node | null {
  if (!/^focus\b/i.test(goal)) return null;
  return reachable(nodes, 'textbox')[(ordinalIn(goal) ?? 1) - 1] ?? null;
}

const WIDGETS: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  text: 'textbox',
  textarea: 'textbox',
};

/** `Click on a "radio" widget.` */
function widget({ goal, nodes }: Page): Node | null {
  const kind = /\ba "(\w+)" widget\b/.exec(goal)?.[1];
  const role = kind === undefined ? undefined : WIDGETS[kind];
  return role === undefined ? null : (reachable(nodes, role)[0] ?? null);
}

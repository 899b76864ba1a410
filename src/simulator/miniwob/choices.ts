import { click, literal, ordinalIn, quotedIn, reachable } from './moves.js';
import type { Node, Page } from './page.js';
import type { Game, Rule } from './player.js';

/** Checks the boxes and selects the options that the goal names, one a turn. */
export const choiceMove: Rule = (game) => boxMove(game) ?? optionMove(game);

/** What is to be selected: `Select A, B and click Submit`, `Choose "A" from the list`. */
function namesIn(goal: string): ReadonlySet<string> {
  const clauses = goal.matchAll(
    /\b(?:select|choose) ([^"]+?)(?: (?:and|then) (?:click|press|hit)| from | with | as |[.]?$)/gi,
  );
  return new Set([
    ...quotedIn(goal),
    ...[...clauses].flatMap(([, names = '']) => names.split(/, | and /)),
  ]);
}

function boxMove({ page, past }: Game): string | null {
  const { goal, nodes } = page;
  const wanted = namesIn(goal);
  const boxes = reachable(nodes, 'checkbox', 'radio');
  const nth = nthBox(page, boxes);
  const next = boxes.find(
    (box) =>
      box.attributes.includes("checked='false'") && (box === nth || wanted.has(box.name.trim())),
  );
  const move = next === undefined ? null : click(next);
  // A box that does not stay checked would be clicked for ever.
  return move !== null && past.includes(move) ? null : move;
}

/** `click the 1st checkbox`, `Check the 3rd radio button`. */
function nthBox({ goal }: Page, boxes: readonly Node[]): Node | null {
  const named = /\b(\d\w+) (?:checkbox|radio)/.exec(goal)?.[1];
  const nth = named === undefined ? null : ordinalIn(named);
  return nth === null ? null : (boxes[nth - 1] ?? null);
}

function optionMove({ page: { goal, nodes }, past }: Game): string | null {
  const wanted = namesIn(goal);
  const options = reachable(nodes, 'option');
  const next = options.find(
    ({ name, attributes }) => wanted.has(name) && attributes.includes('selected=False'),
  );
  if (next === undefined) return null;
  const list = nodes
    .slice(0, nodes.indexOf(next))
    .findLast(({ role }) => role === 'listbox' || role === 'combobox');
  if (list?.role !== 'combobox') {
    const more = options.some(
      ({ name, attributes }) => wanted.has(name) && attributes.includes('selected=True'),
    );
    return more ? click(next).replace(/\)$/, ', modifiers=["Control"])') : click(next);
  }
  // The options of a list that drops down cannot be clicked; typing finds them.
  const steps = [click(list), `keyboard_type(${literal(next.name)})`, 'keyboard_press("Enter")'];
  const done = past.lastIndexOf(steps[0] ?? '');
  return steps[done < 0 ? 0 : past.length - done] ?? null;
}

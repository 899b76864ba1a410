import { fill, literal, ordinalIn, reachable } from './moves.js';
import type { Node, Page } from './page.js';
import type { Rule } from './player.js';

/** A text and the field it belongs into. */
interface Entry {
  readonly field: Node;
  readonly text: string;
}

/** Fills the fields the goal asks for, one a turn. */
export const entryMove: Rule = ({ page, past }) => {
  for (const { field, text } of entriesOf(page)) {
    const move = fill(field, text);
    // A password's value is shown as dots, so what was done counts too, if it came to anything.
    const hidden = (field.value ?? '') !== '' && past.includes(move);
    if (field.value !== text && !hidden) return move;
  }
  return suggestionMove({ page, past });
};

function entriesOf(page: Page): Entry[] {
  const timed = clockEntry(page);
  if (timed !== null) return [timed];
  const fields = fieldsOf(page);
  const [first] = fields.filter(({ value }) => (value ?? '') === '');
  if (first === undefined && fields.length === 0) return [];
  const found = foundText(page);
  if (found !== null) {
    const target = first ?? fields[0];
    return target === undefined ? [] : [{ field: target, text: found }];
  }
  return [...tableEntries(page, fields), ...namedEntries(page, fields)];
}

function fieldsOf({ nodes }: Page): Node[] {
  return reachable(nodes, 'textbox', 'spinbutton', 'searchbox');
}

/** Dates and times go into their inputs in the form that the inputs' values have. */
function clockEntry({ goal, nodes }: Page): Entry | null {
  const [date] = reachable(nodes, 'Date');
  const day = /(\d\d)\/(\d\d)\/(\d{4})/.exec(goal);
  if (date !== undefined && day !== null) {
    return { field: date, text: `${day[3]}-${day[1]}-${day[2]}` };
  }
  const [time] = reachable(nodes, 'InputTime');
  const clock = /(\d{1,2}):(\d\d) (AM|PM)/.exec(goal);
  if (time === undefined || clock === null) return null;
  const hour = (Number(clock[1]) % 12) + (clock[3] === 'PM' ? 12 : 0);
  return { field: time, text: `${String(hour).padStart(2, '0')}:${clock[2]}` };
}

/** What the goal wants to be found or worked out on the page; null where it does not. */
function foundText({ goal, nodes }: Page): string | null {
  const texts = nodes.filter(({ role }) => role === 'StaticText').map(({ name }) => name);
  const filled = nodes.filter(({ role, value }) => role === 'textbox' && (value ?? '') !== '');
  const nth = ordinalIn(goal);
  if (/\bCopy the text\b/.test(goal)) return filled[(nth ?? 1) - 1]?.value ?? null;
  if (/\blast word\b/.test(goal)) return filled[0]?.value?.match(/(\w+)\W*$/)?.[1] ?? null;
  if (/\bword\b.* in the paragraph\b/.test(goal) && nth !== null) {
    return texts.join(' ').match(/\w+/g)?.[nth - 1] ?? null;
  }
  if (/\btext below\b/.test(goal)) return texts.filter((text) => text.length === 1).join('');
  const spun = /\bSelect (-?\d+) with the spinner\b/.exec(goal);
  if (spun !== null) return spun[1] ?? null;
  return /\b(?:solve|math)\b/i.test(goal) ? solved(texts.join(' ')) : null;
}

/** `3 x 4 =`, `x + 5 = 11`, `0 - x = 11`. */
function solved(text: string): string | null {
  const match = /(x|-?\d+) ([-+x]) (x|-?\d+) = ?(-?\d+)?/.exec(text);
  if (match === null) return null;
  const [, left, sign, right, result] = match;
  const [a, b, c] = [Number(left), Number(right), Number(result)];
  if (left !== 'x' && right !== 'x') {
    return String(sign === '+' ? a + b : sign === '-' ? a - b : a * b);
  }
  if (left === 'x') return String(sign === '+' ? c - b : c + b);
  return String(sign === '+' ? c - a : a - c);
}

/** `the value of X`, or every field by its label, out of a table on the page. */
function tableEntries({ goal, nodes }: Page, fields: readonly Node[]): Entry[] {
  const cells = nodes.filter(({ role }) => role === 'gridcell' || role === 'rowheader');
  const beside = (key: string): string | undefined =>
    cells[cells.findIndex(({ name }) => name === key) + 1]?.name;
  const asked = /\bvalue of (.+?) into\b/.exec(goal)?.[1];
  return fields.flatMap((field) => {
    const key = asked ?? labelOf(field, nodes).replace(/:$/, '');
    const text = cells.some(({ name }) => name === key) ? beside(key) : undefined;
    return text === undefined ? [] : [{ field, text }];
  });
}

const NOT_A_LABEL = /^(?:press|click|hit|button|labeled|link|with|on|the|and|select|choose)$/i;

/** `Enter "A" into the text field`, `the username "A" and the password "B"`, `the number "5" into the 2nd textbox`. */
function namedEntries({ goal, nodes }: Page, fields: readonly Node[]): Entry[] {
  if (!/\b(?:enter|type)\b/i.test(goal) || /\bstarts with\b/.test(goal)) return [];
  return [...goal.matchAll(/(\w+) "([^"]+)"(?=([^"]*))/g)].flatMap(
    ([, word = '', text = '', rest = '']) => {
      if (NOT_A_LABEL.test(word)) return [];
      const cased = inCase(text, rest);
      if (/\b(?:both|all) text/.test(rest)) return fields.map((field) => ({ field, text: cased }));
      const nth = / into the (\d\w+)/.test(rest) ? ordinalIn(rest) : null;
      const labelled = fields.find((field) =>
        labelOf(field, nodes).toLowerCase().includes(word.toLowerCase()),
      );
      const field = nth === null ? (labelled ?? fields[0]) : fields[nth - 1];
      return field === undefined ? [] : [{ field, text: cased }];
    },
  );
}

function inCase(text: string, rest: string): string {
  if (/\bupper case\b/.test(rest)) return text.toUpperCase();
  return /\blower case\b/.test(rest) ? text.toLowerCase() : text;
}

/** A field's own name, or the text that stands before it. */
function labelOf(field: Node, nodes: readonly Node[]): string {
  if (field.name !== '') return field.name;
  const before = nodes
    .slice(0, nodes.indexOf(field))
    .findLast(({ role, name }) => (role === 'StaticText' || role === 'rowheader') && name !== '');
  return before?.name ?? '';
}

/** `Enter an item that starts with "Gre" and ends with "land"`: types the start, then takes what is suggested. */
const suggestionMove: Rule = ({ page: { goal, nodes }, past }) => {
  const [, start, end = ''] =
    /\bstarts with "([^"]+)"(?: and ends with "([^"]+)")?/.exec(goal) ?? [];
  const [field] = reachable(nodes, 'textbox');
  if (start === undefined || field === undefined) return null;
  const typed = `fill(${literal(field.bid ?? '')}, ${literal(start)}, True)`;
  if (!past.includes(typed)) return typed;
  const fits = nodes.find(
    ({ name, role }) => role !== 'textbox' && name.startsWith(start) && name.endsWith(end),
  );
  if (fits === undefined || field.value === fits.name) return null;
  return fill(field, fits.name);
};

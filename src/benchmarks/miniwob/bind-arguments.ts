import type { Action, ActionName, ActionValue } from './action.js';
import { hasInfinity, isTrue, javaScriptTypeOf, pythonTypeOf, reprOf } from './action-value.js';
import { callPython, type Parameter } from './python/signature.js';

export type Button = 'left' | 'right' | 'middle';
export type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift';

/**
 * A value that Playwright itself looks at. Its error (`Error: Mouse.down: button: …`) is the action's error at the
 * moment when the value is handed to the browser, which may be after a move of the mouse or the search for the element.
 */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** An action with its arguments; coordinates and scroll deltas are the model's, in pixels of the screenshot. */
export type BoundAction =
  | {
      readonly name: 'noop';
      /** Milliseconds as given: may be negative, huge or infinite. */
      readonly waitMs: Checked<number>;
    }
  | { readonly name: 'mouse_move'; readonly x: number; readonly y: number }
  | {
      readonly name: 'mouse_click' | 'mouse_dblclick' | 'mouse_down' | 'mouse_up';
      readonly x: number;
      readonly y: number;
      readonly button: Checked<Button>;
    }
  | { readonly name: 'scroll'; readonly deltaX: number; readonly deltaY: number }
  | {
      readonly name: 'click';
      readonly bid: string;
      /** The button is looked at first. */
      readonly button: Checked<Button>;
      readonly modifiers: Checked<readonly Modifier[]>;
    }
  | { readonly name: 'keyboard_press'; readonly key: Checked<string> }
  | { readonly name: 'keyboard_type'; readonly text: Checked<string> }
  | {
      readonly name: 'fill';
      readonly bid: string;
      readonly value: Checked<string>;
      /** Type the last character, so that suggestions show. */
      readonly autocomplete: boolean;
    };

export type Binding =
  | { readonly ok: true; readonly values: BoundAction }
  /** `ErrorType: message` in Python's words; nothing has happened in the browser. */
  | { readonly ok: false; readonly error: string };

const LEFT: ActionValue = { type: 'string', value: 'left' };
const POINT: readonly Parameter[] = [{ name: 'x' }, { name: 'y' }];
const POINT_AND_BUTTON: readonly Parameter[] = [...POINT, { name: 'button', fallback: LEFT }];

/** BrowserGym's signatures, with the parameters that the tool's description does not tell. */
const PARAMETERS: Readonly<Record<ActionName, readonly Parameter[]>> = {
  noop: [{ name: 'wait_ms', fallback: { type: 'int', value: 1000 } }],
  mouse_move: POINT,
  mouse_click: POINT_AND_BUTTON,
  mouse_dblclick: POINT_AND_BUTTON,
  mouse_down: POINT_AND_BUTTON,
  mouse_up: POINT_AND_BUTTON,
  scroll: [{ name: 'delta_x' }, { name: 'delta_y' }],
  click: [
    { name: 'bid' },
    { name: 'button', fallback: LEFT },
    { name: 'modifiers', fallback: { type: 'list', items: [] } },
  ],
  keyboard_press: [{ name: 'key' }],
  keyboard_type: [{ name: 'text' }],
  fill: [
    { name: 'bid' },
    { name: 'value' },
    { name: 'enable_autocomplete_menu', fallback: { type: 'bool', value: false } },
  ],
};

/** Gives an action's arguments to the parameters of its Python function; never throws. */
export function bindArguments(action: Action & { readonly kind: 'call' }): Binding {
  const { name, positional, keywords } = action;
  const error = unprintable(action);
  if (error !== null) return { ok: false, error };
  const bound = callPython({ name, parameters: PARAMETERS[name] }, { positional, keywords });
  if (typeof bound === 'string') return { ok: false, error: bound };
  const [first, second, third] = bound as readonly [ActionValue, ActionValue, ActionValue];
  switch (name) {
    case 'noop':
      return done({ name, waitMs: numberFor('Page.wait_for_timeout: timeout', first) });
    case 'keyboard_press':
      return done({ name, key: stringFor('Keyboard.press: key', first) });
    case 'keyboard_type':
      return done({ name, text: stringFor('Keyboard.type: text', first) });
    case 'mouse_move':
      return withNumbers(first, second, (x, y) => ({ name, x, y }));
    case 'scroll':
      return withNumbers(first, second, (deltaX, deltaY) => ({ name, deltaX, deltaY }));
    case 'mouse_click':
    case 'mouse_dblclick':
    case 'mouse_down':
    case 'mouse_up': {
      const button = buttonFor(`Mouse.${name.slice('mouse_'.length)}`, third);
      return withNumbers(first, second, (x, y) => ({ name, x, y, button }));
    }
    case 'click': {
      const button = buttonFor('Locator.click', second);
      const modifiers = modifiersFor('Locator.click', third);
      return withBid(first, (bid) => ({ name, bid, button, modifiers }));
    }
    case 'fill': {
      const value = stringFor('Locator.fill: value', second);
      return withBid(first, (bid) => ({ name, bid, value, autocomplete: isTrue(third) }));
    }
  }
}

/** BrowserGym prints the call again and hands it to Python, which finds these faults before it calls anything. */
function unprintable({ positional, keywords }: Action & { readonly kind: 'call' }): string | null {
  const repeated = keywords.find(([key], place) => keywords.findIndex(([k]) => k === key) < place);
  if (repeated !== undefined) return `SyntaxError: keyword argument repeated: ${repeated[0]}`;
  const values = [...positional, ...keywords.map(([, value]) => value)];
  return values.some(hasInfinity) ? "NameError: name 'inf' is not defined" : null;
}

function done(values: BoundAction): Binding {
  return { ok: true, values };
}

function withBid(value: ActionValue, bound: (bid: string) => BoundAction): Binding {
  if (value.type === 'string') return done(bound(value.value));
  return { ok: false, error: `ValueError: expected a string, got ${reprOf(value)}` };
}

/** Both numbers are divided by the scale factor before anything else is done with them. */
function withNumbers(
  a: ActionValue,
  b: ActionValue,
  bound: (a: number, b: number) => BoundAction,
): Binding {
  const [x, y] = [divisible(a), divisible(b)];
  if (typeof x === 'string') return { ok: false, error: x };
  if (typeof y === 'string') return { ok: false, error: y };
  return done(bound(x, y));
}

/** A number, or what Python says of dividing something else by a float. */
function divisible(value: ActionValue): number | string {
  switch (value.type) {
    case 'bool':
      return Number(value.value);
    case 'int':
    case 'float':
      return Number.isFinite(value.value)
        ? value.value
        : 'OverflowError: int too large to convert to float';
    default:
      return `TypeError: unsupported operand type(s) for /: '${pythonTypeOf(value)}' and 'float'`;
  }
}

function numberFor(place: string, value: ActionValue): Checked<number> {
  if (value.type === 'int' || value.type === 'float') return { ok: true, value: value.value };
  return expected(place, 'number', value);
}

function stringFor(place: string, value: ActionValue): Checked<string> {
  if (value.type === 'string') return { ok: true, value: value.value };
  return expected(place, 'string', value);
}

function expected(place: string, type: string, value: ActionValue): Checked<never> {
  return { ok: false, error: `Error: ${place}: expected ${type}, got ${javaScriptTypeOf(value)}` };
}

const BUTTONS: readonly Button[] = ['left', 'right', 'middle'];
const MODIFIERS: readonly Modifier[] = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'];

/** Python's None is not handed to Playwright, so that its own default holds. */
function buttonFor(method: string, value: ActionValue): Checked<Button> {
  if (value.type === 'none') return { ok: true, value: 'left' };
  return oneOf(BUTTONS, `${method}: button`, value);
}

function modifiersFor(method: string, value: ActionValue): Checked<readonly Modifier[]> {
  if (value.type === 'none') return { ok: true, value: [] };
  if (value.type !== 'list' && value.type !== 'tuple') {
    return expected(`${method}: modifiers`, 'array', value);
  }
  const modifiers: Modifier[] = [];
  for (const [place, item] of value.items.entries()) {
    const modifier = oneOf(MODIFIERS, `${method}: modifiers[${place}]`, item);
    if (!modifier.ok) return modifier;
    modifiers.push(modifier.value);
  }
  return { ok: true, value: modifiers };
}

function oneOf<T extends string>(
  known: readonly T[],
  place: string,
  value: ActionValue,
): Checked<T> {
  const found = known.find((word) => value.type === 'string' && word === value.value);
  if (found !== undefined) return { ok: true, value: found };
  return { ok: false, error: `Error: ${place}: expected one of (${known.join('|')})` };
}

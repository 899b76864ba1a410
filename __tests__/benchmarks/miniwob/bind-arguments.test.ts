import { describe, expect, test } from '@jest/globals';
import { readActionText } from '../../../src/benchmarks/miniwob/action-text.js';
import { type Binding, bindArguments } from '../../../src/benchmarks/miniwob/bind-arguments.js';

function bind(text: string): Binding {
  const read = readActionText(text);
  if (read.kind !== 'action' || read.action.kind !== 'call') throw new Error(`no call: ${text}`);
  return bindArguments(read.action);
}

function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

function error(message: string): { ok: false; error: string } {
  return { ok: false, error: message };
}

describe('bindArguments', () => {
  test.each<[string, unknown]>([
    ['noop()', { name: 'noop', waitMs: ok(1000) }],
    ['noop(2.5)', { name: 'noop', waitMs: ok(2.5) }],
    ['noop(wait_ms=-1)', { name: 'noop', waitMs: ok(-1) }],
    ['mouse_move(10, 20)', { name: 'mouse_move', x: 10, y: 20 }],
    ['mouse_move(y=1.5, x=-2)', { name: 'mouse_move', x: -2, y: 1.5 }],
    ['mouse_move(True, False)', { name: 'mouse_move', x: 1, y: 0 }],
    ['mouse_click(1, 2)', { name: 'mouse_click', x: 1, y: 2, button: ok('left') }],
    ['mouse_dblclick(1, 2, "right")', { name: 'mouse_dblclick', x: 1, y: 2, button: ok('right') }],
    [
      'mouse_down(1, y=2, button="middle")',
      { name: 'mouse_down', x: 1, y: 2, button: ok('middle') },
    ],
    // None is not handed on, so Playwright's own default holds.
    ['mouse_up(1, 2, None)', { name: 'mouse_up', x: 1, y: 2, button: ok('left') }],
    ['scroll(0, -100)', { name: 'scroll', deltaX: 0, deltaY: -100 }],
    ['click("a13")', { name: 'click', bid: 'a13', button: ok('left'), modifiers: ok([]) }],
    [
      'click("13", "right", ["Shift", "Alt"])',
      { name: 'click', bid: '13', button: ok('right'), modifiers: ok(['Shift', 'Alt']) },
    ],
    [
      'click("13", modifiers=("ControlOrMeta",))',
      { name: 'click', bid: '13', button: ok('left'), modifiers: ok(['ControlOrMeta']) },
    ],
    [
      'click("13", None, None)',
      { name: 'click', bid: '13', button: ok('left'), modifiers: ok([]) },
    ],
    ['keyboard_press("Control+a")', { name: 'keyboard_press', key: ok('Control+a') }],
    ['keyboard_type("")', { name: 'keyboard_type', text: ok('') }],
    ['fill("7", "x")', { name: 'fill', bid: '7', value: ok('x'), autocomplete: false }],
    ['fill(value="x", bid="7")', { name: 'fill', bid: '7', value: ok('x'), autocomplete: false }],
    ['fill("7", "x", True)', { name: 'fill', bid: '7', value: ok('x'), autocomplete: true }],
    ['fill("7", "x", 0)', { name: 'fill', bid: '7', value: ok('x'), autocomplete: false }],
    ['fill("7", "x", [0])', { name: 'fill', bid: '7', value: ok('x'), autocomplete: true }],
    ['fill("7", "x", {})', { name: 'fill', bid: '7', value: ok('x'), autocomplete: false }],
    ['fill("7", "x", "")', { name: 'fill', bid: '7', value: ok('x'), autocomplete: false }],
    ['fill("7", "x", None)', { name: 'fill', bid: '7', value: ok('x'), autocomplete: false }],
  ])('%s', (text, values) => {
    expect(bind(text)).toEqual({ ok: true, values });
  });

  // Printed by CPython 3.11 for functions of these signatures.
  test.each([
    ['noop(1,2)', 'noop() takes from 0 to 1 positional arguments but 2 were given'],
    ['noop(x=1)', "noop() got an unexpected keyword argument 'x'"],
    ['noop(1, wait_ms=2)', "noop() got multiple values for argument 'wait_ms'"],
    ['mouse_move()', "mouse_move() missing 2 required positional arguments: 'x' and 'y'"],
    ['mouse_move(1)', "mouse_move() missing 1 required positional argument: 'y'"],
    ['mouse_move(y=1)', "mouse_move() missing 1 required positional argument: 'x'"],
    ['mouse_move(1,2,3)', 'mouse_move() takes 2 positional arguments but 3 were given'],
    ['mouse_move(1,2,3,4)', 'mouse_move() takes 2 positional arguments but 4 were given'],
    ['mouse_move(1,2,3,x=4)', "mouse_move() got multiple values for argument 'x'"],
    ['mouse_move(1,2,3,z=4)', "mouse_move() got an unexpected keyword argument 'z'"],
    ['mouse_click()', "mouse_click() missing 2 required positional arguments: 'x' and 'y'"],
    [
      'mouse_click(1,2,3,4)',
      'mouse_click() takes from 2 to 3 positional arguments but 4 were given',
    ],
    ['mouse_click(10, x=5)', "mouse_click() got multiple values for argument 'x'"],
    [
      'mouse_click(y=1, button="left")',
      "mouse_click() missing 1 required positional argument: 'x'",
    ],
    ['click("1","2",[],4)', 'click() takes from 1 to 3 positional arguments but 4 were given'],
    ['click("1", foo=1, bar=2)', "click() got an unexpected keyword argument 'foo'"],
    ['click("1", bid="a")', "click() got multiple values for argument 'bid'"],
    ['keyboard_press()', "keyboard_press() missing 1 required positional argument: 'key'"],
    ['keyboard_press("a","b")', 'keyboard_press() takes 1 positional argument but 2 were given'],
    ['keyboard_type(key="a")', "keyboard_type() got an unexpected keyword argument 'key'"],
    ['scroll(1)', "scroll() missing 1 required positional argument: 'delta_y'"],
    ['fill()', "fill() missing 2 required positional arguments: 'bid' and 'value'"],
    ['fill("1")', "fill() missing 1 required positional argument: 'value'"],
    ['fill("1","2",True,4)', 'fill() takes from 2 to 3 positional arguments but 4 were given'],
    ['fill("1","a",value="b")', "fill() got multiple values for argument 'value'"],
    // The first of two faulty arguments is the one that is divided first.
    ['mouse_move("1", None)', "unsupported operand type(s) for /: 'str' and 'float'"],
    ['mouse_click(1, None)', "unsupported operand type(s) for /: 'NoneType' and 'float'"],
    ['scroll([], 1)', "unsupported operand type(s) for /: 'list' and 'float'"],
    ['mouse_up((1, 2), 3)', "unsupported operand type(s) for /: 'tuple' and 'float'"],
    ['mouse_down({}, 3)', "unsupported operand type(s) for /: 'dict' and 'float'"],
    ['mouse_click("1", 2, "both")', "unsupported operand type(s) for /: 'str' and 'float'"],
  ])('%s: TypeError', (text, message) => {
    expect(bind(text)).toEqual(error(`TypeError: ${message}`));
  });

  test.each([
    ['fill(7, "x")', 'ValueError: expected a string, got 7'],
    ['click(("13"))', "ValueError: expected a string, got ('13',)"],
    ['fill(None, 5)', 'ValueError: expected a string, got None'],
    ['fill([1, 2.0, "a"], "x")', "ValueError: expected a string, got [1, 2.0, 'a']"],
    ['fill({"a": True, "b": ()}, "x")', "ValueError: expected a string, got {'a': True, 'b': ()}"],
    ['noop(1, 2, wait_ms=1, wait_ms=2)', 'SyntaxError: keyword argument repeated: wait_ms'],
    ['mouse_click(1e999, 2)', "NameError: name 'inf' is not defined"],
    ['noop([{"a": (-1e999,)}])', "NameError: name 'inf' is not defined"],
    [`mouse_move(${'9'.repeat(400)}, 2)`, 'OverflowError: int too large to convert to float'],
  ])('%s', (text, message) => {
    expect(bind(text)).toEqual(error(message));
  });

  // What Playwright says, and only when the value reaches it.
  test.each<[string, string, string]>([
    ['noop("a")', 'waitMs', 'Page.wait_for_timeout: timeout: expected number, got string'],
    ['noop(True)', 'waitMs', 'Page.wait_for_timeout: timeout: expected number, got boolean'],
    ['keyboard_press(5)', 'key', 'Keyboard.press: key: expected string, got number'],
    ['keyboard_type(None)', 'text', 'Keyboard.type: text: expected string, got undefined'],
    ['keyboard_type(["a"])', 'text', 'Keyboard.type: text: expected string, got object'],
    ['fill("7", 5)', 'value', 'Locator.fill: value: expected string, got number'],
    [
      'mouse_click(1, 2, "both")',
      'button',
      'Mouse.click: button: expected one of (left|right|middle)',
    ],
    [
      'mouse_dblclick(1, 2, 3)',
      'button',
      'Mouse.dblclick: button: expected one of (left|right|middle)',
    ],
    [
      'mouse_down(1, 2, "LEFT")',
      'button',
      'Mouse.down: button: expected one of (left|right|middle)',
    ],
    ['mouse_up(1, 2, [])', 'button', 'Mouse.up: button: expected one of (left|right|middle)'],
    ['click("1", "no")', 'button', 'Locator.click: button: expected one of (left|right|middle)'],
    [
      'click("1", "left", "Shift")',
      'modifiers',
      'Locator.click: modifiers: expected array, got string',
    ],
    [
      'click("1", modifiers=["Shift", "Ctrl"])',
      'modifiers',
      'Locator.click: modifiers[1]: expected one of (Alt|Control|ControlOrMeta|Meta|Shift)',
    ],
  ])('%s: %s', (text, parameter, message) => {
    expect(bind(text)).toMatchObject({
      ok: true,
      values: { [parameter]: error(`Error: ${message}`) },
    });
  });
});

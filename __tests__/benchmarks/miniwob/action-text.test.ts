import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import type { Action, ActionValue } from '../../../src/benchmarks/miniwob/action.js';
import { readAction, readActionText } from '../../../src/benchmarks/miniwob/action-text.js';

/** A value in the fixture: a float is `{float}`, an int `{int}`, a tuple `{tuple}`, a dict `{dict}`. */
type Written =
  | string
  | boolean
  | null
  | readonly Written[]
  | { readonly int: number }
  | { readonly float: string }
  | { readonly tuple: readonly Written[] }
  | { readonly dict: readonly (readonly [string, Written])[] };

type Call = readonly [string, readonly Written[], readonly (readonly [string, Written])[]];

const { actions } = JSON.parse(
  readFileSync(new URL('../../fixtures/miniwob-actions.json', import.meta.url), 'utf8'),
) as {
  actions: readonly { readonly text: string; readonly ok: boolean; readonly call?: Call | null }[];
};

function readValue(written: Written): ActionValue {
  if (written === null) return { type: 'none' };
  if (typeof written === 'string') return { type: 'string', value: written };
  if (typeof written === 'boolean') return { type: 'bool', value: written };
  if ('int' in written) return { type: 'int', value: written.int };
  if ('float' in written) {
    const value = written.float === 'inf' ? Number.POSITIVE_INFINITY : Number(written.float);
    return { type: 'float', value };
  }
  if ('tuple' in written) return { type: 'tuple', items: written.tuple.map(readValue) };
  if ('dict' in written) {
    return { type: 'dict', entries: written.dict.map(([key, value]) => [key, readValue(value)]) };
  }
  return { type: 'list', items: written.map(readValue) };
}

const EMPTY = { kind: 'error', message: 'ValueError: Received an empty action.' };

function actionOf(call: Call | null): unknown {
  if (call === null) return EMPTY;
  const [name, positional, keywords] = call;
  return {
    kind: 'call',
    name,
    positional: positional.map(readValue),
    keywords: keywords.map(([key, value]) => [key, readValue(value)]),
  };
}

const int = (value: number): ActionValue => ({ type: 'int', value });
const float = (value: number): ActionValue => ({ type: 'float', value });
const str = (value: string): ActionValue => ({ type: 'string', value });
const list = (...items: ActionValue[]): ActionValue => ({ type: 'list', items });

function call(
  name: string,
  positional: readonly ActionValue[],
  keywords: Readonly<Record<string, ActionValue>> = {},
): unknown {
  return { kind: 'call', name, positional, keywords: Object.entries(keywords) };
}

function read(text: string): Action | 'fatal' {
  const action = readActionText(text);
  return action.kind === 'fatal' ? 'fatal' : action.action;
}

describe('readActionText', () => {
  const CLICK = call('click', [str('13')]);

  test.each<[string, unknown]>([
    ['click("13")', CLICK],
    ["click('13')", CLICK],
    [' click ( "13" ) ', CLICK],
    ['click("13",)', CLICK],
    ['click("13") # c', CLICK],
    ['click("13");', CLICK],
    ['click("13", button="right")', call('click', [str('13')], { button: str('right') })],
    ['click("13","right",["Shift"])', call('click', [str('13'), str('right'), list(str('Shift'))])],
    [
      'click("13", modifiers=["Shift"])',
      call('click', [str('13')], { modifiers: list(str('Shift')) }),
    ],
    ['click(13)', 'fatal'],
    ['click(bid="13")', 'fatal'],
    ['click("1" if True else "2")', 'fatal'],
    ['click(*["13"])', 'fatal'],
    ['click("13")\nnoop()', 'fatal'],
    ['click("13"); noop()', 'fatal'],
    ['page.click("1")', 'fatal'],
    ['await click("1")', 'fatal'],
    ['click(str(1))', 'fatal'],
    ['foo("1")', 'fatal'],
    ['select_option("5","a")', 'fatal'],
    ['', 'fatal'],
    ['x', 'fatal'],
    ['```click("13")```', 'fatal'],
    ['mouse_click(1, 2)!', 'fatal'],
    ['mouse_click(x=10, y=20)', call('mouse_click', [], { x: int(10), y: int(20) })],
    ['mouse_click(10.5, y=20)', call('mouse_click', [float(10.5)], { y: int(20) })],
    ['mouse_click(-5, +3)', call('mouse_click', [int(-5), int(3)])],
    ['mouse_click(1e2, 2.)', call('mouse_click', [float(100), float(2)])],
    ['mouse_click(.5, 2)', call('mouse_click', [float(0.5), int(2)])],
    ['mouse_click(00, 2)', call('mouse_click', [int(0), int(2)])],
    ['mouse_click(10/2, 3)', EMPTY],
    ['mouse_click(0x10, 3)', EMPTY],
    ['mouse_click(1_000, 3)', EMPTY],
    ['mouse_click(1j, 2)', EMPTY],
    ['keyboard_type("a" "b")', EMPTY],
    ['keyboard_type("a"+"b")', EMPTY],
    ['keyboard_type(f"abc")', EMPTY],
    ['keyboard_type(b"a")', EMPTY],
    ['keyboard_type(u"a")', EMPTY],
    ['click("13", **{})', EMPTY],
    ['mouse_click(01, 2)', 'fatal'],
    ['keyboard_type("\n")', 'fatal'],
    ['keyboard_type("\\x4")', 'fatal'],
    ['keyboard_type("#x")', call('keyboard_type', [str('#x')])],
    ['keyboard_type("click(\'5\')")', call('keyboard_type', [str("click('5')")])],
    ['keyboard_type("""a\n"b" \'c\'""")', call('keyboard_type', [str('a\n"b" \'c\'')])],
    ['keyboard_type("😀")', call('keyboard_type', [str('😀')])],
    // BrowserGym would execute the noop() that it finds in the string.
    ['keyboard_type("a"+"noop()")', EMPTY],
    ['fill(bid="7", value="x")', call('fill', [], { bid: str('7'), value: str('x') })],
    ['fill("7","x",True)', call('fill', [str('7'), str('x'), { type: 'bool', value: true }])],
    ['click(("13"))', call('click', [{ type: 'tuple', items: [str('13')] }])],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('agrees with Python and pyparsing on every text of the fixture', () => {
    expect(actions.length).toBeGreaterThan(700);
    for (const { text, ok, call: wanted } of actions) {
      const expected = ok ? actionOf(wanted ?? null) : 'fatal';
      expect({ text, action: read(text) }).toEqual({ text, action: expected });
    }
  });

  test.each<[string, string]>([
    ['noop(', 'the action is not one Python expression: it ends too early'],
    ['noop("a', 'the action is not one Python expression: a string is not closed'],
    ['noop() noop()', 'the action is not one Python expression: unexpected "noop"'],
    ['noop(€)', 'the action is not one Python expression: € is no name'],
    ['noop(?)', 'the action is not one Python expression: unexpected character "?"'],
    ['noop', 'the action is not a function call'],
    [
      'drag("1", "2")',
      'the action calls none of noop, mouse_move, mouse_click, mouse_dblclick, mouse_down, mouse_up, scroll, click, ' +
        'keyboard_press, keyboard_type, fill',
    ],
    ['noop(int(5))', 'the action has more than one function call'],
    ['click(13)', 'the first argument of click must be a string, such as click("13")'],
  ])('says why %s is fatal', (text, reason) => {
    expect(readActionText(text)).toEqual({ kind: 'fatal', reason, text });
  });

  it('cannot look up characters by name, and says so', () => {
    expect(read('keyboard_type("\\N{BULLET}")')).toEqual({
      kind: 'error',
      message: 'ValueError: \\N{...} is not supported, write the character itself.',
    });
    expect(read('keyboard_type("\\N{}")')).toBe('fatal');
    expect(read('keyboard_type("\\N")')).toBe('fatal');
    expect(read('click("\\N{BULLET}", 1)')).toMatchObject({ kind: 'error' });
  });
});

const MEGABYTE = 1 << 20;
/** Enough where each piece is work of its own. */
const QUARTER = MEGABYTE / 4;
const fillUp = (text: string, size = MEGABYTE): string =>
  text.repeat(Math.floor(size / text.length));

describe('hostile actions', () => {
  test.each<[string, string, 'fatal' | 'error' | 'call']>([
    ['a megabyte of opening brackets', `noop(${fillUp('(')}`, 'fatal'],
    ['a megabyte of closing brackets', `noop(${fillUp(')')}`, 'fatal'],
    ['many lists', `noop(${fillUp('[],', QUARTER)})`, 'call'],
    ['201 brackets inside each other', `noop(${'['.repeat(200)}${']'.repeat(200)})`, 'fatal'],
    ['200 brackets inside each other', `noop(${'['.repeat(199)}${']'.repeat(199)})`, 'call'],
    ['powers of powers', `noop(${fillUp('2**')}1)`, 'fatal'],
    ['signs', `noop(${fillUp('-')}1)`, 'fatal'],
    ['negations', `noop(${fillUp('not ')}x)`, 'fatal'],
    ['conditions', `noop(${fillUp('a if b else ')}c)`, 'fatal'],
    ['lambdas', `noop(${fillUp('lambda:')}1)`, 'fatal'],
    ['attributes', `noop(x${fillUp('.a')})`, 'fatal'],
    ['a sum', `noop(${fillUp('1+')}1)`, 'fatal'],
    ['a conjunction', `noop(${fillUp('x and ', QUARTER)}x)`, 'error'],
    ['a megabyte of text', `keyboard_type("${fillUp('x')}")`, 'call'],
    ['many escapes', `keyboard_type("${fillUp('\\\\', QUARTER)}")`, 'call'],
    ['an open string', `keyboard_type("${fillUp('x')}`, 'fatal'],
    ['an open string of quotes', `keyboard_type("""${fillUp('"\n')}`, 'fatal'],
    ['a string that ends with a backslash', 'keyboard_type("x\\', 'fatal'],
    ['bytes with a short escape at the end', `noop(b"${fillUp('\\\\')}\\x")`, 'fatal'],
    ['f-string fields', `noop(f"${fillUp('{x}', QUARTER)}")`, 'error'],
    ['open f-string fields', `noop(f"${fillUp('{x:')}")`, 'fatal'],
    ['names in an f-string', `noop(f"${fillUp('\\N{')}")`, 'fatal'],
    ['a number without end', `noop(${fillUp('9')})`, 'fatal'],
    ['a fraction without end', `noop(0.${fillUp('9')})`, 'call'],
    ['spaces', `noop(${fillUp(' ')}1${fillUp(' ')})`, 'call'],
    ['comments', `noop(\n${fillUp('#x\n')})`, 'call'],
    ['joined lines', `${fillUp('\\\n')}noop()`, 'call'],
    ['semicolons', `noop()${fillUp(';')}`, 'fatal'],
    ['a null byte', 'noop("\0")', 'fatal'],
    ['half a character', 'keyboard_type("\ud800")', 'fatal'],
    ['half a character that is spelled', 'keyboard_type("\\ud800")', 'call'],
    ['a byte-order mark', '\ufeffnoop()', 'fatal'],
    ['an unknown name in another script', 'клик("13")', 'fatal'],
    // The same name to Python, and unknown to BrowserGym's grammar.
    ['full-width letters', '\uff43\uff4c\uff49\uff43\uff4b("13")', 'error'],
    ['a keyword in full-width letters', 'noop(\uff49\uff46)', 'error'],
    ['a line joined within the call', 'click\\\n("13")', 'error'],
    ['a form feed within the call', 'click(\f"13")', 'error'],
    ['old line ends', 'click(\r"13"\r)', 'call'],
    ['constructor', 'noop(constructor)', 'error'],
    ['__proto__ as a key', 'noop({"__proto__": 1})', 'call'],
  ])('%s', (_name, text, expected) => {
    const action = read(text);
    expect(action === 'fatal' ? 'fatal' : action.kind).toBe(expected);
  });

  it('never throws, and takes what Python would print', () => {
    const pieces = fc.constantFrom(
      ...'( ) [ ] { } , : = " \' """ \\ \n # 1 2. .5 e3 _ x if else for in lambda await * ** f" b" \\x \\N{ \0 é 中 \t ;'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        for (const text of [parts.join(''), `noop(${parts.join(' ')})`]) {
          expect(['fatal', 'action']).toContain(readAction(text).kind);
        }
      }),
      { seed: 6, numRuns: 1000 },
    );
  });
});

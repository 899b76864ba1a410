import { describe, expect, it, test } from '@jest/globals';
import { actionTextOf } from '../../../src/benchmarks/miniwob/action-arguments.js';
import { readAction } from '../../../src/benchmarks/miniwob/action-text.js';

describe('actionTextOf', () => {
  test.each<[string, string]>([
    ['{"action":"click(\\"13\\")"}', 'click("13")'],
    [' \n{"action": "noop()"}\t', 'noop()'],
    ['{"other": 1, "action": "noop()"}', 'noop()'],
    ['{"action": "a()", "action": "b()"}', 'b()'],
    ['{"action": "\\ud83d\\ude00\\n"}', '😀\n'],
    ['{"action": 5}', '5'],
    ['{"action": 5.0}', '5.0'],
    ['{"action": -0}', '0'],
    ['{"action": 1e400}', 'inf'],
    ['{"action": null}', 'None'],
    ['{"action": true}', 'True'],
    ['{"action": ["noop()"]}', "['noop()']"],
    ['{"action": {"name": "noop"}}', "{'name': 'noop'}"],
    ['{}', ''],
    ['{"Action": "noop()"}', ''],
    ['{"action": "noop()"', ''],
    ["{'action': 'noop()'}", ''],
    ['{"action": "noop()"} x', ''],
    ['{"action": "a\nb"}', ''],
  ])('JSON %j', (text, action) => {
    expect(actionTextOf(text)).toBe(action);
  });

  // As PyYAML 6.0 loads them and Python prints them.
  test.each<[string, string]>([
    ['click("13")', 'click("13")'],
    ['  noop()  ', 'noop()'],
    ['mouse_click(10, 20)', 'mouse_click(10, 20)'],
    ['noop() # now', 'noop()'],
    ['fill("7", "x #y")', 'fill("7", "x'],
    ['fill("7", "x#y")', 'fill("7", "x#y")'],
    ['keyboard_type("http://x.y")', 'keyboard_type("http://x.y")'],
    ['keyboard_type("Time: 5")', `{'keyboard_type("Time': '5")'}`],
    // No YAML, so the text itself.
    ['fill("7", "a: b: c")', 'fill("7", "a: b: c")'],
    ['fill("7", "a: ")', 'fill("7", "a: ")'],
    ['fill("7", "a: `b`")', 'fill("7", "a: `b`")'],
    ['noop()\n---\nnoop()', 'noop()\n---\nnoop()'],
    ['noop() # x\nnoop()', 'noop() # x\nnoop()'],
    ['fill("7",\n"a: b")', 'fill("7",\n"a: b")'],
    ['click("13")\t# c', 'click("13")\t# c'],
    ['`noop()`', '`noop()`'],
    ['@noop()', '@noop()'],
    // Folded.
    ['noop()\nnoop()', 'noop() noop()'],
    ['click(\n  "13"\n)', 'click( "13" )'],
    ['keyboard_type("""a\n\n  b""")', 'keyboard_type("""a\nb""")'],
    ['noop()\n# end', 'noop()'],
    ['noop()\n...', 'noop()'],
    ['a: b\n c', "{'a': 'b  c'}"],
    // In quotes.
    ['"click(\\"13\\")"', 'click("13")'],
    ["'click(''13'')'", "click('13')"],
    ["'it's'", "'it's'"],
    ['"noop()" x', '"noop()" x'],
    ['"', '"'],
    ["'", "'"],
  ])('YAML %j', (text, action) => {
    expect(actionTextOf(text)).toBe(action);
  });

  it.each([
    ['nothing', ''],
    ['a list', '["noop()"]'],
    ['an item', '- noop()'],
    ['null', 'null'],
    ['a number', '5'],
    ['a fence', '```python\nclick("13")\n```'],
    ['deep lists', '['.repeat(1 << 20)],
    ['deep items', '- '.repeat(1 << 19)],
    ['deep keys', 'a: '.repeat(1 << 18)],
    ['aliases', '&a *a '.repeat(1 << 18)],
    ['spaces', `x${' '.repeat(1 << 20)}y`],
    ['deep JSON', '{"a":'.repeat(1 << 17)],
    ['deep JSON that is closed', `${'{"action":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ])('%s is no action', (_name, text) => {
    expect(readAction(text).kind).toBe('fatal');
  });
});

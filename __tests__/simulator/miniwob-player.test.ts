import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/model/json.js';
import { readPage } from '../../src/simulator/miniwob/page.js';
import { nextMove } from '../../src/simulator/miniwob/player.js';

const look = (goal: string, lines: readonly string[]): string =>
  [
    `Goal: ${goal}`,
    'URL: file:///pages/x.html',
    'Step: 0',
    'Reward: 0.0',
    'Done: False',
    'Last action error: False',
    'Screenshot size: 498x321 pixels.',
    'Accessibility tree:',
    "RootWebArea 'X', focused",
    ...lines.map((line) => `\t${line}`),
  ].join('\n');

/** The conversation in which `past` was done and the page now shows `lines`. */
function conversation(
  goal: string,
  lines: readonly string[],
  past: readonly string[],
): JsonObject[] {
  const turns = past.flatMap((action, at): JsonObject[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `c${at}`,
          type: 'function',
          function: { name: 'browser_action', arguments: JSON.stringify({ action }) },
        },
      ],
    },
    { role: 'tool', tool_call_id: `c${at}`, content: look(goal, lines) },
    {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
    },
  ]);
  return [
    { role: 'system', content: 'Play.' },
    { role: 'user', content: [{ type: 'text', text: look(goal, lines) }] },
    ...turns,
  ];
}

const FIELDS = [
  "[15] LabelText ''",
  "\tStaticText 'Username'",
  "[16] textbox ''",
  "[18] LabelText ''",
  "\tStaticText 'Password'",
  "[19] textbox ''",
  "[20] button 'Login'",
];
const LOGIN =
  'Enter the username "ann" and the password "s3" into the text fields and press login.';
const filled = (user: string, password: string): string[] =>
  FIELDS.map((line) =>
    line === "[16] textbox ''"
      ? `${line} value='${user}'`
      : line === "[19] textbox ''"
        ? `${line} value='${password}'`
        : line,
  );
const BOXES = [
  "[18] checkbox 'oZ', checked='false'",
  "[21] checkbox 'uy', checked='false'",
  "[24] checkbox '9xb', checked='false'",
  "[33] button 'Submit'",
];
const LIST = [
  "[13] combobox '' value='Georgia', hasPopup='menu', expanded=False",
  "\t[14] option 'Georgia', selected=True",
  "\t[15] option 'Panama', selected=False",
  "[20] button 'Submit'",
];
const SCROLL = [
  "[13] listbox '', multiselectable=True, orientation='vertical'",
  "\t[14] option 'Niue', selected=False",
  "\t[18] option 'Panama', selected=False",
  "[25] button 'Submit'",
];

describe('the next move', () => {
  test.each<[string, string, readonly string[], readonly string[], string]>([
    ['the only button', 'Click the button.', ["[13] button 'Click Me!'"], [], 'click("13")'],
    [
      'a named one',
      'Click button ONE.',
      ["[13] button 'TWO'", "[14] button 'ONE'"],
      [],
      'click("14")',
    ],
    [
      'two in order: the second',
      'Click button ONE, then click button TWO.',
      ["[12] button 'TWO'", "[13] button 'ONE'"],
      ['click("13")'],
      'click("12")',
    ],
    [
      'one named in quotation marks, in any script',
      'Click on the "Łódź" button.',
      ["[12] button 'Brno'", "[13] button 'Łódź'"],
      [],
      'click("13")',
    ],
    [
      'the cross of a dialog',
      'Close the dialog box by clicking the "x".',
      ["[17] dialog '', modal=False", "\t[20] button 'Close', focused"],
      [],
      'click("20")',
    ],
    [
      'a tab',
      'Click on Tab #2.',
      ["[18] tab 'Tab #1', expanded=False", "[20] tab 'Tab #2', expanded=False"],
      [],
      'click("20")',
    ],
    [
      'a section, before what is in it',
      'Expand the section below and click submit.',
      ["[16] tab 'Section #1', expanded=False, selected=False"],
      [],
      'click("16")',
    ],
    [
      'and then that',
      'Expand the section below and click submit.',
      ["[16] tab 'Section #1', expanded=True, selected=True", "[20] button 'Submit'"],
      ['click("16")'],
      'click("20")',
    ],
    [
      'a kind of widget',
      'Click on a "radio" widget.',
      ["[13] button 'go'", "[15] radio '', checked='false'"],
      [],
      'click("15")',
    ],
    [
      'the third field',
      'Focus into the 3rd input textbox.',
      ["[12] textbox ''", "[13] textbox ''", "[14] textbox ''"],
      [],
      'click("14")',
    ],
    ['the first of two fields', LOGIN, FIELDS, [], 'fill("16", "ann")'],
    ['the second', LOGIN, filled('ann', ''), ['fill("16", "ann")'], 'fill("19", "s3")'],
    [
      'a password is shown as dots',
      LOGIN,
      filled('ann', '••'),
      ['fill("16", "ann")', 'fill("19", "s3")'],
      'click("20")',
    ],
    [
      'what came to nothing is tried again',
      LOGIN,
      filled('ann', ''),
      ['fill("16", "ann")', 'fill("19", "s3")'],
      'fill("19", "s3")',
    ],
    [
      'both fields',
      'Enter the password "tO" into both text fields and press submit.',
      ["[16] textbox ''", "[19] textbox ''", "[20] button 'Submit'"],
      [],
      'fill("16", "tO")',
    ],
    [
      'another case',
      'Type "Ann" in all upper case letters in the text input and press Submit.',
      ["[16] textbox ''", "[20] button 'Submit'"],
      [],
      'fill("16", "ANN")',
    ],
    [
      'a date',
      'Enter 03/07/2012 as the date and hit submit.',
      ["[14] Date ''", "\t[14] spinbutton 'Month'", "[15] button 'Submit'"],
      [],
      'fill("14", "2012-03-07")',
    ],
    [
      'a time',
      'Enter 12:36 AM as the time and press submit.',
      ["[14] InputTime ''", "[15] button 'Submit'"],
      [],
      'fill("14", "00:36")',
    ],
    [
      'out of a table',
      'Enter the value of Year into the text field and press Submit.',
      ["[16] gridcell 'Year'", "[17] gridcell '1949'", "[33] textbox ''", "[37] button 'Submit'"],
      [],
      'fill("33", "1949")',
    ],
    [
      'the second word',
      'Find the 2nd word in the paragraph, type that into the textbox and press "Submit".',
      ["StaticText 'At mollis. Ac'", "[14] textbox ''", "[15] button 'Submit'"],
      [],
      'fill("14", "mollis")',
    ],
    [
      'a copy',
      'Copy the text in the textarea below, paste it into the textbox and press Submit.',
      ["[14] textbox '' value='Uno\\ndos '", "[15] textbox ''", "[16] button 'Submit'"],
      [],
      'fill("15", "Uno\\ndos ")',
    ],
    [
      'a product',
      'Solve the math problem and type your answer into the textbox. Press submit when done.',
      ["StaticText '7 x 6 ='", "[16] textbox ''", "[17] button 'Submit'"],
      [],
      'fill("16", "42")',
    ],
    [
      'an equation',
      'Solve for x and type your answer into the textbox. Press Submit when done.',
      ["StaticText '0 - x = 11'", "StaticText 'x ='", "[16] textbox ''", "[17] button 'Submit'"],
      [],
      'fill("16", "-11")',
    ],
    ['a box', 'Select oZ, 9xb and click Submit.', BOXES, [], 'click("18")'],
    [
      'and no other',
      'Select oZ, 9xb and click Submit.',
      BOXES.map((line) => (line.includes('uy') ? line : line.replace('false', 'true'))),
      ['click("18")', 'click("24")'],
      'click("33")',
    ],
    ['a list is opened', 'Select Panama from the list and click Submit.', LIST, [], 'click("13")'],
    [
      'and typed into',
      'Select Panama from the list and click Submit.',
      LIST,
      ['click("13")'],
      'keyboard_type("Panama")',
    ],
    [
      'and closed',
      'Select Panama from the list and click Submit.',
      LIST,
      ['click("13")', 'keyboard_type("Panama")'],
      'keyboard_press("Enter")',
    ],
    [
      'an option in sight',
      'Select Panama from the scroll list and click Submit.',
      SCROLL,
      [],
      'click("18")',
    ],
    [
      'another one beside it',
      'Select Niue, Panama from the scroll list and click Submit.',
      SCROLL.map((line) => (line.includes('Niue') ? line.replace('False', 'True') : line)),
      ['click("14")'],
      'click("18", modifiers=["Control"])',
    ],
    [
      'places, one after the other',
      'Click the dot at (33, 96), then drag the square at (57, 219) to the cross at (153, 108).',
      [],
      ['mouse_click(33, 96)', 'mouse_down(57, 219)'],
      'mouse_move(153, 108)',
    ],
    [
      'once more when all is done and nothing happens',
      'Press the "Hello" button, then the "Done" button.',
      ["[13] button 'Hello'", "[14] button 'Done'"],
      ['click("13")', 'click("14")'],
      'click("14")',
    ],
    ['nothing it can reach', 'Click on the red box.', ["image ''"], [], 'noop()'],
  ])('%s', (_, goal, lines, past, move) => {
    expect(nextMove(conversation(goal, lines, past))).toBe(move);
  });

  test('without a page there is none', () => {
    expect(nextMove([{ role: 'user', content: 'Good morning' }])).toBeNull();
  });
});

describe('reading the tree', () => {
  test.each<[string, object]>([
    ['[5] button "It\'s"', { bid: '5', role: 'button', name: "It's" }],
    [`[7] button 'it\\'s "x"'`, { name: 'it\'s "x"' }],
    ["[8] button 'a\\xa0b\\u200bc\\U0001f600'", { name: 'a\u00a0b\u200bc😀' }],
    ["[9] button 'back\\\\slash'", { name: 'back\\slash' }],
    [
      "[7] textbox '' value='l1\\nl2', focused",
      { value: 'l1\nl2', attributes: 'focused', name: '' },
    ],
    ["[6] slider 'Vol' value=3, orientation='horizontal'", { name: 'Vol', value: '3' }],
    ['[12] generic, focused', { role: 'generic', name: '', attributes: 'focused' }],
    ["StaticText 'x'", { bid: null, role: 'StaticText', name: 'x' }],
    ["[aa3] button 'deep'", { bid: 'aa3', name: 'deep' }],
  ])('%s', (line, node) => {
    expect(readPage(look('G', [line]))?.nodes[1]).toMatchObject(node);
  });

  test('a goal may have several lines', () => {
    expect(readPage(look('One\ntwo', []))?.goal).toBe('One\ntwo');
  });
});

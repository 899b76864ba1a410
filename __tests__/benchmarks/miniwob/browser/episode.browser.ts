import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import type { Action } from '../../../../src/benchmarks/miniwob/action.js';
import { openPool, type Pool } from '../../../../src/benchmarks/miniwob/browser/pool.js';
import type {
  Environment,
  EpisodeRequest,
  View,
} from '../../../../src/benchmarks/miniwob/environment.js';
import {
  bidOf,
  call,
  pagesFolder,
  pngSize,
  requestFor,
  testBrowser,
} from '../../../support/miniwob-browser.js';

/** Writes down what happens to the page, for the tests to read in the tree. */
const LOG = `<p id="log"></p><script>
window.say = (text) => { document.getElementById('log').textContent += text + ' '; };
</script>`;

const PAGES = {
  buttons: `<button onclick="core.endEpisode(1)">Right</button><button onclick="core.endEpisode(-1)">Wrong</button>
    <button onclick="core.endEpisode(0.1)">Partly</button>`,
  random: `<b></b><script>genProblem = () => {
    setGoal('Say ' + Math.random() + '.');
    document.querySelector('b').textContent = String(core.EPISODE_MAX_TIME);
  };</script>`,
  spoken: `<script>core.getUtterance = () => ({ utterance: 'Spoken goal.', fields: {} });</script>`,
  late: `<b></b><script>window.WOB_TASK_READY = false; genProblem = () => {
    setGoal('Wait.');
    setTimeout(() => { document.querySelector('b').textContent = 'arrived'; window.WOB_TASK_READY = true; }, 300);
  };</script>`,
  events: `${LOG}<script>for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu'])
    addEventListener(type, (e) => { e.preventDefault(); say(type + e.button + '@' + e.clientX + ',' + e.clientY); }, true);
    addEventListener('wheel', (e) => say('wheel' + e.deltaX + ',' + e.deltaY));</script>`,
  drag: `<svg width="150" height="100"><circle cx="30" cy="30" r="10"/></svg><script>
    let held = false;
    document.querySelector('circle').onmousedown = () => { held = true; };
    onmousemove = ({ clientX, clientY }) => {
      if (held) document.querySelector('circle').setAttribute('transform', 'translate(' + [clientX - 30, clientY - 80] + ')');
    };
    onmouseup = ({ clientX, clientY }) => { if (held) core.endEpisode(clientX === 110 && clientY === 100 ? 1 : -1); };
    </script>`,
  dialogs: `${LOG}<button onclick="alert('a'); say('alerted'); say(confirm('c')); say(prompt('p'))">Ask</button>`,
  covered: `${LOG}<button onclick="say('button')">Under</button>
    <div onclick="say('cover')" style="position:absolute;inset:0">cover</div>`,
  parts: `<x-box></x-box><iframe srcdoc="<button onclick='parent.say(&quot;framed&quot;)'>In frame</button>"></iframe>${LOG}
    <script>const root = document.querySelector('x-box').attachShadow({ mode: 'open' });
    root.innerHTML = '<button>In shadow</button>';
    root.querySelector('button').onclick = () => say('shadowed');</script>`,
  hash: `<a href="#" onclick="core.endEpisode(1)">Result</a>`,
  popup: `<button onclick="window.open('about:blank'); core.endEpisode(1)">Open</button>`,
  away: `<a href="http://127.0.0.1:9/">Away</a>`,
  form: `<input id="text"><input type="number"><input type="checkbox"><select><option>red<option>green<option>blue</select>
    <button disabled>Off</button><div contenteditable>old</div><textarea></textarea><input type="date"><input type="color">`,
  suggest: `<input>${LOG}<script>document.querySelector('input').onkeydown = (e) => say('key:' + e.key);</script>`,
  keys: `<input value="abc">${LOG}<script>onkeydown = (e) => say((e.ctrlKey ? 'Ctrl+' : '') + e.key);</script>`,
  hidden: `<button style="display:none">Ghost</button><button>Seen</button><select><option>red</select>`,
};

let pages: ReturnType<typeof pagesFolder>;
let pool: Pool;

beforeAll(async () => {
  pages = pagesFolder(PAGES);
  const executable = testBrowser();
  const deadlines = { launchMs: 120_000, resetMs: 120_000, stepMs: 120_000 };
  pool = await openPool({
    executable,
    assetsDir: pages.dir,
    workers: 1,
    env: process.env,
    deadlines,
  });
});
afterAll(async () => {
  await pool.close();
  pages.remove();
});

/** Plays a page; `act` gets the first view and a way to act. */
async function play(
  page: keyof typeof PAGES,
  act: (first: View, step: (action: Action) => Promise<View>) => Promise<void>,
  change: Partial<EpisodeRequest> = {},
): Promise<void> {
  const episode: Environment = await pool.episode(requestFor(page, change));
  try {
    await act(await episode.reset(), (action) => episode.step(action));
  } finally {
    await episode.close();
  }
}

/** What the page has written down. */
function logOf({ tree }: View): string {
  const line = tree.split('\n').findLast((each) => each.includes('StaticText'));
  return line?.replace(/^\s*StaticText ['"](.*)['"]$/, '$1') ?? '';
}

describe('reset', () => {
  it('shows the page without goal, score, countdown and cover', async () => {
    await play('buttons', async (first) => {
      expect(first).toMatchObject({
        goal: 'Do it.',
        step: 0,
        reward: 0,
        rawReward: 0,
        done: false,
        actionError: '',
        tree: "RootWebArea 'buttons', focused\n\t[10] button 'Right'\n\t[11] button 'Wrong'\n\t[12] button 'Partly'",
      });
      expect(first.url).toMatch(/^file:\/\/\/.*\/buttons\.html$/);
      expect(pngSize(first.screenshot)).toEqual({ width: 498, height: 321 });
    });
  });

  it('seeds the page and gives the episode 1000 s', async () => {
    const goals: string[] = [];
    for (const mathSeed of [5, 5, 6]) {
      const look = async (first: View): Promise<void> => {
        goals.push(first.goal);
        expect(first.tree).toContain("StaticText '1000000'");
      };
      await play('random', look, { mathSeed });
    }
    expect(goals[0]).toMatch(/^Say 0\.\d+\.$/);
    expect(goals[1]).toBe(goals[0]);
    expect(goals[2]).not.toBe(goals[0]);
  });

  it('takes the sentence out of a goal that is an object', async () => {
    await play('spoken', async (first) => expect(first.goal).toBe('Spoken goal.'));
  });

  it('waits until the page is ready', async () => {
    await play('late', async (first) => {
      expect(first.goal).toBe('Wait.');
      expect(first.tree).toContain("StaticText 'arrived'");
    });
  });

  it('says what is wrong when there is no such page', async () => {
    const episode = await pool.episode(requestFor('nowhere'));
    await expect(episode.reset()).rejects.toThrow(/ERR_.*nowhere\.html/);
    await episode.close();
  });
});

describe('reward and end', () => {
  test.each([
    ['Right', 0, 1, 1],
    ['Wrong', 0, -1, 0],
    ['Partly', 0, 0.1, 1],
    ['Partly', 0.5, 0.1, 0],
  ])('%s at the threshold %d: raw %d, reward %d', async (button, successThreshold, raw, reward) => {
    const act = async (first: View, step: (action: Action) => Promise<View>): Promise<void> => {
      const view = await step(call('click', bidOf(first.tree, button)));
      expect(view).toMatchObject({ step: 1, rawReward: raw, reward, done: true, actionError: '' });
    };
    await play('buttons', act, { successThreshold });
  });

  it('is over after the last step', async () => {
    const act = async (_: View, step: (action: Action) => Promise<View>): Promise<void> => {
      expect((await step(call('noop', 1))).done).toBe(false);
      expect(await step(call('noop', 1))).toMatchObject({ step: 2, done: true, reward: 0 });
    };
    await play('buttons', act, { maxSteps: 2 });
  });

  test.each([
    ['strict', 0],
    ['ignore-hash', 1],
  ] as const)('a link to # with url_check %s gives %d', async (urlCheck, reward) => {
    const act = async (first: View, step: (action: Action) => Promise<View>): Promise<void> => {
      const view = await step(call('click', bidOf(first.tree, 'link')));
      expect(view).toMatchObject({ reward, done: true });
      expect(view.url).toBe(`${first.url}#`);
    };
    await play('hash', act, { urlCheck });
  });

  test.each(['popup', 'away'] as const)('%s: another page than the task’s', async (page) => {
    await play(page, async (first, step) => {
      const view = await step(call('click', '10'));
      expect(view).toMatchObject({ reward: 0, rawReward: 0, done: true });
      expect(first.done).toBe(false);
    });
  });
});

describe('the mouse', () => {
  test.each([
    ['a click', [call('mouse_click', 30, 150)], 'mousedown0@20,100 mouseup0@20,100 click0@20,100'],
    [
      'a right click',
      [call('mouse_click', 30, 150, 'right')],
      'mousedown2@20,100 contextmenu2@20,100 mouseup2@20,100',
    ],
    [
      'a double click',
      [call('mouse_dblclick', 300, 150)],
      'mousedown0@200,100 mouseup0@200,100 click0@200,100 mousedown0@200,100 mouseup0@200,100 click0@200,100 dblclick0@200,100',
    ],
    [
      'down, move, up',
      [call('mouse_down', 15, 150), call('mouse_move', 30, 165), call('mouse_up', 45, 180)],
      'mousedown0@10,100 mouseup0@30,120 click0@30,120',
    ],
    ['scrolling', [call('mouse_move', 30, 150), call('scroll', 15, 30)], 'wheel10,20'],
  ] as const)('%s', async (_, actions, log) => {
    await play('events', async (first, step) => {
      let view = first;
      for (const action of actions) {
        view = await step(action);
        expect(view.actionError).toBe('');
      }
      expect(logOf(view)).toBe(log);
    });
  });

  it('drags over several steps', async () => {
    await play('drag', async (_, step) => {
      await step(call('mouse_down', 45, 120));
      await step(call('mouse_move', 100, 140));
      expect(await step(call('mouse_up', 165, 150))).toMatchObject({ reward: 1, done: true });
    });
  });
});

describe('click', () => {
  it('closes dialogs', async () => {
    await play('dialogs', async (first, step) => {
      const view = await step(call('click', bidOf(first.tree, 'Ask')));
      expect(view.actionError).toBe('');
      expect(logOf(view)).toBe('alerted false null');
    });
  });

  it('hits what covers the element when nothing else helps', async () => {
    await play('covered', async (first, step) => {
      const view = await step(call('click', bidOf(first.tree, 'Under')));
      expect(view.actionError).toBe('');
      expect(logOf(view)).toBe('cover');
    });
  });

  it('finds elements in shadows and frames', async () => {
    await play('parts', async (first, step) => {
      await step(call('click', bidOf(first.tree, 'In shadow')));
      expect(bidOf(first.tree, 'In frame')).toBe('a3');
      const view = await step(call('click', 'a3'));
      expect(logOf(view)).toBe('shadowed framed');
    });
  });

  test.each([
    [call('click', '99'), 'ValueError: Could not find element with bid "99"'],
    [call('click', 'b7'), 'ValueError: Could not find element with bid "b7"'],
    [call('click', 'Ä'), 'ValueError: Could not find element with bid "Ä"'],
    [call('click', ''), 'ValueError: Could not find element with bid ""'],
    [
      call('click', '11', 'up'),
      'Error: Locator.click: button: expected one of (left|right|middle)',
    ],
    [
      call('click', '11', 'left', 'Shift'),
      'Error: Locator.click: modifiers: expected array, got string',
    ],
    [call('click', '10'), 'Error: Locator.click: Element is not visible'],
    [call('click', '13'), 'Error: Locator.click: Element is not visible'],
    [
      call('mouse_click', 'x', 1),
      "TypeError: unsupported operand type(s) for /: 'str' and 'float'",
    ],
    [call('keyboard_press', 'Ctrl'), 'Error: Keyboard.press: Unknown key: "Ctrl"'],
  ])('%j says %s', async (action, error) => {
    await play('hidden', async (_, step) => {
      const { actionError, step: steps, done } = await step(action);
      expect(actionError.split('\n')[0]).toBe(error);
      expect({ steps, done }).toEqual({ steps: 1, done: false });
    });
  });
});

describe('the keyboard', () => {
  it('types, presses and holds', async () => {
    await play('keys', async (first, step) => {
      await step(call('click', bidOf(first.tree, 'textbox')));
      await step(call('keyboard_press', 'Control+a'));
      const typed = await step(call('keyboard_type', 'x😀\n'));
      expect(typed.tree).toContain("textbox '' value='x😀', focused");
      expect(logOf(typed)).toBe('Ctrl+Control Ctrl+a x Enter');
    });
  });

  it('copies and pastes', async () => {
    await play('keys', async (first, step) => {
      await step(call('click', bidOf(first.tree, 'textbox')));
      for (const key of ['Control+a', 'Control+c', 'End', 'Control+v', 'Control+v']) {
        expect((await step(call('keyboard_press', key))).actionError).toBe('');
      }
      const { tree } = await step(call('keyboard_press', 'End'));
      expect(tree).toContain("value='abcabcabc'");
    });
  });

  it('chooses from a list', async () => {
    await play('form', async (first, step) => {
      await step(call('click', bidOf(first.tree, 'combobox')));
      await step(call('keyboard_press', 'ArrowDown'));
      const { tree } = await step(call('keyboard_press', 'Enter'));
      expect(tree).toContain("combobox '' value='green'");
    });
  });
});

describe('fill', () => {
  test.each([
    ['a text field', '10', 'one\ttwo', "[10] textbox '' value='one\\ttwo'"],
    ['a number', '11', '12', "[11] spinbutton '' value=12"],
    ['an editable element', '18', 'new', "StaticText 'new'"],
    ['a text area', '19', 'l1\nl2', "[19] textbox '' value='l1\\nl2'"],
    ['a date', '20', '2026-12-31', "[20] Date '' value='2026-12-31'"],
  ])('%s', async (_, bid, value, shown) => {
    await play('form', async (__, step) => {
      const view = await step(call('fill', bid, value));
      expect(view.actionError).toBe('');
      expect(view.tree).toContain(shown);
    });
  });

  test.each([
    ['11', 'twelve', 'Error: Locator.fill: Error: Cannot type text into input[type=number]'],
    ['12', 'yes', 'Error: Locator.fill: Error: Input of type "checkbox" cannot be filled'],
    ['20', 'never', 'Error: Locator.fill: Error: Malformed value'],
    [
      '13',
      'green',
      'Error: Locator.fill: Error: Element is not an <input>, <textarea> or [contenteditable] element',
    ],
  ])('%s with %s says why not', async (bid, value, error) => {
    await play('form', async (_, step) => {
      const { actionError } = await step(call('fill', bid, value));
      expect(actionError.split('\n')[0]).toBe(error);
    });
  });

  it('types the last character when suggestions are wanted', async () => {
    await play('suggest', async (_, step) => {
      const view = await step(call('fill', '10', 'Berlin', true));
      expect(view.actionError).toBe('');
      expect(view.tree).toContain("textbox '' value='Berlin', focused");
      expect(logOf(view)).toBe('key:Delete key:n');
    });
  });

  test.each([
    ['10', 7, 'Error: Locator.fill: value: expected string, got number'],
    ['10', true, 'Error: Locator.fill: value: expected string, got boolean'],
  ])('%s with %j', async (bid, value, error) => {
    await play('form', async (_, step) => {
      expect((await step(call('fill', bid, value))).actionError).toBe(error);
    });
  });
});

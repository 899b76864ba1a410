import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import {
  type LaunchedBrowser,
  launchBrowser,
} from '../../../../src/benchmarks/miniwob/browser/launch-browser.js';
import { mark } from '../../../../src/benchmarks/miniwob/browser/marking.js';
import { observe } from '../../../../src/benchmarks/miniwob/browser/observe.js';
import { type OpenPage, openPage } from '../../../../src/benchmarks/miniwob/browser/open-page.js';
import { pngSize, testBrowser } from '../../../support/miniwob-browser.js';

let launched: LaunchedBrowser;
let open: OpenPage;

beforeAll(async () => {
  launched = await launchBrowser(testBrowser(), process.env, 120_000);
  open = await openPage(launched.browser, async () => true);
});
afterAll(() => launched.close(20_000));

/** What BrowserGym's own marking and flattening print on Chromium 126; bids count from html 0, head 1, title 2, body 3. */
const EXAMPLES: readonly [title: string, body: string, lines: string][] = [
  ['Demo One', '<div><button>Go</button></div>', `→[5] button 'Go'`],
  [
    'Form',
    `<label for=u>User</label><input id=u value=ann required autofocus><input type=password placeholder=secret disabled><textarea>l1\nl2</textarea><button disabled>Send</button>`,
    `→[4] LabelText ''
→→StaticText 'User'
→[5] textbox 'User' value='ann', focused, required
→→StaticText 'ann'
→[6] textbox 'secret', disabled=True
→[7] textbox '' value='l1\\nl2'
→→StaticText 'l1\\nl2'
→[8] button 'Send', disabled=True`,
  ],
  [
    'Choices',
    '<select><option>red<option selected>blue</select><label><input type=checkbox checked> Tea</label><input type=radio> Milk',
    `→[4] combobox '' value='blue', hasPopup='menu', expanded=False
→→[5] option 'red', selected=False
→→[6] option 'blue', selected=True
→[7] LabelText ''
→→[8] checkbox 'Tea', checked='true'
→→StaticText 'Tea'
→[9] radio '', checked='false'
→StaticText 'Milk'`,
  ],
  [
    'Text',
    '<div>plain <b>bold</b> tail</div><p>Para <span>inner</span></p><h2>Head</h2><a href="#x">a link</a><br><ul><li>one<li>two</ul><ol><li>first</ol><svg><rect/><text>T</text></svg><img alt=pic><div style="display:none">unseen</div>',
    `→StaticText 'plain'
→StaticText 'bold'
→StaticText 'tail'
→[6] paragraph ''
→→StaticText 'Para'
→→StaticText 'inner'
→[8] heading 'Head'
→[9] link 'a link'
→[11] list ''
→→[12] listitem ''
→→→ListMarker '•'
→→→StaticText 'one'
→→[13] listitem ''
→→→ListMarker '•'
→→→StaticText 'two'
→[14] list ''
→→[15] listitem ''
→→→ListMarker '0.'
→→→StaticText 'first'
→[16] SvgRoot ''
→→StaticText 'T'
→[17] image 'pic'`,
  ],
  [
    'Quotes',
    `<button>It's</button><button>say "hi"</button><button>it's "x"</button><button>a&nbsp;b&#x200b;c&#xe001;d</button><button>back\\slash</button><input value="tab&#9;here"><button>é中😀</button>`,
    `→[4] button "It's"
→[5] button 'say "hi"'
→[6] button 'it\\'s "x"'
→[7] button 'a\\xa0b\\u200bc\\ue001d'
→[8] button 'back\\\\slash'
→[9] textbox '' value='tab\\there'
→→StaticText 'tab\\there'
→[10] button 'é中😀'`,
  ],
  [
    'Frames',
    `<p>top</p><iframe srcdoc="<button>In A</button><iframe srcdoc='<button>deep</button>'></iframe>"></iframe><iframe srcdoc="<button>In B</button>"></iframe>`,
    `→[4] paragraph ''
→→StaticText 'top'
→[a] Iframe ''
→→RootWebArea ''
→→→[a3] button 'In A'
→→→[aa] Iframe ''
→→→→RootWebArea ''
→→→→→[aa3] button 'deep'
→[b] Iframe ''
→→RootWebArea ''
→→→[b3] button 'In B'`,
  ],
  [
    'Shadow',
    `<x-box></x-box><button>after</button><script>document.querySelector('x-box').attachShadow({mode:'open'}).innerHTML='<button>shadowed</button><x-tag>custom</x-tag>'</script>`,
    `→[4] button 'shadowed'
→StaticText 'custom'
→[5] button 'after'`,
  ],
  [
    'Aria',
    '<div role=button aria-label=Roled>x</div><div aria-label=Named>boxed</div><div role=slider aria-label=Vol aria-valuenow=3 aria-valuemin=0 aria-valuemax=10></div><input type=range min=0 max=5 value=2><details><summary>More</summary>rest</details><div role=alert aria-live=polite>msg</div><button aria-roledescription=fancy>RD</button><button aria-haspopup=menu aria-expanded=false aria-controls=m1>Menu</button><div id=m1>mm</div><div contenteditable>edit me</div><table><tr><th scope=row>H<td>c1</table>',
    `→[4] button 'Roled'
→→StaticText 'x'
→StaticText 'boxed'
→[6] slider 'Vol' value=3, orientation='horizontal', valuemin=0, valuemax=10, valuetext=''
→[7] slider '' value=2, orientation='horizontal', valuemin=0, valuemax=5, valuetext=''
→[8] group ''
→→[9] DisclosureTriangle 'More', expanded=False
→[10] alert '', live='polite', atomic, relevant='additions text'
→→StaticText 'msg'
→[11] button 'RD', roledescription='fancy'
→[12] button 'Menu', hasPopup='menu', expanded=False, controls='m1'
→StaticText 'mm'
→StaticText 'edit me'
→[15] table ''
→→[16] rowgroup ''
→→→[17] row ''
→→→→[18] rowheader 'H'
→→→→[19] gridcell 'c1'`,
  ],
];

async function show(title: string, body: string): Promise<void> {
  await open.page.goto('about:blank');
  await open.page.setContent(`<!doctype html><title>${title}</title>${body}`);
}

describe('the text of a page', () => {
  test.each(EXAMPLES)('%s', async (title, body, lines) => {
    await show(title, body);
    const { tree } = await observe(open.session);
    expect(tree).toBe(`RootWebArea '${title}', focused\n${lines.replaceAll('→', '\t')}`);
  });
});

describe('marking', () => {
  it('keeps bids, gives new elements new numbers and tells clones from originals', async () => {
    await show('Bids', '<p>one</p><p>two</p>');
    await observe(open.session);
    await open.page.evaluate(() => {
      const [one, two] = document.querySelectorAll('p');
      two?.after(two.cloneNode(true));
      one?.before(document.createElement('hr'));
    });
    await observe(open.session);
    const bids = await open.page.evaluate(() =>
      [...document.body.children].map((element) => element.getAttribute('bid')),
    );
    // hr is new (6), the copy of [5] comes after it and gets 7.
    expect(bids).toEqual(['6', '4', '5', '7']);
  });

  it('starts from 0 on a new document', async () => {
    await show('First', '<p>one</p>');
    await observe(open.session);
    await show('Second', '<p>one</p>');
    await observe(open.session);
    expect(await open.page.locator('p').getAttribute('bid')).toBe('4');
  });

  it('names frames a to z, then aA and on', async () => {
    const frames = 'about:blank '.repeat(54).trim().split(' ');
    await show('Many', frames.map((src) => `<iframe src="${src}"></iframe>`).join(''));
    await (await mark(open.session, false)).remove();
    const bids = await open.page.evaluate(() =>
      [...document.querySelectorAll('iframe')].map((frame) => frame.getAttribute('bid')),
    );
    expect(bids.filter((_, at) => [0, 25, 26, 27, 51, 52, 53].includes(at))).toEqual([
      'a',
      'z',
      'aA',
      'aB',
      'aZ',
      'bA',
      'bB',
    ]);
  });

  it('writes values and check marks, and takes its marks off the ARIA attributes', async () => {
    await show('State', '<input aria-description="own words"><input type=checkbox checked>');
    await open.page.evaluate(() => {
      const [text, box] = document.querySelectorAll('input');
      if (text !== undefined) text.value = 'typed';
      if (box !== undefined) box.checked = false;
    });
    await observe(open.session);
    const html = await open.page.evaluate(() =>
      [...document.querySelectorAll('input')].map((input) =>
        Object.fromEntries([...input.attributes].map(({ name, value }) => [name, value])),
      ),
    );
    const marks = { browsergym_visibility_ratio: '0', browsergym_set_of_marks: '0' };
    expect(html).toEqual([
      { bid: '4', value: 'typed', 'aria-description': 'own words', ...marks },
      { bid: '5', type: 'checkbox', value: 'on', ...marks },
    ]);
  });

  it('leaves nothing in the variables of the page', async () => {
    const names = () => open.page.evaluate(() => Object.getOwnPropertyNames(window).toSorted());
    await show('Names', '<p>one</p>');
    const before = await names();
    await observe(open.session);
    expect(await names()).toEqual(before);
  });

  it('refuses a page that brings bids of its own', async () => {
    await show('Bids', '<p bid="7">mine</p>');
    await expect(observe(open.session)).rejects.toThrow('bid "7"');
  });

  it('leaves out a frame without scripts', async () => {
    await show('Sandbox', '<iframe sandbox srcdoc="<button>In</button>"></iframe>');
    const { tree } = await observe(open.session);
    expect(tree.split('\n').slice(0, 2)).toEqual([
      "RootWebArea 'Sandbox', focused",
      "\t[a] Iframe ''",
    ]);
    expect(tree).not.toContain('[a3]');
  });
});

describe('the picture of a page', () => {
  it('has 498x321 pixels, and the page does not notice', async () => {
    await show('Picture', '<p>one</p>');
    const measures = () => open.page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]);
    const before = await measures();
    const { screenshot } = await observe(open.session);
    expect(pngSize(screenshot)).toEqual({ width: 498, height: 321 });
    expect(before).toEqual([332, 214, 1]);
    expect(await measures()).toEqual(before);
  });
});

/** Playwright names its methods the way of each language. */
const METHODS: Readonly<Record<string, string>> = {
  'locator.click': 'Locator.click',
  'locator.fill': 'Locator.fill',
  'locator.pressSequentially': 'Locator.type',
  'mouse.move': 'Mouse.move',
  'mouse.click': 'Mouse.click',
  'mouse.down': 'Mouse.down',
  'mouse.up': 'Mouse.up',
  'mouse.wheel': 'Mouse.wheel',
  'keyboard.press': 'Keyboard.press',
  'keyboard.type': 'Keyboard.type',
};

/** Colours of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
const COLOURS = /\x1b\[[0-9;]*m/g;

/** A text of Playwright as it is without a terminal. */
export function withoutColours(text: string): string {
  return text.replace(COLOURS, '');
}

/** Whether Playwright gave up waiting. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** Whether a click that ran out of time was on its way to the page by then: Playwright sends all of it at once. */
export function clickWasSent(error: unknown): boolean {
  if (!(error instanceof Error) || !isTimeout(error)) return false;
  const lastTry = error.message.split(/(?:attempting|retrying) click action/).at(-1) ?? '';
  return (
    lastTry.includes('performing click action') && !lastTry.includes('intercepts pointer events')
  );
}

/**
 * An error of Playwright as its Python side words it, which is what models know:
 *
 *     TimeoutError: Locator.click: Timeout 500ms exceeded.
 *     Call log:
 *     waiting for get_by_test_id("5")
 *       -   locator resolved to <button bid="5">…</button>
 *
 * The first line of the log has no bullet there, and the log ends with a line break.
 */
export function pythonError(error: unknown): string {
  if (!(error instanceof Error)) return `Error: ${String(error)}`;
  const type = error.name === 'TimeoutError' ? 'TimeoutError' : 'Error';
  const text = withoutColours(error.message)
    .replace(/^[a-z]+\.[a-zA-Z]+(?=: )/, (method) => METHODS[method] ?? method)
    .replace(/getByTestId\('((?:[^'\\]|\\.)*)'\)/g, 'get_by_test_id("$1")');
  const [message = '', log] = text.split(/\nCall log:\n/);
  if (log === undefined) return `${type}: ${message.trimEnd()}`;
  const lines = log.trimEnd().split('\n').map(withoutBullet);
  return `${type}: ${message.trimEnd()}\nCall log:\n${lines.join('\n  - ')}\n`;
}

/** `  - waiting`, and two spaces more before the bullet for each level below. */
function withoutBullet(line: string): string {
  const [, indent = '', text = ''] = /^(\s*)(?:- )?(.*)$/.exec(line) ?? [];
  return indent.slice(2) + text;
}

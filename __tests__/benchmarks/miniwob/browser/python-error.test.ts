import { describe, expect, it, test } from '@jest/globals';
import {
  clickWasSent,
  isTimeout,
  pythonError,
} from '../../../../src/benchmarks/miniwob/browser/python-error.js';

function playwrightError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

describe('an error in the words of Python', () => {
  test.each([
    ['Error', 'keyboard.press: Unknown key: "Ctrl"', 'Error: Keyboard.press: Unknown key: "Ctrl"'],
    [
      'Error',
      "locator.click: Error: strict mode violation: getByTestId('7') resolved to 2 elements",
      'Error: Locator.click: Error: strict mode violation: get_by_test_id("7") resolved to 2 elements',
    ],
    ['Error', 'locator.pressSequentially: boom', 'Error: Locator.type: boom'],
    ['Error', 'page.goto: net::ERR_FAILED', 'Error: page.goto: net::ERR_FAILED'],
    [
      'TimeoutError',
      'locator.click: Timeout 500ms exceeded.\nCall log:\n\u001b[2m  - waiting for getByTestId(\'5\')\u001b[22m\n\u001b[2m    - locator resolved to <button bid="5">A</button>\u001b[22m\n\u001b[2m  - attempting click action\u001b[22m\n\u001b[2m    - waiting for element to be visible, enabled and stable\u001b[22m\n',
      'TimeoutError: Locator.click: Timeout 500ms exceeded.\nCall log:\nwaiting for get_by_test_id("5")\n  -   locator resolved to <button bid="5">A</button>\n  - attempting click action\n  -   waiting for element to be visible, enabled and stable\n',
    ],
    [
      'TimeoutError',
      'locator.fill: Timeout 500ms exceeded.\nCall log:\n  - fill("x")\n    2 × waiting for element to be visible, enabled and editable\n      - element is not enabled\n',
      'TimeoutError: Locator.fill: Timeout 500ms exceeded.\nCall log:\nfill("x")\n  -   2 × waiting for element to be visible, enabled and editable\n  -     element is not enabled\n',
    ],
  ])('%s %j', (name, message, expected) => {
    expect(pythonError(playwrightError(name, message))).toBe(expected);
  });

  it('takes whatever is thrown', () => {
    expect(pythonError('text')).toBe('Error: text');
  });
});

describe('a click that ran out of time', () => {
  const log = (...lines: string[]): Error =>
    playwrightError('TimeoutError', `locator.click: Timeout.\nCall log:\n${lines.join('\n')}`);

  test.each([
    [true, log('  - attempting click action', '    - performing click action')],
    [false, log('  - attempting click action', '    - element is not stable')],
    [
      false,
      log(
        '  - attempting click action',
        '    - performing click action',
        '    - <div> intercepts pointer events',
        '  - retrying click action',
        '    - waiting 20ms',
      ),
    ],
    [
      false,
      log(
        '  - attempting click action',
        '    - performing click action',
        '    - <div> intercepts pointer events',
      ),
    ],
    [
      true,
      log(
        '  - attempting click action',
        '    - <div> intercepts pointer events',
        '  - retrying click action',
        '    - performing click action',
      ),
    ],
    [false, playwrightError('Error', 'performing click action')],
    [false, 'performing click action'],
  ])('%j: %s', (sent, error) => {
    expect(clickWasSent(error)).toBe(sent);
  });

  it('is told by its name', () => {
    expect(isTimeout(playwrightError('TimeoutError', ''))).toBe(true);
    expect(isTimeout(playwrightError('Error', 'Timeout'))).toBe(false);
  });
});

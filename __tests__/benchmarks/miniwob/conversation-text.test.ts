import { describe, expect, it } from '@jest/globals';
import { observationText } from '../../../src/benchmarks/miniwob/conversation-text.js';
import type { View } from '../../../src/benchmarks/miniwob/environment.js';

const FIRST: View = {
  goal: 'Click the button.',
  url: 'file:///pages/miniwob/click-test.html',
  step: 0,
  reward: 0,
  rawReward: 0,
  done: false,
  actionError: '',
  tree: "RootWebArea 'Click Test Task', focused\n\t[13] button 'Click Me!'",
  screenshot: Buffer.alloc(0),
};

describe('observationText', () => {
  it('lays out the first observation', () => {
    expect(observationText(FIRST)).toBe(
      `Goal: Click the button.
URL: file:///pages/miniwob/click-test.html
Step: 0
Reward: 0.0
Done: False
Last action error: False
Screenshot size: 498x321 pixels.
Accessibility tree:
RootWebArea 'Click Test Task', focused
	[13] button 'Click Me!'`,
    );
  });

  it('says what went wrong, in as many lines as it takes', () => {
    const actionError =
      'TimeoutError: Locator.click: Timeout 500ms exceeded.\nCall log:\nwaiting\n';
    expect(observationText({ ...FIRST, step: 3, actionError, tree: '' })).toBe(
      `Goal: Click the button.
URL: file:///pages/miniwob/click-test.html
Step: 3
Reward: 0.0
Done: False
Last action error: True
Screenshot size: 498x321 pixels.
Environment message: TimeoutError: Locator.click: Timeout 500ms exceeded.
Call log:
waiting

Accessibility tree:
`,
    );
  });

  it('shows success, but not the raw reward', () => {
    const text = observationText({ ...FIRST, reward: 1, rawReward: 0.1, done: true });
    expect(text).toContain('\nReward: 1.0\nDone: True\n');
    expect(text).not.toContain('0.1');
  });
});

import type { Prompt } from './prompt.js';
import { textOf } from './prompt.js';
import { seededChoice } from './seeded.js';

type Texts = readonly [string, ...string[]];

const ANSWERS: { readonly en: Texts; readonly zh: Texts } = {
  en: [
    'This is a simulated answer. No tool is needed to reply to that, so here is a short text instead.',
    'A simulated reply: happy to talk this over. Tell me more, and we can take it from there.',
    'Simulated text: the conversation so far is enough to answer, and nothing has to be looked up.',
    'The simulator answers in words here. One more detail from you would help to go on.',
  ],
  zh: [
    '这是模拟回答：这个问题不需要调用工具，直接用文字回复即可。如果还有别的需要，请继续告诉我。',
    '模拟器的文字回复：根据目前的对话已经可以回答，无需再查询任何内容，欢迎继续补充细节。',
    '模拟文本：好的，我们可以先聊聊这个想法，再决定下一步怎么做。您还想了解哪些方面呢？',
    '这里是一段模拟的文字回答，并没有调用任何工具。请再提供一点信息，我们就可以继续。',
  ],
};

const REASONING = {
  en: {
    call: (tool: string) => `The request can be met with ${tool}, and its arguments are known.`,
    talk: 'Nothing here has to be looked up or done, so a reply in words is enough.',
  },
  zh: {
    call: (tool: string) => `用户的需求可以用 ${tool} 完成，所需的参数都已经明确，可以直接调用。`,
    talk: '这里没有需要查询或执行的内容，直接用文字回复用户就可以了，不必调用工具。',
  },
};

/** A text in the language of the last user message, at least `minChars` characters long. */
export function answerText(prompt: Prompt, seed: number, minChars: number): string {
  const texts = ANSWERS[languageOf(prompt)];
  return repeatTo(seededChoice(texts, seed, 'text', prompt.digest), minChars);
}

/** What the model thinks before it calls `tool`, or before it answers in words (null). */
export function reasoningText(prompt: Prompt, tool: string | null, minChars: number): string {
  const texts = REASONING[languageOf(prompt)];
  return repeatTo(tool === null ? texts.talk : texts.call(tool), minChars);
}

function languageOf(prompt: Prompt): 'en' | 'zh' {
  const last = prompt.messages.findLast((message) => message.role === 'user');
  return /\p{Script=Han}/u.test(textOf(last?.content)) ? 'zh' : 'en';
}

function repeatTo(text: string, minChars: number): string {
  return text.length >= minChars
    ? text
    : `${text} `.repeat(Math.ceil(minChars / (text.length + 1))).trimEnd();
}

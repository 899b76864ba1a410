import { createHash } from 'node:crypto';
import { ConfigError } from '../../model/errors.js';
import type { Json } from '../../model/json.js';
import type { ChatTemplate } from './chat-template.js';
import { CHAT_TEMPLATE } from './chat-template-file.js';
import { isList, isObject } from './official.js';

/**
 * Finds a file that is no chat template: any text is a template that renders itself, and the vendor would be blamed
 * for answers to a prompt without a question. Two rows whose users ask different things last must not have the same
 * prompt. Templates may trim and escape, so only letters and digits tell questions apart; of lists of parts, and of
 * messages before the last of the user, a template may leave something out, so they tell nothing.
 */
export class SamePrompts {
  readonly #file: string;
  readonly #template: ChatTemplate;
  /** By digest of the prompt: the first row that has it, and the digest of what its user asked. */
  readonly #seen = new Map<string, { readonly row: number; readonly asked: string }>();

  constructor(file: string, template: ChatTemplate) {
    this.#file = file;
    this.#template = template;
  }

  /**
   * The template, which remembers what it renders for this row.
   * @throws ConfigError from `render`, when another row that asks something else has the same prompt.
   */
  watching(row: number): ChatTemplate {
    return {
      render: (conversation) => {
        const prompt = this.#template.render(conversation);
        const question = lastQuestion(JSON.parse(conversation.messages) as Json);
        if (question !== null) this.#compare(row, digest(prompt), digest(question));
        return prompt;
      },
    };
  }

  #compare(row: number, prompt: string, asked: string): void {
    const first = this.#seen.get(prompt);
    if (first === undefined) this.#seen.set(prompt, { row, asked });
    else if (first.asked !== asked) {
      throw new ConfigError([
        {
          where: CHAT_TEMPLATE,
          what: `${this.#file} gives the same prompt for rows ${first.row} and ${row}; it does not use \`messages\`.`,
          fix: 'Is it the chat template of the model?',
        },
      ]);
    }
  }
}

function lastQuestion(messages: Json): string | null {
  const list = isList(messages) ? messages : [];
  const last = list.findLast((message) => isObject(message) && message['role'] === 'user');
  const content = isObject(last) ? last['content'] : null;
  return typeof content === 'string' ? content.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase() : null;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

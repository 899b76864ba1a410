import { ConfigError } from '../../model/errors.js';
import { JsonTextError } from '../../text/json-text.js';
import { type ChatTemplate, TemplateError } from './chat-template.js';
import { CHAT_TEMPLATE } from './chat-template-file.js';
import { buildCompletionsRequest } from './completions-request.js';
import type { DataSet } from './data-set.js';
import { preparedRequest } from './prepared.js';
import { promptEnd } from './prompt.js';
import { buildRequest, type RequestPlan } from './request.js';
import { fieldsOf } from './rows.js';
import type { Sample } from './sample.js';

export interface Loaded {
  readonly sample: Sample;
  /** The request as K2VV would make it. */
  prepared(): string;
}

/**
 * A row, ready to be sent.
 * @param template renders the prompts for /completions; null where messages are sent to /chat/completions.
 * @throws ConfigError for a row of which no request can be made.
 */
export function loadRow(
  data: DataSet,
  id: string,
  plan: RequestPlan,
  template: ChatTemplate | null,
): Loaded {
  const { line, row, findings, official } = data.read(Number(id));
  try {
    const fields = fieldsOf(line, row);
    const request =
      template === null
        ? {
            ...buildRequest(fields, findings, plan),
            prepared: () => preparedRequest(fields, findings, plan),
          }
        : buildCompletionsRequest(fields, findings, plan, template);
    return {
      sample: {
        id,
        body: request.body,
        asText: 'opensThinking' in request ? { opensThinking: request.opensThinking } : null,
        tools: fields.find(({ key }) => key === 'tools')?.text ?? null,
        official,
        changes: request.changes,
        // Read again when it is wanted, which is seldom: many samples wait for their answers at the same time.
        get prompt() {
          return promptEnd(data.read(Number(id)).row.messages);
        },
      },
      prepared: request.prepared,
    };
  } catch (error) {
    const where = `${data.info.source}, line ${id}`;
    if (error instanceof TemplateError) {
      throw new ConfigError([
        {
          where,
          what: `no prompt can be made of it with the template of \`${CHAT_TEMPLATE}\`: ${error.message}.`,
          fix: 'Mend the template or the row, or set `on-bad-row: skip` to leave such rows out.',
        },
      ]);
    }
    if (!(error instanceof JsonTextError)) throw error;
    // Valid JSON that cannot be edited: nested beyond all reason.
    throw new ConfigError([
      { where, what: `cannot be sent: ${error.message}.`, fix: 'Mend the row.' },
    ]);
  }
}

import type { JsonObject } from '../../model/json.js';

/*
 * What the model is told beside the observations. The name of the tool and the form of its parameters are protocol; the
 * words are this project's, with the meaning of EvalScope's.
 */

export const TOOL_NAME = 'browser_action';

export const SYSTEM_PROMPT = `You control a page in a web browser. Complete the task named in the goal by calling the tool ${TOOL_NAME}.
Before every action look at the screenshot and at the accessibility tree. Click an element by the string bid in brackets before it in the tree, or with mouse_click at absolute pixels of the screenshot.
The reward of the environment alone decides whether the task is solved. Go on acting until it is.`;

const DESCRIPTION = `Executes exactly one action of BrowserGym's MiniWoB action set in the browser. The actions and their defaults:
noop(wait_ms=1000)
mouse_move(x, y)
mouse_click(x, y, button="left")
mouse_dblclick(x, y, button="left")
mouse_down(x, y, button="left")
mouse_up(x, y, button="left")
scroll(delta_x, delta_y)
click(bid, button="left")
keyboard_press(key)
keyboard_type(text)
fill(bid, value)
click needs the bid as a string, as in click("13"); use mouse_click for targets that can only be seen. Coordinates are absolute pixels of the screenshot, not normalised to 0-1000.`;

/** The one tool on offer, in OpenAI's form. */
export const TOOL: JsonObject = {
  type: 'function',
  function: {
    name: TOOL_NAME,
    description: DESCRIPTION,
    parameters: {
      type: 'object',
      properties: {
        action: {
          type: 'string',
          description: 'One action, written as one function call, such as click("13").',
        },
      },
      required: ['action'],
      additionalProperties: false,
    },
  },
};

/** To a turn without a tool call. */
export const NO_CALL = `No tool was called. Call the available tool, ${TOOL_NAME}, to go on with the task.`;

/** To a turn with several; none of them was executed. */
export const MANY_CALLS =
  'Nothing was executed: call at most one tool a turn. Look at the page again and send one call.';

/** To a call of something else. */
export function unknownTool(name: string): string {
  return `Error: Tool '${name}' is not registered. Available: ['${TOOL_NAME}']`;
}

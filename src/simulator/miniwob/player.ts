import type { JsonObject } from '../../model/json.js';
import { callsIn, isObject, textOf } from '../prompt.js';
import { choiceMove } from './choices.js';
import { clickMove, repeatMove } from './clicks.js';
import { entryMove } from './entries.js';
import { type Page, readPage } from './page.js';

/** The tool by which an episode of miniwob is played. */
export const BROWSER_TOOL = 'browser_action';

/** What was seen and done so far in an episode. */
export interface Game {
  readonly page: Page;
  /** Earlier actions, the newest last. */
  readonly past: readonly string[];
}

/** A rule proposes the next action, or has nothing to say. */
export type Rule = (game: Game) => string | null;

/**
 * Rules that are no task's own: they match what the goal names against the names in the tree. They solve the easy tasks
 * and fail at everything that must be seen, remembered or understood.
 */
const RULES: readonly Rule[] = [coordinateMove, entryMove, choiceMove, clickMove, repeatMove];

/**
 * The next action in the episode that the conversation holds: `click("13")`. It depends on the conversation alone. null
 * when there is no page to act on.
 */
export function nextMove(messages: readonly JsonObject[]): string | null {
  const page = messages
    .map(({ content }) => readPage(textOf(content)))
    .findLast((read) => read !== null);
  if (page === undefined || page === null) return null;
  const game = { page, past: messages.flatMap(callsIn).flatMap(actionOf) };
  for (const rule of RULES) {
    const move = rule(game);
    if (move !== null) return move;
  }
  return 'noop()';
}

function actionOf(call: JsonObject): string[] {
  const args = isObject(call.function) ? call.function.arguments : undefined;
  try {
    const { action } = JSON.parse(String(args)) as JsonObject;
    return typeof action === 'string' ? [action] : [];
  } catch {
    return [];
  }
}

const PLACE = '[^()]*?\\((\\d+), (\\d+)\\)';
const GESTURES = new RegExp(`\\bclick${PLACE}|\\bdrag${PLACE}${PLACE}`, 'gi');

/** A goal that names places is followed step by step. */
function coordinateMove({ page, past }: Game): string | null {
  const moves = [...page.goal.matchAll(GESTURES)].flatMap(
    ([, x, y, fromX, fromY, toX, toY]): string[] =>
      x === undefined
        ? [
            `mouse_down(${fromX}, ${fromY})`,
            `mouse_move(${toX}, ${toY})`,
            `mouse_up(${toX}, ${toY})`,
          ]
        : [`mouse_click(${x}, ${y})`],
  );
  return moves[past.length] ?? null;
}

import { ACTION_NAMES, type ActionName } from '../action.js';
import { type Expression, PythonExpressions } from './expression.js';
import { unexpected } from './token-reader.js';
import { PythonSyntaxError, PythonTokens } from './tokens.js';

/** What EvalScope's check says of an action: fatal for the episode, or the call and where in the source it begins. */
export type StatementVerdict =
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: true; readonly name: ActionName; readonly start: number };

/**
 * EvalScope's check of an action, which is Python's own parser and a look at its tree: exactly one statement, which is
 * one call of a known function by its plain name, and no other call anywhere in it; the first positional argument of
 * `click` is a str literal.
 *
 * As CPython 3.11 parses, with two exceptions: names in `\N{…}` are all taken for known, and the depth at which it gives
 * up is another.
 *
 * @param source stripped, with newlines for line ends (`pythonSource`)
 */
export function checkStatement(source: string): StatementVerdict {
  let statement: Statement;
  try {
    statement = readStatement(source);
  } catch (error) {
    if (!(error instanceof PythonSyntaxError)) throw error;
    return fatal(`the action is not one Python expression: ${error.message}`);
  }
  const { expression, calls } = statement;
  if (expression.kind !== 'call') return fatal('the action is not a function call');
  const called = expression.called?.name;
  // Python compares names in this normal form.
  const name = ACTION_NAMES.find((known) => known === called?.text.normalize('NFKC'));
  if (called === undefined || name === undefined) {
    return fatal(`the action calls none of ${ACTION_NAMES.join(', ')}`);
  }
  if (calls !== 1) return fatal('the action has more than one function call');
  if (name === 'click' && expression.first !== 'string') {
    return fatal('the first argument of click must be a string, such as click("13")');
  }
  return { ok: true, name, start: called.start };
}

interface Statement {
  readonly expression: Expression;
  readonly calls: number;
}

function readStatement(source: string): Statement {
  const tokens = new PythonTokens(source);
  const expressions = new PythonExpressions(tokens);
  const expression = expressions.expression();
  if (tokens.peek().text === ';') tokens.next();
  const end = tokens.next();
  if (end.type !== 'newline') throw unexpected(end);
  const rest = tokens.next();
  if (rest.type !== 'end') throw unexpected(rest);
  return { expression, calls: expressions.calls };
}

function fatal(reason: string): StatementVerdict {
  return { ok: false, reason };
}

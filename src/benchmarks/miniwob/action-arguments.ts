import type { Json } from '../../model/json.js';
import { JsonTextError, member, parseJsonText, sliceOf } from '../../text/json-text.js';
import { isPythonFloat } from '../../text/python-json.js';
import { PythonFloat, pythonStr, pythonStrip } from '../../text/python-repr.js';
import { loadYamlScalar } from './yaml-scalar.js';

/**
 * The action in the arguments of a tool call, by EvalScope's rules: JSON where the text begins with a brace, and no
 * action ('') when that is broken; else YAML, whose value is the action, or the text itself when it is no YAML. What is
 * not a string is printed as Python would print it, so that it is no action either. Never throws.
 */
export function actionTextOf(argumentsText: string): string {
  const text = pythonStrip(argumentsText);
  if (!text.startsWith('{')) return loadYamlScalar(text);
  try {
    const action = member(parseJsonText(text), 'action');
    return action === undefined ? '' : printed(sliceOf(text, action));
  } catch (error) {
    if (error instanceof JsonTextError) return '';
    throw error;
  }
}

/** A JSON value as Python's str() prints it. */
function printed(text: string): string {
  if (/^[-0-9]/.test(text)) {
    return pythonStr(isPythonFloat(text) ? new PythonFloat(Number(text)) : Number(text));
  }
  return pythonStr(JSON.parse(text) as Json);
}

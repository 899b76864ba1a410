import { PythonFloat, PythonTuple, type PythonValue, pythonRepr } from '../../text/python-repr.js';
import type { ActionValue } from './action.js';

/** The text of Python's `repr()` of an action's value. */
export function reprOf(value: ActionValue): string {
  return pythonRepr(asPython(value));
}

function asPython(value: ActionValue): PythonValue {
  switch (value.type) {
    case 'float':
      return new PythonFloat(value.value);
    case 'none':
      return null;
    case 'list':
      return value.items.map(asPython);
    case 'tuple':
      return new PythonTuple(value.items.map(asPython));
    case 'dict':
      return Object.fromEntries(value.entries.map(([key, member]) => [key, asPython(member)]));
    default:
      return value.value;
  }
}

/** The name of a value's Python type, as it stands in a TypeError. */
export function pythonTypeOf(value: ActionValue): string {
  const { type } = value;
  if (type === 'string') return 'str';
  return type === 'none' ? 'NoneType' : type;
}

/** What JavaScript's `typeof` says of a value that Python hands to Playwright; None is never handed over. */
export function javaScriptTypeOf(value: ActionValue): string {
  switch (value.type) {
    case 'string':
      return 'string';
    case 'int':
    case 'float':
      return 'number';
    case 'bool':
      return 'boolean';
    case 'none':
      return 'undefined';
    default:
      return 'object';
  }
}

/** Python's `bool(value)`. */
export function isTrue(value: ActionValue): boolean {
  switch (value.type) {
    case 'none':
      return false;
    case 'list':
    case 'tuple':
      return value.items.length > 0;
    case 'dict':
      return value.entries.length > 0;
    default:
      return Boolean(value.value);
  }
}

/** Whether an infinite float is somewhere in it, such as 1e999; Python's repr of it, `inf`, is no literal. */
export function hasInfinity(value: ActionValue): boolean {
  switch (value.type) {
    case 'float':
      return !Number.isFinite(value.value);
    case 'list':
    case 'tuple':
      return value.items.some(hasInfinity);
    case 'dict':
      return value.entries.some(([, member]) => hasInfinity(member));
    default:
      return false;
  }
}

/** A value of an action as BrowserGym's grammar reads it; numbers with a dot or exponent are floats in Python. */
export type ActionValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'int' | 'float'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'none' }
  | { readonly type: 'list' | 'tuple'; readonly items: readonly ActionValue[] }
  | { readonly type: 'dict'; readonly entries: readonly (readonly [string, ActionValue])[] };

/** One call that is executed, or what BrowserGym says instead of executing (a Python-shaped error, fed back). */
export type Action =
  | {
      readonly kind: 'call';
      readonly name: ActionName;
      readonly positional: readonly ActionValue[];
      readonly keywords: readonly (readonly [string, ActionValue])[];
    }
  | { readonly kind: 'error'; readonly message: string };

export const ACTION_NAMES = [
  'noop',
  'mouse_move',
  'mouse_click',
  'mouse_dblclick',
  'mouse_down',
  'mouse_up',
  'scroll',
  'click',
  'keyboard_press',
  'keyboard_type',
  'fill',
] as const;

export type ActionName = (typeof ACTION_NAMES)[number];

import type { View } from './environment.js';

/** What the model is told about the page after a reset or a step, in EvalScope's layout; the image is sent beside it. */
export function observationText(view: View): string {
  const { actionError } = view;
  return [
    `Goal: ${view.goal}`,
    `URL: ${view.url}`,
    `Step: ${view.step}`,
    `Reward: ${view.reward}.0`,
    `Done: ${pythonBool(view.done)}`,
    `Last action error: ${pythonBool(actionError !== '')}`,
    'Screenshot size: 498x321 pixels.',
    ...(actionError === '' ? [] : [`Environment message: ${actionError}`]),
    'Accessibility tree:',
    view.tree,
  ].join('\n');
}

function pythonBool(value: boolean): 'True' | 'False' {
  return value ? 'True' : 'False';
}

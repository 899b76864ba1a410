import type { Subset } from '../../model/benchmark.js';

/** A few browsers may fail on a busy machine; more, and the run says nothing about the model. */
const SOUND = 'environment_error_rate <= 2%';
/** EvalScope's for a model behind an API. */
const SAMPLING = { temperature: 0 };

/**
 * `default`: the 125 pages of EvalScope. No vendor has published figures for it, so nobody can say which success rate is
 * right for a model, and there is no gate on it until the user sets one.
 * `own`: the pages that come with the project. All but one can be solved (a link to `#` cannot, see docs/miniwob.md).
 */
export const SUBSETS: readonly Subset[] = [
  { name: 'default', defaultGates: [SOUND], sampling: SAMPLING, references: {} },
  {
    name: 'own',
    defaultGates: ['success_rate >= 75%', SOUND],
    sampling: SAMPLING,
    references: {},
  },
];

import type { Usage } from '../model/completion.js';
import type { BudgetSettings } from '../model/config.js';
import type { Stopped } from '../model/report.js';
import { grouped } from '../text/figures.js';
import { untrusted } from '../text/untrusted.js';

/** An endpoint that bills so many times the completion tokens that the plan allows is doing something else. */
const GUARD = 3;

/** What a run has spent, by the endpoint's own count, and when that is enough. */
export class Budget {
  readonly #settings: BudgetSettings;
  readonly #guard: number | null;
  #prompt = 0;
  #completion = 0;

  /** @param planned most completion tokens of the whole plan, or null when a sample has no ceiling */
  constructor(settings: BudgetSettings, planned: number | null) {
    this.#settings = settings;
    this.#guard = planned === null ? null : GUARD * planned;
  }

  spend({ prompt_tokens: prompt, completion_tokens: completion }: Usage): void {
    this.#prompt += prompt;
    this.#completion += completion;
  }

  /** Why no more may be spent, or null. */
  get exhausted(): Stopped | null {
    const { tokens, cost: most, ...prices } = this.#settings;
    const spent = this.#prompt + this.#completion;
    if (tokens !== null && spent >= tokens) {
      return stop(
        `token-budget is used up: ${grouped(String(spent))} of ${grouped(String(tokens))} tokens`,
        'Raise `token-budget`',
      );
    }
    const cost = costOf(
      { prompt_tokens: this.#prompt, completion_tokens: this.#completion },
      prices,
    );
    if (most !== null && cost !== null && cost >= most) {
      return stop(
        `cost-budget is used up: ${amount(cost)} of ${amount(most)}`,
        'Raise `cost-budget`',
      );
    }
    if (this.#guard !== null && this.#completion > this.#guard) {
      return stop(
        `the endpoint bills more than ${GUARD} times the completion tokens that the requests allow (${grouped(String(this.#completion))})`,
        'Ask the vendor why usage exceeds max_tokens',
      );
    }
    return null;
  }
}

/** What tokens cost at prices for a million; null when a price is not known. */
export function costOf(
  usage: Pick<Usage, 'prompt_tokens' | 'completion_tokens'>,
  { priceIn, priceOut }: Pick<BudgetSettings, 'priceIn' | 'priceOut'>,
): number | null {
  if (priceIn === null || priceOut === null) return null;
  return (usage.prompt_tokens * priceIn + usage.completion_tokens * priceOut) / 1e6;
}

function amount(cost: number): string {
  return cost.toFixed(2);
}

function stop(what: string, fix: string): Stopped {
  return {
    kind: 'budget',
    message: `Stopped: ${what}.`,
    advice: `${fix}, then run again with the same output directory to go on; or set \`limit\` or \`early-stop\`.`,
    detail: untrusted(''),
    detail_from: 'here',
  };
}

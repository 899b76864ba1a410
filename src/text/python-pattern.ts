import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';
import { inRe2 } from './python-pattern-spelling.js';
import { PythonPatternError, type Translation, translate } from './python-pattern-translation.js';

/** What searches may still cost. Drawn on. */
export interface SearchBudget {
  steps: number;
}

/**
 * Longest time of one search. Only hostile text needs more than a few milliseconds; the rest is for a machine that
 * does other things meanwhile.
 */
const LONGEST_MS = 500;
/** What a millisecond of a search with a time limit draws. */
const STEPS_PER_MS = 2000;
/** RE2's instructions times characters up to which it needs no time limit, which costs more than such a search. */
const SMALL = 1_000_000;
/** Characters that RE2 reads for a step. */
const CHARACTERS_PER_STEP = 10;

/** Only a script can be stopped. Its globals are its arguments. */
const globals: { regex: Pick<RegExp, 'test'> | null; text: string } = { regex: null, text: '' };
const context = createContext(globals);
const script = new Script('regex.test(text)');

/**
 * A pattern of Python's `re` for text, with Python's meaning (CPython 3.11). Left out, besides what `translate` leaves
 * out: case ignored in a part of a pattern that RE2 cannot run.
 */
export class PythonPattern {
  private readonly translation: Translation;
  private readonly regex: RegExp;
  /** Undefined before the first search: many patterns are only checked, and this takes milliseconds. */
  private linear: RE2JS | null | undefined;

  /** @throws PythonPatternError where Python's `re.compile` raises, and for what is not translated. */
  constructor(pattern: string) {
    this.translation = translate(pattern);
    this.regex = nativeOf(this.translation);
    const { scopedCase, wordBoundary } = this.translation;
    if (scopedCase && (wordBoundary || linearOf(this.translation) === null)) {
      throw new PythonPatternError('case ignored in a part of a pattern that RE2 cannot run');
    }
  }

  /**
   * `re.search`: anywhere in the text.
   * @param budget is drawn on; `gave up` when it runs out or the time does, where Python would go on, perhaps for years.
   */
  search(text: string, budget: SearchBudget): 'found' | 'absent' | 'gave up' {
    if (budget.steps <= 0) return 'gave up';
    if (this.linear === undefined) this.linear = linearOf(this.translation);
    const linear = this.translation.wordBoundary && !/^[\0-\x7f]+$/.test(text) ? null : this.linear;
    if (linear === null || linear.programSize() * text.length > SMALL) {
      return this.limited(linear ?? this.regex, text, budget);
    }
    budget.steps -= Math.ceil(text.length / CHARACTERS_PER_STEP);
    return linear.test(text) ? 'found' : 'absent';
  }

  private limited(regex: RegExp | RE2JS, text: string, budget: SearchBudget) {
    const started = performance.now();
    Object.assign(globals, { regex, text });
    try {
      const timeout = Math.min(LONGEST_MS, Math.ceil(budget.steps / STEPS_PER_MS));
      return script.runInContext(context, { timeout }) ? 'found' : 'absent';
    } catch {
      // Out of time, or of memory for going back. RE2 may have been stopped half-way through a change of its tables.
      this.linear = undefined;
      return 'gave up';
    } finally {
      Object.assign(globals, { regex: null, text: '' });
      budget.steps -= Math.ceil((performance.now() - started) * STEPS_PER_MS);
    }
  }
}

function nativeOf({ text, ignoreCase }: Translation): RegExp {
  try {
    return new RegExp(text.replaceAll(/\(\?-?i:/g, '(?:'), ignoreCase ? 'isv' : 'sv');
  } catch (error) {
    throw new PythonPatternError(`${error}`.replace(/.*: /, ''));
  }
}

/** Null when RE2 lacks a construct or refuses: it counts to 1000 only. */
function linearOf(translation: Translation): RE2JS | null {
  if (!translation.linear) return null;
  try {
    return RE2JS.compile(
      inRe2(translation.text),
      translation.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0,
    );
  } catch {
    return null;
  }
}

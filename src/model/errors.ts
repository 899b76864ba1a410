/** One thing wrong with the configuration or its data, in words a person can act on. */
export interface Problem {
  /** Input, option or file the problem is in: `concurrency`, `datasets.k2_verifier.source`. */
  readonly where: string;
  /** What is wrong, with the value and what is allowed. */
  readonly what: string;
  /** The next step. */
  readonly fix: string;
}

/** The user's to mend: reported without a stack trace, all problems together. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(problems.map((p) => `${p.where}: ${p.what} ${p.fix}`.trim()).join('\n'));
    this.problems = problems;
  }
}

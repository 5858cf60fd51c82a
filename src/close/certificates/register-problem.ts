import type { Origin, Severity } from '../../kernel/finding.ts';

/** A row of a register that is not used, or one cell of it that cannot be read. */
export type RegisterProblem = {
  readonly code: 'bad-certificate' | 'duplicate-certificate';
  readonly severity: Severity;
  readonly origin: Origin;
  /** Header of the column, and what stands there. */
  readonly column?: string;
  readonly value?: string;
  /** The rule that is broken, as a sentence that names the column and the value. */
  readonly message: string;
};

import type { Origin, Severity } from '../../kernel/finding.ts';

/** A register row that is not used, or a cell that cannot be read. */
export type RegisterProblem = {
  readonly code: 'bad-certificate' | 'duplicate-certificate';
  readonly severity: Severity;
  readonly origin: Origin;
  /** Header of the column, and the value of the cell. */
  readonly column?: string;
  readonly value?: string;
  /** The broken rule, as a sentence that names the column and the value. */
  readonly message: string;
};

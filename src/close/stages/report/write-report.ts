import type { PeriodReport } from '../../figures/period-report.ts';
import type { Signature } from '../../workspace/signatures.ts';

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
  /** Signatures that became void because the content changed; `undefined` when there are none. */
  readonly voided?: VoidedSignatures;
};

/** Signatures of the content that was published before, and what has changed since. */
export type VoidedSignatures = { readonly signatures: readonly Signature[]; readonly why: string };

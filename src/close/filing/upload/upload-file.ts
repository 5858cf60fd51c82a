import type { Money } from '../../../kernel/money.ts';
import type { ReturnCheck } from '../return/tax-return.ts';

/** A file for a state's portal, with what it takes to trust it. */
export type UploadFile = {
  readonly state: string;
  readonly format: string;
  readonly name: string;
  readonly text: string;
  /** Rows or elements that carry amounts. */
  readonly rows: number;
  readonly control: { readonly what: string; readonly amount: Money };
  /** The file's totals against lines of the return. */
  readonly checks: readonly ReturnCheck[];
  /** What to add or check by hand before a portal takes the file: `add the location code of 3 of 3 rows`. */
  readonly toComplete: readonly string[];
  readonly notes: readonly string[];
};

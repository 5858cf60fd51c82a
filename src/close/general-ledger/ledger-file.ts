import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Origin, Severity } from '../../kernel/finding.ts';
import type { Money } from '../../kernel/money.ts';

/** A row of the ledger on an account of sales tax. */
export type LedgerEntry = {
  /** The account as the configuration names it. */
  readonly account: string;
  readonly date: CalendarDate;
  readonly type: string;
  readonly number: string;
  readonly name: string;
  readonly memo: string;
  readonly split: string;
  /** Positive where the seller owes more. */
  readonly amount: Money;
  readonly file: string;
  readonly line: number;
};

/** The balance with which a file begins an account. */
export type LedgerBalance = {
  readonly account: string;
  /** Before the entries of this day; the first that has any where the file does not say (`isStated`). */
  readonly before: CalendarDate;
  readonly isStated: boolean;
  readonly amount: Money;
};

/** The days for which a file has all entries. */
export type LedgerDays = { readonly first: CalendarDate; readonly last: CalendarDate };

/** Something about a ledger that a person should see. */
export type LedgerProblem = {
  readonly code: 'bad-ledger-row' | 'ledger-total' | 'ledger-cut-off' | 'ledger-account' | 'ledger-days';
  readonly severity: Severity;
  readonly origin: Origin;
  readonly message: string;
};

/** One export of the ledger, and what became of its rows: `used + ignored + rejected = rows`. */
export type LedgerFile = {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly layout: string;
  readonly rows: number;
  readonly used: number;
  readonly ignored: number;
  readonly rejected: number;
  /** `null` where the file does not say. */
  readonly days: LedgerDays | null;
  readonly entries: readonly LedgerEntry[];
  readonly balances: readonly LedgerBalance[];
  /** Some accounts of the file that the configuration does not name. */
  readonly others: readonly string[];
  readonly problems: readonly LedgerProblem[];
};

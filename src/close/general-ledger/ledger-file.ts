import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Origin, Severity } from '../../kernel/finding.ts';
import type { Money } from '../../kernel/money.ts';

/** An entry of the ledger on a sales-tax account. */
export type LedgerEntry = {
  /** The account name in the configuration. */
  readonly account: string;
  readonly date: CalendarDate;
  readonly type: string;
  readonly number: string;
  readonly name: string;
  readonly memo: string;
  readonly split: string;
  /** Positive if it increases the debt. */
  readonly amount: Money;
  readonly file: string;
  readonly line: number;
};

/** Opening balance of an account in a file. */
export type LedgerBalance = {
  readonly account: string;
  /** The balance precedes the entries of this day: the stated day (`isStated`), or that of the first entry. */
  readonly before: CalendarDate;
  readonly isStated: boolean;
  readonly amount: Money;
};

/** The days that a file covers completely. */
export type LedgerDays = { readonly first: CalendarDate; readonly last: CalendarDate };

/** A problem with a ledger that a person should see. */
export type LedgerProblem = {
  readonly code: 'bad-ledger-row' | 'ledger-total' | 'ledger-cut-off' | 'ledger-account' | 'ledger-days';
  readonly severity: Severity;
  readonly origin: Origin;
  readonly message: string;
};

/** One export of the ledger, with row counts: `used + ignored + rejected = rows`. */
export type LedgerFile = {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly layout: string;
  readonly rows: number;
  readonly used: number;
  readonly ignored: number;
  readonly rejected: number;
  /** `null` if the file does not state them. */
  readonly days: LedgerDays | null;
  readonly entries: readonly LedgerEntry[];
  readonly balances: readonly LedgerBalance[];
  /** Up to a few sales-tax-like accounts in the file that the configuration does not name. */
  readonly others: readonly string[];
  readonly problems: readonly LedgerProblem[];
};

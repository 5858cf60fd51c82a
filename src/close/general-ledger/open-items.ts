import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';

/** Tax that was collected and is not in the ledger yet: of a sale, or of all sales of a day. */
export type OpenItem = {
  readonly group: string;
  readonly day: CalendarDate;
  readonly amount: Money;
  /** The record; empty where it is all sales of the day. */
  readonly record: string;
};

/** A return that the ledger has not paid yet. Months of one return stand together, as they are due on one day. */
export type OpenReturn = {
  readonly state: string;
  /** As the workbooks name it: the state, with the place where one collects its own tax. */
  readonly key: string;
  readonly due: CalendarDate;
  readonly periods: readonly string[];
  readonly collected: Money;
  readonly payable: Money;
  readonly discount: Money;
};

/** Parts of a balance that are compared with the ledger one by one. */
export const LINES = ['opening', 'collected', 'remitted', 'discounts', 'adjustments', 'closing'] as const;
export type BalanceLine = (typeof LINES)[number];

/** Why a line of Tieout is another than that of the ledger. */
export const CAUSES = {
  'other-month': 'Posted in another month',
  'day-missing': 'Day missing in the ledger',
  'not-posted': 'Not in the ledger',
  'other-amount': 'Posted with another amount',
  'posted-twice': 'Posted twice',
  'marketplace-tax': 'Marketplace tax booked as own',
  'no-account': 'No account for the state',
  'remittance-unmatched': 'Remittance matches no filed return',
  'discount-not-booked': 'Discount not booked',
  'adjustment-not-booked': 'Adjustment of the return not booked',
  carried: 'Difference of the month before',
  'changed-since': 'Ledger changed in a closed month',
  unexplained: 'Unexplained',
} as const;
export type CauseCode = keyof typeof CAUSES;

/** A part of a difference: `tieout - ledger = sum of the causes`. */
export type LedgerCause = {
  readonly group: string;
  readonly line: BalanceLine;
  readonly cause: CauseCode;
  readonly amount: Money;
  readonly what: string;
  /** The entry of the ledger, where there is one. */
  readonly file: string;
  readonly entry: number;
};

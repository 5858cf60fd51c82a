import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';

/** Tax collected but not yet in the ledger, for one sale or for all sales of a day. */
export type OpenItem = {
  readonly group: string;
  readonly day: CalendarDate;
  readonly amount: Money;
  /** The record; empty if the item covers all sales of the day. */
  readonly record: string;
};

/** A return that the ledger has not paid yet. Months of one return are combined, since they are due on one day. */
export type OpenReturn = {
  readonly state: string;
  /** The return's name in the workbooks: the state, and the place if it collects its own tax. */
  readonly key: string;
  readonly due: CalendarDate;
  readonly periods: readonly string[];
  readonly collected: Money;
  /** The amount due without `fees`, which are not in sales tax payable. */
  readonly payable: Money;
  readonly discount: Money;
  readonly fees: Money;
  /** What the return adds to the tax of the sales, and what it takes off beside the discount, as negative amounts. */
  readonly adjustments: Readonly<Record<Adjustment, Money>>;
};

/** The steps of a return between its tax and its payment, beside the discount. */
export const ADJUSTMENTS = ['useTax', 'prepayments', 'credits', 'rounding'] as const;
type Adjustment = (typeof ADJUSTMENTS)[number];

export const adjustmentsOf = (amountOf: (line: Adjustment) => Money): OpenReturn['adjustments'] => ({
  ...{ useTax: amountOf('useTax'), prepayments: amountOf('prepayments') },
  ...{ credits: amountOf('credits'), rounding: amountOf('rounding') },
});

/** An amended version of an earlier period, filed since the month before was rolled forward. */
export type AmendedVersion = {
  readonly label: string;
  readonly last: CalendarDate;
  /** The tax collected that it has more than the version before it, by state. */
  readonly collected: readonly { readonly state: string; readonly amount: Money }[];
};

/** Lines of a balance that are compared with the ledger one by one. */
export const LINES = ['opening', 'collected', 'remitted', 'discounts', 'adjustments', 'closing'] as const;
export type BalanceLine = (typeof LINES)[number];

/** Why a line of Tieout differs from the ledger. */
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
  amended: 'Filed in an amended version',
  carried: 'Difference of the month before',
  'changed-since': 'Ledger changed in a closed month',
  unexplained: 'Unexplained',
} as const;
export type CauseCode = keyof typeof CAUSES;

/** One cause of a difference: `tieout - ledger = sum of the causes`. */
export type LedgerCause = {
  readonly group: string;
  readonly line: BalanceLine;
  readonly cause: CauseCode;
  readonly amount: Money;
  readonly what: string;
  /** File and line of the ledger entry; empty and 0 if there is none. */
  readonly file: string;
  readonly entry: number;
};

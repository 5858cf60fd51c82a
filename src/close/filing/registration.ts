import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';

/** How often returns are filed. The state sets it, by volume. */
export const FREQUENCIES = ['monthly', 'quarterly', 'semiannual', 'annual'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Which tax is paid over: the one that was due, the one that was charged, or the higher of the two. */
export const REMITTANCE_BASES = ['greater', 'expected', 'collected'] as const;
export type RemittanceBasis = (typeof REMITTANCE_BASES)[number];

/** What was paid before the return, and how much of it this return uses up. */
export type Prepayments = {
  readonly opening: Money;
  readonly added: Money;
};

/** A registration with a state, as the configuration has it. */
export type FilingRegistration = {
  readonly state: string;
  readonly account: string;
  readonly since: CalendarDate;
  readonly frequency: Frequency;
  /** The state's own rule when left out. */
  readonly basis?: RemittanceBasis;
  /** Amounts paid for this period in advance, such as accelerated payments. */
  readonly prepayments?: Prepayments;
  /** Credits the state has granted, such as overpayments of earlier periods. */
  readonly credits?: Prepayments;
  /** The state's codes of places, by county or city in capitals, where its return goes by code. */
  readonly locationCodes?: Readonly<Record<string, string>>;
  /** The identity with the Streamlined system, where the seller is registered through it. */
  readonly streamlinedId?: string;
  /** Purchases on which the seller itself owes use tax. Exports of sales do not know them. */
  readonly purchases?: Money;
  /** Discounts already taken in this calendar year, where a cap runs by the year. */
  readonly discountsThisYear?: Money;
};

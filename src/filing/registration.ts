import type { CalendarDate } from '../kernel/calendar.ts';
import type { Money } from '../kernel/money.ts';
import type { ReturnKind, StateFigures } from './state-figures.ts';

/** How often returns are filed. The state decides, by volume. */
export const FREQUENCIES = ['monthly', 'quarterly', 'semiannual', 'annual'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The tax to remit: the expected tax, the collected tax, or the greater of the two. */
export const REMITTANCE_BASES = ['greater', 'expected', 'collected'] as const;
export type RemittanceBasis = (typeof REMITTANCE_BASES)[number];

/**
 * Where the tax of a county or city is reported: to the place itself, or to the state together with the state's tax.
 */
export const COLLECTS = ['own', 'with-state'] as const;
export type Collects = (typeof COLLECTS)[number];

/** The seller's choices about the tax of one county or city. */
export type LocalReturn = {
  readonly place: string;
  readonly localTax: Collects;
  readonly account?: string | undefined;
  /** The state's frequency if omitted. */
  readonly frequency?: Frequency | undefined;
};

/** Amounts paid in advance: the opening balance and the additions of the period. */
export type Prepayments = {
  readonly opening: Money;
  readonly added: Money;
  /** What later periods that are locked used of it already: it is left for them. */
  readonly usedLater?: Money;
};

/** What a return settled of the tax and the fees of its period. */
type Settled = {
  readonly collected: Money;
  /** The tax by the remittance rule, and the tax on own purchases. */
  readonly remitted: Money;
  readonly useTax: Money;
  /** The fees due, and those of them that were charged. */
  readonly fees: Money;
  readonly feesCharged: Money;
};

export type SettledPart = keyof Settled;

/** What a return of a shorter period settled, as its last version has it. */
export type SettledReturn = Settled & {
  readonly period: string;
  /** Everything that was settled: the payment, with the discount, the prepayments and the credits used. */
  readonly settled: Money;
};

/** A return of a longer period that completes returns of shorter ones. */
export type Completion = {
  readonly form: string;
  readonly frequency: Frequency;
  /** How often the returns that it completes are filed. */
  readonly shorter: Frequency;
  /** The shorter returns that were filed or are to be filed. */
  readonly returns: readonly SettledReturn[];
};

/** A return as it was filed with the version that an amended version amends, without what shorter returns had settled. */
export type FiledBefore = Settled & {
  /** The version with which it was filed. */
  readonly version: string;
  readonly kind: ReturnKind;
  readonly name: string;
  readonly discount: Money;
  readonly prepayments: Money;
  readonly credits: Money;
  /** The amount due on the form, and the penalty and interest in it. */
  readonly due: Money;
  readonly late?: LateCharges;
  /** Digest of its lines and schedules; `undefined` in a close before this was recorded. */
  readonly lines?: string;
};

/** What a return is charged for lateness. */
export type LateCharges = {
  readonly penalty: Money;
  readonly interest: Money;
};

/** What `filings.csv` states for a return. */
export type StatedOfReturn = LateCharges & {
  /** As `status` names it: `TX`, `CO Denver`. */
  readonly return: string;
  /** The lines, or `all`, that a person compared with the form when one was filed for a period until this day. */
  readonly checked?: {
    readonly lines: readonly string[];
    readonly on: CalendarDate;
    readonly until: CalendarDate;
  };
  /** The line that states it of exactly this period; not in the books. */
  readonly place?: string;
};

/** A registration with a state, as configured. */
export type FilingRegistration = {
  readonly state: string;
  readonly account: string;
  readonly since: CalendarDate;
  readonly frequency: Frequency;
  /** Who receives the tax of counties and cities that can collect it themselves; by law if omitted. */
  readonly localTax?: Collects | undefined;
  readonly localReturns?: readonly LocalReturn[];
  /** The state's own rule if omitted. */
  readonly basis?: RemittanceBasis | undefined;
  /** Whether the seller ships from the state, or has a place of business there. */
  readonly isThere?: boolean;
  /** Amounts paid for this period in advance, such as accelerated payments. */
  readonly prepayments?: Prepayments;
  /** Set if the return is that of a longer period; what the shorter returns settled is among the prepayments. */
  readonly completes?: Completion;
  /** Set in an amended version: the returns that were filed with the version before it. */
  readonly filedBefore?: readonly FiledBefore[];
  /** The bodies whose rates rest on secondary sources, and the day until which the rates of the state are known. */
  readonly secondary?: {
    readonly names: readonly string[];
    readonly until: string;
  };
  /** What is in doubt of how the state taxes the seller's categories and freight, a sentence each. */
  readonly doubts?: readonly string[];
  /** Credits that the state granted, such as overpayments of earlier periods. */
  readonly credits?: Prepayments;
  /** The state's location codes, by county or city in capitals, if its return uses codes. */
  readonly locationCodes?: Readonly<Record<string, string>>;
  /** Purchases on which the seller itself owes use tax. Exports of sales do not contain them. */
  readonly purchases?: Money;
  /** What `filings.csv` states for the returns of the state. */
  readonly stated?: readonly StatedOfReturn[];
  /** The state's fee per delivered sale, in dollars, if Tieout's law lacks it; `none` if the seller does not owe it. */
  readonly deliveryFee?: string | undefined;
};

/**
 * Returns the registration for one return of a state. Advance payments, and a return that completes shorter ones, apply
 * only to the state's own return.
 */
export const registrationFor = (
  registration: FilingRegistration,
  { kind, name }: Pick<StateFigures, 'kind' | 'name'>,
): FilingRegistration => {
  if (kind === 'state')
    return { ...registration, frequency: registration.completes?.frequency ?? registration.frequency };
  const { state, since, frequency, filedBefore, stated } = registration;
  const amends = { ...(stated && { stated }), ...(filedBefore && { filedBefore }) };
  // A fee has an account of its own, which registrations do not contain.
  if (kind === 'fee') return { state, since, frequency, account: '', ...amends };
  const { basis, localReturns } = registration;
  const own = localReturns?.find(({ place }) => isSameName(place, name));
  return {
    state,
    since,
    account: own?.account ?? '',
    frequency: own?.frequency ?? frequency,
    basis,
    ...amends,
  };
};

/** Returns the name of a county by which a configuration tells it from a city of the same name. */
export const countyName = (county: string): string => `${county} COUNTY`;

/** Whether two texts name the same county or city. */
export const isSameName = (left: string, right: string): boolean =>
  left.toUpperCase() === right.trim().toUpperCase();

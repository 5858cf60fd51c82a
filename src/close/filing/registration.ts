import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';
import type { StateFigures } from './state-figures.ts';

/** How often returns are filed. The state sets it, by volume. */
export const FREQUENCIES = ['monthly', 'quarterly', 'semiannual', 'annual'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Which tax is paid over: the one that was due, the one that was charged, or the higher of the two. */
export const REMITTANCE_BASES = ['greater', 'expected', 'collected'] as const;
export type RemittanceBasis = (typeof REMITTANCE_BASES)[number];

/** To whom the tax of a county or city is reported: to itself, or to the state with the state's own. */
export const COLLECTS = ['own', 'with-state'] as const;
export type Collects = (typeof COLLECTS)[number];

/** What the seller says of the tax of one county or city. */
export type LocalReturn = {
  readonly place: string;
  readonly localTax: Collects;
  readonly account?: string | undefined;
  /** That of the state when left out. */
  readonly frequency?: Frequency | undefined;
};

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
  /** Who gets the tax of counties and cities that can collect it themselves; the law says it when left out. */
  readonly localTax?: Collects | undefined;
  readonly localReturns?: readonly LocalReturn[];
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
  /** What the state asks for a delivered sale, in dollars, where the law here does not know it; `none` for a seller who owes none. */
  readonly deliveryFee?: string | undefined;
  /** Discounts already taken in this calendar year, where a cap runs by the year. */
  readonly discountsThisYear?: Money;
};

/** How one return of a state is filed. What was paid in advance is with the state, for its own return. */
export const registrationFor = (
  registration: FilingRegistration,
  { kind, name }: Pick<StateFigures, 'kind' | 'name'>,
): FilingRegistration => {
  if (kind === 'state') return registration;
  const { state, since, frequency } = registration;
  // A fee has an account of its own, which no registration names.
  if (kind === 'fee') return { state, since, frequency, account: '' };
  const own = localReturnOf(registration, name);
  const { basis } = registration;
  return {
    ...{ state, since, account: own?.account ?? '', frequency: own?.frequency ?? frequency },
    ...(basis !== undefined && { basis }),
  };
};

/** How often one return of a state is filed: a place may have set another frequency than the state. */
export const frequencyOf = (
  registration: Pick<FilingRegistration, 'frequency' | 'localReturns'>,
  { kind, name }: Pick<StateFigures, 'kind' | 'name'>,
): Frequency =>
  (kind === 'state' || kind === 'fee' ? undefined : localReturnOf(registration, name)?.frequency) ??
  registration.frequency;

const localReturnOf = (
  { localReturns }: Pick<FilingRegistration, 'localReturns'>,
  name: string,
): LocalReturn | undefined => localReturns?.find(({ place }) => isSameName(place, name));

/** Whether two texts name the same county or city. */
export const isSameName = (left: string, right: string): boolean =>
  left.toUpperCase() === right.trim().toUpperCase();

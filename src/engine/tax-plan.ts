import type { TaxContent } from '../content/tax-content.ts';
import { hasStates } from '../contract/on-file.ts';
import type { TaxRequest } from '../contract/tax-request.ts';
import type {
  CaBreakdown,
  CountryBreakdown,
  Jurisdictions,
  TaxSource,
  UsBreakdown,
} from '../contract/tax-result.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  type FullAddress,
  hasFromAddress,
  isInRegion,
  normaliseAddress,
  type Order,
  type Seller,
} from './order.ts';
import type { OrderRules, OrderTax } from './order-tax.ts';

/** The plan for taxing an order with nexus: what a country decides before any amount is considered. */
export type TaxPlan = {
  readonly source: TaxSource;
  readonly jurisdictions: Jurisdictions;
  readonly rules: OrderRules;
  readonly print: (order: Order, tax: OrderTax) => UsBreakdown | CaBreakdown | CountryBreakdown;
  /** Lists what is doubtful; called only when the request asks for an explanation. */
  readonly doubts: () => readonly string[];
};

/** What a plan is made from: an order with its addresses and its seller, and the law and the nexus of its day. */
export type OrderToTax = {
  readonly content: TaxContent;
  readonly seller: Seller;
  readonly order: Order;
  readonly to: FullAddress;
  readonly from: FullAddress | undefined;
  readonly nexus: NexusBasis;
  readonly date: CalendarDate;
};

/** Whether there is nexus in a country, or in one of its states or provinces. */
export type NexusBasis = (country: string, state?: string) => boolean;

const isUsable = ({ country, state }: FullAddress): boolean =>
  country !== '' && (state !== '' || !hasStates(country));

export const isRegistered = (
  entry: { readonly from?: CalendarDate | undefined; readonly to?: CalendarDate | undefined },
  date: CalendarDate,
): boolean =>
  (entry.from === undefined || entry.from <= date) && (entry.to === undefined || date <= entry.to);

/** Whether the seller has elected, for a state and a day, the single rate that it offers instead of its local rates. */
export const takesOneRate = (seller: Seller, to: FullAddress, date: CalendarDate): boolean =>
  seller.nexus.some((entry) => entry.oneRate === true && isRegistered(entry, date) && isInRegion(entry, to));

/**
 * Determine where there is nexus. The request's nexus addresses replace everything else. Without them there is nexus
 * where the account has it, and where the request says that the order ships from. The address on file counts only if
 * there is nothing else.
 */
export const nexusBasis = (
  request: TaxRequest,
  seller: Seller,
  origin: FullAddress | undefined,
  date: CalendarDate,
): NexusBasis => {
  const addresses = addressesOf(request, seller, origin, date);
  return (country, state) =>
    addresses.some((entry) => entry.country === country && (state === undefined || entry.state === state));
};

const addressesOf = (
  request: TaxRequest,
  seller: Seller,
  origin: FullAddress | undefined,
  date: CalendarDate,
): readonly FullAddress[] => {
  if (request.nexus_addresses?.length) return request.nexus_addresses.map(normaliseAddress).filter(isUsable);
  const account = seller.nexus.length > 0 ? registeredOn(seller.nexus, date) : [];
  if (origin === undefined || !isUsable(origin)) return account;
  return hasFromAddress(request) || seller.nexus.length === 0 ? [...account, origin] : account;
};

/** Cache of the addresses registered on a day, by the nexus of an account, which is the same for many requests. */
const registered = new WeakMap<Seller['nexus'], Map<CalendarDate, readonly FullAddress[]>>();

/** Maximum number of days to cache: those of a year. */
const DAYS_MAX = 366;

const registeredOn = (nexus: Seller['nexus'], date: CalendarDate): readonly FullAddress[] => {
  const days = registered.get(nexus) ?? new Map<CalendarDate, readonly FullAddress[]>();
  registered.set(nexus, days);
  const known = days.get(date);
  if (known) return known;
  const addresses = nexus
    .filter((entry) => isRegistered(entry, date))
    .map(normaliseAddress)
    .filter(isUsable);
  if (days.size === DAYS_MAX) days.clear();
  days.set(date, addresses);
  return addresses;
};

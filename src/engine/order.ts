import { parseZip, statesOfZip } from '../content/place-lookup.ts';
import { regionCode } from '../content/region-names.ts';
import type { BuyerUse, TaxContent } from '../content/tax-content.ts';
import type { AddressOnFile, Customer, NexusOnFile } from '../contract/on-file.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { SentAddresses } from '../contract/scalars.ts';
import type { TaxLineItem, TaxRequest } from '../contract/tax-request.ts';
import type { TaxedAddress } from '../contract/tax-service.ts';
import { roundBigQuotient, roundQuotient } from '../kernel/decimal.ts';
import { type Price, price, ZERO_PRICE } from '../kernel/money.ts';

/** One thing that is taxed separately: a line item, or the whole amount if no lines were sent. */
export type OrderLine = {
  readonly id: string;
  /** The product tax code; empty means fully taxable. */
  readonly code: string;
  readonly quantity: number;
  /** Unit price times quantity, less the discount. */
  readonly net: Price;
};

export type Order = {
  readonly lines: readonly OrderLine[];
  /** Whether the request has line items, and so the result a breakdown. */
  readonly itemized: boolean;
  readonly shipping: Price;
  readonly total: Price;
};

/** The largest amount of an order, in ten-thousandths of a dollar: 400 billion dollars. */
const AMOUNT_MAX = 4_000_000_000_000_000;

/** @throws {ServiceRefusal} 406 when the amount is more than this service calculates with */
const bounded = (amount: number, parameter: string): Price => {
  if (!(Math.abs(amount) <= AMOUNT_MAX)) throw new ServiceRefusal(406, `${parameter} is too large`);
  return price(amount);
};

const lineOf = (item: TaxLineItem, index: number): OrderLine => {
  const gross = bounded((item.unit_price ?? 0) * item.quantity, 'line_items amount');
  return {
    id: item.id ?? String(index + 1),
    code: item.product_tax_code ?? '',
    quantity: item.quantity,
    net: bounded(gross - (item.discount ?? 0), 'line_items amount'),
  };
};

/** Read line items by position; of several with the same id, the first counts. */
const linesOf = (items: readonly TaxLineItem[]): OrderLine[] => {
  const ids = new Set<string>();
  const lines: OrderLine[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as TaxLineItem;
    if (item.id !== undefined) {
      if (ids.has(item.id)) continue;
      ids.add(item.id);
    }
    lines.push(lineOf(item, index));
  }
  return lines;
};

/** Return the order to tax. If amount and lines disagree, the lines count. */
export const orderOf = (request: TaxRequest): Order => {
  const { line_items: items = [] } = request;
  const itemized = items.length > 0;
  const lines = itemized
    ? linesOf(items)
    : [{ id: '1', code: '', quantity: 1, net: bounded(request.amount ?? ZERO_PRICE, 'amount') }];
  const shipping = bounded(request.shipping, 'shipping');
  let total: number = shipping;
  let gross = Math.abs(shipping);
  for (const { net } of lines) {
    total += net;
    gross += Math.abs(net);
  }
  bounded(gross, 'amount');
  return { lines, itemized, shipping, total: price(total) };
};

/** An address with all parts; a part that was not given is empty. Codes are upper case. */
export type FullAddress = TaxedAddress;

/** Territories that some callers send as countries, and second codes of countries. */
const TERRITORIES: ReadonlySet<string> = new Set(['PR', 'GU', 'VI', 'AS', 'MP']);
const SECOND_CODES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
]);

/** Normalize country and state codes: written-out states, territories sent as countries, second codes. */
export const normaliseAddress = (address: AddressOnFile): FullAddress => {
  const country = address.country.toUpperCase();
  const parts = { zip: address.zip ?? '', city: address.city ?? '', street: address.street ?? '' };
  if (TERRITORIES.has(country)) return { country: 'US', state: country, ...parts };
  const settled = SECOND_CODES.get(country) ?? country;
  const state = (address.state ?? '').trim().toUpperCase();
  return { country: settled, state: regionCode(settled, state) ?? state, ...parts };
};

/** The addresses of a request, or of a transaction, as they were sent. */
type Sent = { readonly [Part in keyof typeof SentAddresses]?: string | undefined } & {
  readonly to_country: string;
};

/** Whether a place is in the same state or, of a country without states, the same country as an address. */
export const isInRegion = (place: AddressOnFile, { country, state }: FullAddress): boolean => {
  const own = normaliseAddress(place);
  return own.country === country && own.state === state;
};

export const destinationOf = (sent: Sent): FullAddress =>
  normaliseAddress({
    country: sent.to_country,
    state: sent.to_state,
    zip: sent.to_zip,
    city: sent.to_city,
    street: sent.to_street,
  });

/** Return the address from which a sale ships as it was sent, in the United States if no country was. */
export const sentOriginOf = (sent: Sent): FullAddress =>
  normaliseAddress({
    country: sent.from_country ?? 'US',
    state: sent.from_state,
    zip: sent.from_zip,
    city: sent.from_city,
    street: sent.from_street,
  });

/**
 * Whether the request itself names the address that the order ships from. The country US names none by itself: it is what
 * is assumed without a country, and many callers always send it.
 */
export const hasFromAddress = (request: TaxRequest): boolean =>
  (request.from_country ?? 'US') !== 'US' ||
  request.from_state !== undefined ||
  request.from_zip !== undefined;

/** Return the address that the order ships from: the request's `from_` address, otherwise the address on file. */
export const originOf = (request: TaxRequest, seller: Seller): FullAddress | undefined =>
  hasFromAddress(request) ? sentOriginOf(request) : seller.address && normaliseAddress(seller.address);

/**
 * Check that a ZIP is well formed and used in its state. Callers match on the wording. Where no country was sent, a ZIP of
 * any form may be the postal code of another one.
 *
 * @throws {ServiceRefusal} 406 for a malformed ZIP, 400 when ZIP and state contradict each other
 */
export const checkZip = (
  content: TaxContent,
  side: 'to' | 'from',
  address: FullAddress,
  sent: Sent,
): void => {
  const text = sent[`${side}_zip`];
  if (address.country !== 'US' || text === undefined) return;
  const zip = parseZip(text);
  if (!zip) {
    if (sent[`${side}_country`] === undefined) return;
    throw new ServiceRefusal(406, `${side}_zip ${text} isn't a valid postal code for US`);
  }
  if (address.state === '' || statesOfZip(content, zip.zip5).includes(address.state)) return;
  throw new ServiceRefusal(
    400,
    `${side}_zip ${text} is not used within ${side}_state ${sent[`${side}_state`] ?? address.state}`,
  );
};

/**
 * An exact amount of 1e-4 dollars: `value / divisor`. A share of freight and a percentage of a price are seldom whole; to
 * round them before they are taxed would round the tax twice.
 */
export type Amount = { readonly value: Integer; readonly divisor: Integer };

export const wholeAmount = (value: number): Amount => ({ value, divisor: 1 });

export const absolute = (amount: Amount): Amount =>
  amount.value < 0 ? { ...amount, value: times(amount.value, -1) } : amount;

export const isBelow = ({ value, divisor }: Amount, limit: number): boolean => value < times(limit, divisor);

export const isOver = ({ value, divisor }: Amount, limit: number): boolean => value > times(limit, divisor);

/** What of a positive amount is above a limit. */
export const above = (amount: Amount, limit: number): Amount => {
  if (limit === 0) return amount;
  const { value, divisor } = amount;
  return { value: isOver(amount, limit) ? minus(value, times(limit, divisor)) : 0, divisor };
};

/** What of a positive amount is not above a limit. */
export const upTo = (amount: Amount, limit: number): Amount =>
  isBelow(amount, limit) ? amount : { value: times(limit, amount.divisor), divisor: amount.divisor };

/** Take a percentage of an amount. */
export const percentOf = ({ value, divisor }: Amount, percent: number): Amount =>
  percent === 100 ? { value, divisor } : { value: times(value, percent), divisor: times(divisor, 100) };

/** A whole number of any size, exact: a number while it is a safe integer, and a bigint only beyond 2^53. */
export type Integer = number | bigint;

const isSafe = (value: number): boolean =>
  value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;

const shortest = (value: bigint): Integer => {
  const short = Number(value);
  return isSafe(short) ? short : value;
};

export const plus = (left: Integer, right: Integer): Integer => {
  if (typeof left === 'number' && typeof right === 'number') {
    const total = left + right;
    if (isSafe(total)) return total;
  }
  return shortest(BigInt(left) + BigInt(right));
};

export const times = (left: Integer, right: Integer): Integer => {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    // Zero has one sign.
    if (isSafe(product)) return product + 0;
  }
  return shortest(BigInt(left) * BigInt(right));
};

export const minus = (left: Integer, right: Integer): Integer => plus(left, -right);

/** Divide by a positive number and round down, toward minus infinity. */
export const floorOf = (dividend: Integer, divisor: Integer): Integer => {
  // The quotient of safe integers is nearer to its whole part than to the next number: see `roundQuotient`.
  if (typeof dividend === 'number' && typeof divisor === 'number') return Math.floor(dividend / divisor);
  const whole = BigInt(dividend);
  const by = BigInt(divisor);
  const quotient = whole / by;
  return shortest(whole < 0n && quotient * by !== whole ? quotient - 1n : quotient);
};

/** Divide by a positive number and round, half away from zero. */
export const roundOf = (dividend: Integer, divisor: Integer): number =>
  typeof dividend === 'number' && typeof divisor === 'number'
    ? roundQuotient(dividend, divisor)
    : Number(roundBigQuotient(BigInt(dividend), BigInt(divisor)));

/** An account's data on file: its address, where it has nexus, and the use that its buyers make of their purchases. */
export type Seller = {
  readonly address?: AddressOnFile | undefined;
  readonly nexus: readonly NexusOnFile[];
  readonly buyerUse?: BuyerUse | undefined;
};

/** A buyer on file. Without regions the exemption applies everywhere. */
export type ExemptCustomer = Pick<Customer, 'exemption_type' | 'exempt_regions'>;

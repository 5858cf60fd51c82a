import type { AddressOnFile, Customer, NexusOnFile } from '../../contract/on-file.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxLineItem, TaxRequest } from '../../contract/tax-request.ts';
import { roundBigQuotient, roundQuotient } from '../../kernel/decimal.ts';
import { type Price, price, ZERO_PRICE } from '../../kernel/money.ts';
import { parseZip, statesOfZip } from '../content/place-lookup.ts';
import { regionCode } from '../content/region-names.ts';
import type { BuyerUse, TaxContent } from '../content/tax-content.ts';

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
  const itemized = request.line_items !== undefined && request.line_items.length > 0;
  const lines = itemized
    ? linesOf(request.line_items ?? [])
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
export type FullAddress = {
  readonly country: string;
  readonly state: string;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
};

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

export const destinationOf = (request: TaxRequest): FullAddress =>
  normaliseAddress({
    country: request.to_country,
    state: request.to_state,
    zip: request.to_zip,
    city: request.to_city,
    street: request.to_street,
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
export const originOf = (request: TaxRequest, seller: Seller): FullAddress | undefined => {
  if (!hasFromAddress(request)) return seller.address && normaliseAddress(seller.address);
  return normaliseAddress({
    country: request.from_country ?? 'US',
    state: request.from_state,
    zip: request.from_zip,
    city: request.from_city,
    street: request.from_street,
  });
};

/**
 * Check that a ZIP is well formed and used in its state. Callers match on the wording.
 *
 * @throws {ServiceRefusal} 406 for a malformed ZIP, 400 when ZIP and state contradict each other
 */
export const checkZip = (
  content: TaxContent,
  side: 'to' | 'from',
  address: FullAddress,
  stated: {
    readonly zip: string | undefined;
    readonly state: string | undefined;
    /** `false` if the country was only assumed: a ZIP of any form may be the postal code of another country. */
    readonly isCountryGiven?: boolean;
  },
): void => {
  if (address.country !== 'US' || stated.zip === undefined) return;
  const zip = parseZip(stated.zip);
  if (!zip) {
    if (stated.isCountryGiven === false) return;
    throw new ServiceRefusal(406, `${side}_zip ${stated.zip} isn't a valid postal code for US`);
  }
  if (address.state === '' || statesOfZip(content, zip.zip5).includes(address.state)) return;
  throw new ServiceRefusal(
    400,
    `${side}_zip ${stated.zip} is not used within ${side}_state ${stated.state ?? address.state}`,
  );
};

/**
 * An exact amount of 1e-4 dollars: a whole number and a part, `whole + part / divisor`, the part with the sign of the
 * amount and smaller than the divisor. A share of freight and a percentage of a price are seldom whole; to round them
 * before they are taxed would round the tax twice.
 */
export type Amount = { readonly whole: number; readonly part: Integer; readonly divisor: Integer };

export const wholeAmount = (whole: number): Amount => ({ whole, part: 0, divisor: 1 });

/** Divide by a positive number. */
export const quotientOf = (dividend: Integer, divisor: Integer): Amount => {
  if (dividend < 0) return negated(quotientOf(times(dividend, -1), divisor));
  const whole = floorOf(dividend, divisor);
  return { whole: Number(whole), part: minus(dividend, times(whole, divisor)), divisor };
};

const negated = ({ whole, part, divisor }: Amount): Amount => ({
  whole: -whole + 0,
  part: times(part, -1),
  divisor,
});

export const isNegative = ({ whole, part }: Amount): boolean => whole < 0 || part < 0;

export const absolute = (amount: Amount): Amount => (isNegative(amount) ? negated(amount) : amount);

// Limits are whole: an amount is below one if its whole part is.

/** Whether a positive amount is more than a whole limit. */
export const isOver = ({ whole, part }: Amount, limit: number): boolean =>
  whole > limit || (whole === limit && part > 0);

/** What of a positive amount is above a whole limit. */
export const above = (amount: Amount, limit: number): Amount => {
  if (limit === 0) return amount;
  const { whole, part, divisor } = amount;
  return whole < limit ? { whole: 0, part: 0, divisor } : { whole: whole - limit, part, divisor };
};

/** What of a positive amount is not above a whole limit. */
export const upTo = (amount: Amount, limit: number): Amount =>
  amount.whole < limit ? amount : wholeAmount(limit);

/** Take a percentage of a positive amount. */
export const percentOf = (amount: Amount, percent: number): Amount => {
  if (percent === 100) return amount;
  const { whole, part, divisor } = amount;
  const hundredths = times(divisor, 100);
  const product = times(whole, percent);
  const quotient = floorOf(product, 100);
  const rest = quotientOf(
    plus(times(minus(product, times(quotient, 100)), divisor), times(part, percent)),
    hundredths,
  );
  return { ...rest, whole: Number(quotient) + rest.whole };
};

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
  const [whole, by] = [BigInt(dividend), BigInt(divisor)];
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

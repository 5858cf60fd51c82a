import type { AddressOnFile } from '../../contract/on-file.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxRequest } from '../../contract/tax-request.ts';
import { regionCode } from '../content/region-names.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { parseZip, statesOfZip } from '../content/zip-code.ts';
import type { Seller } from './seller.ts';

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

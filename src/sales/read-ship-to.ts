import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { type Money, ZERO } from '../kernel/money.ts';
import { once } from '../kernel/once.ts';
import { generalZipOf, plainName, usRegionCode, usRegionName, usRegionsOfZip } from '../kernel/us-regions.ts';
import { ifStated, type TextExpression } from './expression.ts';
import type { RowReader } from './row-reader.ts';
import type { Place, SaleFinding } from './sale.ts';
import type { AddressColumns, SaleMap } from './sale-map.ts';
import { pickupReader, type SellerPlaces, saleWords } from './sale-words.ts';
import { remembered, type TableRow } from './table-row.ts';

/** The place of a sale, with findings and doubts about it. */
type ShipTo = {
  readonly place: Place;
  readonly findings: readonly SaleFinding[];
  readonly doubts: readonly SaleFinding[];
  /** Set for a sale in person, or one that the buyer picked up. */
  readonly inPerson?: true;
};

/** Where the buyer took the goods, and the shop's own words for a pickup. */
export type SellerSays = SellerPlaces & { readonly pickup: readonly string[] };

const at = (
  place: Place,
  doubts: readonly SaleFinding[] = [],
  findings: readonly SaleFinding[] = [],
): ShipTo => ({ place, findings, doubts });

export const NOWHERE: Place = {
  country: '',
  state: '',
  zip: '',
  city: '',
  street: '',
};

/**
 * Return a reader of the destination in the form that the service takes: the ship-to address; else the place of business, if the buyer was there or picked
 * it up; else the billing address, which counts only where the export says that nothing was shipped.
 */
export const shipToReader = (
  map: SaleMap,
  read: RowReader,
  places: SellerSays,
): ((rows: readonly TableRow[], shipping: Money) => ShipTo) => {
  const shipToAt = placeReader(map.shipTo, read);
  const billingAt = placeReader(map.shipToFallback, read);
  const locationOf = ifStated(map.location, read.text);
  const isInPerson = ifStated(map.inPerson, read.holds);
  const methodOf = ifStated(map.shippingMethod, read.text);
  const nothingShips = ifStated(map.nothingShips, read.holds);
  const pickupOf = pickupReader(places.pickup, places);
  const normalOf = placeNormaliser(map.stateIsEnough);
  const inPerson = (sold: ShipTo): ShipTo => ({ ...sold, inPerson: true });
  const statedIn = (rows: readonly TableRow[], shipping: Money): ShipTo => {
    // A record has at least one row.
    const row = rows[0] as TableRow;
    const shipTo = shipToAt(row);
    const method = methodOf?.(row) ?? '';
    const pickup = pickupOf(method);
    if (shipTo && !shipTo.isBlank) {
      const isClear = pickup === 'none' || isAtStore(shipTo.place, places);
      const elsewhere = unclear(`"${method}" may be a pickup, and the ship-to address is elsewhere`);
      return at(shipTo.place, isClear ? [] : [elsewhere]);
    }
    const isHere = isInPerson?.(row);
    const location = locationOf?.(row) ?? '';
    if (locationOf && isHere !== false) return inPerson(located(location, places, SOLD));
    if (isHere) return inPerson(atSeller(places, '', SOLD));
    if (typeof pickup === 'object' && shipping === ZERO)
      return inPerson(located(location === '' ? pickup.at : location, places, `"${method}": picked up`));
    const billing = billingAt(row);
    if (!billing || billing.isBlank) return at(shipTo?.place ?? NOWHERE);
    const isDigital = pickup === 'none' && rows.every((each) => nothingShips?.(each) === true);
    return isDigital ? at(billing.place, [], [NOTHING_SHIPPED]) : at(billing.place, [notShipped(method)]);
  };
  return (rows, shipping) => {
    const stated = statedIn(rows, shipping);
    const { place, findings, doubts } = normalOf(stated.place);
    // Of a place that is not known there is nothing more to say.
    const isKnown = stated.place !== NOWHERE || stated.doubts.length === 0;
    return {
      ...stated,
      place,
      findings: [...stated.findings, ...findings],
      doubts: [...stated.doubts, ...(isKnown ? doubts : [])],
    };
  };
};

/** Finding code for a sale whose place a person has to decide about; until then it is shown at the billing address. */
export const PLACE_UNCLEAR = 'place-unclear';

/** Finding code for a sale at the billing address, of which the export says that nothing was shipped. */
export const BILLING_USED = 'billing-address-used';

const NOTHING_SHIPPED: SaleFinding = {
  code: BILLING_USED,
  message: 'nothing was shipped; the billing address is used',
};

const unclear = (what: string): SaleFinding => ({ code: PLACE_UNCLEAR, message: what });

/** Why the billing address of a sale without a ship-to address does not count. */
const notShipped = (method: string): SaleFinding => {
  const by = method === '' ? '' : `, shipping method "${method}"`;
  return unclear(`no ship-to address${by}: the billing address may be another place`);
};

/** Whether an address is at a place of business: then a pickup and a delivery are taxed alike. */
const isAtStore = ({ zip }: Place, { sellerPlace, locations }: SellerPlaces): boolean =>
  [sellerPlace, ...Object.values(locations)].some((store) => zip !== '' && store.zip === zip);

const SOLD = 'sold in person';

const atSeller = ({ sellerPlace }: SellerPlaces, name: string, how: string): ShipTo => {
  const where = name === '' ? '' : ` at ${name}`;
  const message = `${how}${where}, so at the seller’s address`;
  return at(sellerPlace, [], [{ code: 'sold-in-person', message }]);
};

/**
 * The place of a sale by its name. Without configured places, the seller has a single shop at its own address: the first
 * that is named.
 */
const located = (name: string, places: SellerPlaces, how: string): ShipTo => {
  const { locations, sellerPlace, shops } = places;
  const names = Object.keys(locations);
  const place = locations[name];
  if (place) return at(place);
  if (names.length > 0) {
    const message = `${how} at "${name}", which is not among the channel's locations: ${names.join(', ')}`;
    return at(NOWHERE, [{ code: 'unknown-location', message }]);
  }
  if (name !== '') shops.add(name);
  const [first] = shops;
  if (name === '' || name === first) return atSeller(places, name, how);
  const message = `the exports name several places of business, such as ${first} and ${name}, and the channel has no \`locations\`: give each of them its address there; until then those of ${first} count at the seller’s address`;
  return at(sellerPlace, [{ code: 'unknown-location', message }]);
};

const placeReader = (columns: AddressColumns | undefined, read: RowReader) => {
  if (!columns) return () => undefined;
  const parts = Object.entries(columns).map(([name, text]) => {
    return { name: name as keyof Place, textOf: read.text(text), isOfCells: isOfCells(text) };
  });
  return (row: TableRow) => {
    const place: Record<keyof Place, string> = { ...NOWHERE };
    let isBlank = true;
    for (const { name, textOf, isOfCells } of parts) {
      const text = textOf(row);
      place[name] = text;
      if (isOfCells && text !== '') isBlank = false;
    }
    return { place, isBlank };
  };
};

/** Whether a text comes only from cells: constants of the profile do not count as a filled address. */
const isOfCells = (expression: TextExpression): boolean => {
  if (typeof expression === 'string') return true;
  return 'first' in expression && expression.first.every(isOfCells);
};

/**
 * Return `normalPlace` with a cache by country, state and ZIP code.
 *
 * @param stateIsEnough whether a US address may be a whole state
 */
const placeNormaliser = (stateIsEnough: boolean): ((given: Place) => ShipTo) => {
  const known = remembered((key) => {
    const [country = '', state = '', zip = ''] = key.split('\u0001');
    return normalPlace(
      {
        country,
        state,
        zip,
        city: '',
        street: '',
      },
      stateIsEnough,
    );
  });
  return ({ country, state, zip, city, street }) => {
    const found = known(`${country}\u0001${state}\u0001${zip}`);
    return { ...found, place: { ...found.place, city, street } };
  };
};

/**
 * Normalize an address for the service: country and state as codes, US ZIP codes as five digits or ZIP+4. An address
 * without a country is doubtful, never foreign; so is a foreign country with a US ZIP code. Leading zeros that a
 * spreadsheet removed from a ZIP code are restored only if the result is in the state.
 */
export const normalPlace = (given: Place, stateIsEnough = false): ShipTo => {
  const upper = given.country.toUpperCase();
  if (upper === '') return doubtful(given, upper, 'no-country', 'the address names no country');
  const country = upper === 'US' ? upper : countryCode(upper);
  if (country === undefined) {
    const message = `"${given.country}" is not a country by name or code`;
    return doubtful(given, upper, 'unknown-country', message);
  }
  // Puerto Rico and the islands have their own ISO country codes, but are states for mail and tax.
  if (US_TERRITORIES.has(country)) return usPlace({ ...given, state: country }, stateIsEnough);
  if (country === 'US') return usPlace(given, stateIsEnough);
  const state = usRegionCode(given.state === '' ? country : given.state);
  const regions = US_ZIP.test(given.zip) ? usRegionsOfZip(given.zip) : [];
  if (state !== undefined && regions.includes(state)) {
    const message = `the country is "${given.country}", and ZIP ${given.zip} lies in ${usRegionName(state)}`;
    return doubtful(given, country, 'zip-not-in-country', message);
  }
  return at({ ...given, country });
};

const US_ZIP = /^\d{5}(-\d{4})?$/;

const usPlace = (given: Place, stateIsEnough: boolean): ShipTo => {
  const country = 'US';
  const state = usRegionCode(given.state);
  if (state === undefined) {
    const message =
      given.state === '' ? 'the address names no state' : `"${given.state}" is not a US state or territory`;
    return doubtful(given, country, 'unknown-state', message);
  }

  const { zip, restored } = normalZip(given.zip, state);
  const place = { ...given, country, state, zip };
  if (zip === '') return stateIsEnough ? wholeState(place) : doubtful(place, country, 'bad-zip', NO_ZIP);
  if (!US_ZIP.test(zip)) return doubtful(place, country, 'bad-zip', `"${given.zip}" is not a US ZIP code`);
  if (!usRegionsOfZip(zip).includes(state)) {
    return doubtful(place, country, 'zip-not-in-state', `ZIP ${zip} does not lie in ${state}`);
  }
  const message = `ZIP "${given.zip}" lost its leading zero; read as ${zip}, which lies in ${state}`;
  return at(place, [], restored ? [{ code: 'zip-zero-restored', message }] : []);
};

const NO_ZIP = 'the address has no ZIP code';

/** An address that is a whole state: the state's tax is known, but not that of its places. */
const wholeState = (place: Place): ShipTo => {
  const zip = generalZipOf(place.state) ?? '';
  const message = `${NO_ZIP}: ${place.state} as a whole is meant, written as ${zip}, and the tax of its places is not known`;
  return at({ ...place, zip }, [], [{ code: 'state-only', message }]);
};

const doubtful = (place: Place, country: string, code: string, message: string): ShipTo =>
  at({ ...place, country }, [{ code, message }]);

const normalZip = (
  text: string,
  state: string,
): {
  readonly zip: string;
  readonly restored: boolean;
} => {
  // `2139.0` is a ZIP code stored as a floating-point number; `94610-` is a ZIP+4 without its last four digits.
  const zip = text
    .replace(/^'|'$/g, '')
    .trim()
    .replace(/(?<=^\d{1,5})(?:\.0|-)$/, '')
    .replace(/(?<=^\d{5}) +-? *(?=\d{4}$)/, '-');
  if (/^\d{9}$/.test(zip)) return { zip: withDash(zip), restored: false };
  if (/^(?:\d{1,4}|\d{7,8})$/.test(zip)) {
    const padded = zip.length < 5 ? zip.padStart(5, '0') : withDash(zip.padStart(9, '0'));
    if (usRegionsOfZip(padded).includes(state)) return { zip: padded, restored: true };
  }
  return { zip, restored: false };
};

const withDash = (nine: string): string => `${nine.slice(0, 5)}-${nine.slice(5)}`;

/** Territories with their own country code that are part of the United States for mail and tax. */
const US_TERRITORIES = new Set(['AS', 'GU', 'MP', 'PR', 'VI']);

/** Mail has a code of its own for Kosovo. */
const byCode = new Map(
  [...codes, ['XK', 'XKX']].flatMap(([alpha2 = '', alpha3 = '']) => [
    [alpha2, alpha2],
    [alpha3, alpha2],
  ]),
);

/**
 * Country codes by name, built on first use: asking the runtime for all names takes longer than a small close takes to
 * start, and most exports have codes.
 */
const namesOfCountries = once((): ReadonlyMap<string, string> => {
  const ofRuntime = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const ofPackage: Readonly<Record<string, string | string[]>> = english.countries;
  const known = new Map<string, string>();
  // Two countries share a name in the package: our own words decide.
  for (const namesOf of [(code: string) => ofPackage[code], ofRuntime.of.bind(ofRuntime), ownNamesOf])
    for (const code of new Set(byCode.values()))
      for (const name of [namesOf(code) ?? []].flat()) known.set(nameKey(name), code);
  return known;
});

const ownNamesOf = (code: string): readonly string[] => saleWords().countries[code] ?? [];

/** A name for comparison, with `&` as “and”, “Saint” as “St”, and without an article. */
const nameKey = (name: string): string =>
  plainName(
    name
      .replaceAll('&', ' and ')
      .replace(/\bsaint\b/gi, 'St')
      .replace(/^the /i, '')
      .replaceAll('-', ' '),
  );

/** The two-letter code of a country given by name or code, in any case; `undefined` if unknown. */
const countryCode = (text: string): string | undefined =>
  byCode.get(text.trim().toUpperCase()) ?? namesOfCountries().get(nameKey(text));

import { type Money, ZERO } from '../kernel/money.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import type { TextExpression } from './expression.ts';
import { ifStated, type RowReader, rowReader } from './row-reader.ts';
import type { Place, SaleFinding } from './sale.ts';
import type { AddressColumns, SaleMap } from './sale-map.ts';
import { type Pickup, pickupReader, type SellerPlaces } from './sale-words.ts';
import { columnWords, normalColumn, type TableRow } from './table-row.ts';

/** The place of a sale according to its source, with findings and doubts about it. */
export type ShipTo = {
  readonly place: Place;
  readonly findings: readonly SaleFinding[];
  readonly doubts: readonly SaleFinding[];
  /** Set for a sale in person, or one that the buyer picked up. */
  readonly inPerson?: true;
};

/** Where the buyer took the goods, and the shop's own words for a pickup. */
type SellerSays = SellerPlaces & { readonly pickup: readonly string[] };

export const NOWHERE: Place = { country: '', state: '', zip: '', city: '', street: '' };

/**
 * Return a reader of the destination: the ship-to address; else the place of business, if the buyer was there or picked
 * it up; else the billing address, which counts only where the export says that nothing was shipped.
 */
export const shipToReader = (
  map: SaleMap,
  header: readonly string[],
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
  const otherStates = otherStateIn(map, header);
  const checked = (sold: ShipTo, row: TableRow): ShipTo => ({
    ...sold,
    inPerson: true,
    doubts: sold.place.state === '' ? sold.doubts : [...sold.doubts, ...otherStates(row, sold.place.state)],
  });
  return (rows, shipping) => {
    const [row] = rows;
    if (!row) return { place: NOWHERE, findings: [], doubts: [] };
    const shipTo = shipToAt(row);
    const method = methodOf?.(row) ?? '';
    const pickup = pickupOf(method);
    if (shipTo && !shipTo.isBlank) {
      const isClear = pickup === 'none' || isAtStore(shipTo.place, places);
      return {
        place: shipTo.place,
        findings: [],
        doubts: isClear ? [] : [unclear(`"${method}" may be a pickup, and the ship-to address is elsewhere`)],
      };
    }
    const isHere = isInPerson?.(row);
    const location = locationOf?.(row) ?? '';
    if (locationOf && isHere !== false) return checked(located(location, places, SOLD), row);
    if (isHere) return checked(atSeller(places, '', SOLD), row);
    if (typeof pickup === 'object' && shipping === ZERO)
      return checked(located(location === '' ? pickup.at : location, places, `"${method}": picked up`), row);
    const billing = billingAt(row);
    if (!billing || billing.isBlank) return { place: shipTo?.place ?? NOWHERE, findings: [], doubts: [] };
    const isDigital = pickup === 'none' && rows.every((each) => nothingShips?.(each) === true);
    const { place } = billing;
    return isDigital
      ? { place, findings: [NOTHING_SHIPPED], doubts: [] }
      : { place, findings: [], doubts: [notShipped(pickup, method)] };
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
const notShipped = (pickup: Pickup, method: string): SaleFinding => {
  const why =
    typeof pickup === 'object'
      ? `shipping was charged for the pickup "${method}"`
      : method === ''
        ? 'nothing says where it went'
        : `the shipping method "${method}" does not say where it went`;
  return unclear(`no ship-to address, and ${why}: the billing address may be another place`);
};

/** Whether an address is at a place of business: then a pickup and a delivery are taxed alike. */
const isAtStore = ({ zip }: Place, { sellerPlace, locations }: SellerPlaces): boolean =>
  [sellerPlace, ...Object.values(locations)].some((store) => zip !== '' && store.zip === zip);

const SOLD = 'sold in person';

const atSeller = ({ sellerPlace }: SellerPlaces, name: string, how: string): ShipTo => {
  const where = name === '' ? '' : ` at ${name}`;
  const message = `${how}${where}, so at the seller’s address`;
  const isTrial = sellerPlace.state === '';
  return {
    place: sellerPlace,
    findings: [{ code: SOLD_IN_PERSON, message }],
    doubts: isTrial
      ? [{ code: SELLER_UNKNOWN, message: 'only a configuration says where the seller is' }]
      : [],
  };
};

/** Finding code for a sale in person when files are read without a configuration. */
const SELLER_UNKNOWN = 'unknown-seller-place';

/** Finding code for a sale that is assumed to have happened at the only place of business. */
export const SOLD_IN_PERSON = 'sold-in-person';

/** The place of a sale by its name. Without configured places, the seller has a single shop at its own address. */
const located = (name: string, places: SellerPlaces, how: string): ShipTo => {
  const names = Object.keys(places.locations);
  if (names.length === 0) return atSeller(places, name, how);
  const place = places.locations[name];
  if (place) return { place, findings: [], doubts: [] };
  const message =
    name === ''
      ? `${how}, and the record does not say at which of the channel's locations: ${names.join(', ')}`
      : `the place of business "${name}" is not among the channel's locations: ${names.join(', ')}`;
  return { place: NOWHERE, findings: [], doubts: [{ code: 'unknown-location', message }] };
};

type PlaceReader = (row: TableRow) => { readonly place: Place; readonly isBlank: boolean } | undefined;

const placeReader = (columns: AddressColumns | undefined, read: RowReader): PlaceReader => {
  if (!columns) return () => undefined;
  const parts = Object.entries(columns).map(([name, text]) => {
    return { name: name as keyof Place, textOf: read.text(text), isOfCells: isOfCells(text) };
  });
  return (row) => {
    const texts = parts.map(({ name, textOf }) => [name, textOf(row)] as const);
    const isBlank = texts.every(([, text], index) => text === '' || !parts[index]?.isOfCells);
    return { place: { ...NOWHERE, ...Object.fromEntries(texts) }, isBlank };
  };
};

/** Whether a text comes only from cells: constants of the profile do not count as a filled address. */
const isOfCells = (expression: TextExpression): boolean => {
  if (typeof expression === 'string') return true;
  return 'first' in expression && expression.first.every(isOfCells);
};

/** Return a function that reads the place of business in a row; empty if there is none. */
export const businessPlace = (
  map: Pick<SaleMap, 'location' | 'inPerson'>,
  read: RowReader,
): ((row: TableRow) => string) => {
  const nameOf = ifStated(map.location, read.text);
  const isInPerson = ifStated(map.inPerson, read.holds);
  return (row) => (nameOf && isInPerson?.(row) !== false ? nameOf(row) : '');
};

/** Report the places that a file names, and whether the channel has an address for each; nothing if it names none. */
export const placesNotice = (
  names: readonly string[],
  configured: Readonly<Record<string, unknown>>,
): readonly SaleFinding[] => {
  if (names.length === 0) return [];
  const known = names.map((name) =>
    Object.hasOwn(configured, name) ? name : `${name} (not among the channel's locations)`,
  );
  return [{ code: 'locations', message: `its places of business: ${known.join(', ')}` }];
};

/** Words for the state of a sale in column names. The buyer's state says nothing about a sale in person. */
const STATE = /\b(state|province|region|dest(ination)?|ship[- ]?to|deliver(y|ed)? ?to)\b|\bst$/;
const OF_BUYER = /\b(bill(ing|ed)?|cust(omer)?|buyer|client|member|payer)\b/;

/** Finding code for a sale in person whose row names a state other than that of its place. */
export const OTHER_STATE = 'other-state';

/**
 * Return a function that checks a sale in person for columns that name another state than that of its place, given as a
 * code. Columns that the profile uses for the place are skipped.
 */
const otherStateIn = (
  map: Pick<SaleMap, 'location' | 'inPerson' | 'shipTo' | 'shipToFallback'>,
  header: readonly string[],
): ((row: TableRow, state: string) => readonly SaleFinding[]) => {
  const { location, inPerson, shipTo, shipToFallback } = map;
  const lookedAt = new Set(textsIn([location, inPerson, shipTo, shipToFallback]).map(normalColumn));
  const columns = header.filter((column) => {
    const words = columnWords(column);
    return STATE.test(words) && !OF_BUYER.test(words) && !lookedAt.has(normalColumn(column));
  });
  // Columns that the profile does not list are looked at, too.
  const { text } = rowReader(header);
  const cells = columns.map((column) => ({ column: column.trim(), textOf: text(column) }));
  return (row, state) =>
    cells.flatMap(({ column, textOf }) => {
      const named = usRegionCode(textOf(row));
      if (named === undefined || named === state) return [];
      return [
        {
          code: OTHER_STATE,
          message: `sold in person, so in ${state}, and the column "${column}" has ${named}`,
        },
      ];
    });
};

/** All texts in some expressions, including their column names. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

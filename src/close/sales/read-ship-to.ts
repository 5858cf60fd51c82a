import type { TableRow } from './files/table-row.ts';
import { otherStateIn } from './other-state.ts';
import type { TextExpression } from './profile/expression.ts';
import type { AddressColumns, SaleMap } from './profile/sale-map.ts';
import type { TextOf } from './read-amount.ts';
import type { RowReader } from './row-reader.ts';
import type { Place, SaleFinding } from './sale.ts';

/** The place of a sale according to its source, with findings and doubts about it. */
export type ShipTo = {
  readonly place: Place;
  readonly findings: readonly SaleFinding[];
  readonly doubts: readonly SaleFinding[];
  /** Set for a sale in person. */
  readonly inPerson?: true;
};

export type SellerPlaces = {
  /** The place of in-person sales. */
  readonly sellerPlace: Place;
  /** The places of business, by their names in the source. */
  readonly locations: Readonly<Record<string, Place>>;
};

const NOWHERE: Place = { country: '', state: '', zip: '', city: '', street: '' };

/** Return a reader of the destination: the ship-to address, else the place of business, else the billing address. */
export const shipToReader = (
  map: SaleMap,
  header: readonly string[],
  read: RowReader,
  places: SellerPlaces,
): ((row: TableRow) => ShipTo) => {
  const shipToAt = placeReader(map.shipTo, read);
  const fallbackAt = placeReader(map.shipToFallback, read);
  const locationOf = map.location && read.text(map.location);
  const isInPerson = map.inPerson && read.holds(map.inPerson);
  const otherStates = otherStateIn(map, header, read);
  const checked = (sold: ShipTo, row: TableRow): ShipTo => ({
    ...sold,
    inPerson: true,
    doubts: sold.place.state === '' ? sold.doubts : [...sold.doubts, ...otherStates(row, sold.place.state)],
  });
  return (row) => {
    const shipTo = shipToAt(row);
    if (shipTo && !shipTo.isBlank) return { place: shipTo.place, findings: [], doubts: [] };
    const isHere = isInPerson?.(row);
    if (locationOf && isHere !== false) return checked(located(locationOf(row), places), row);
    if (isHere) return checked(inPerson(places, ''), row);
    const billing = fallbackAt(row);
    if (!billing || billing.isBlank) return { place: shipTo?.place ?? NOWHERE, findings: [], doubts: [] };
    return {
      place: billing.place,
      findings: [
        { code: 'billing-address-used', message: 'nothing was shipped; the billing address is used' },
      ],
      doubts: [],
    };
  };
};

const inPerson = ({ sellerPlace }: SellerPlaces, name: string): ShipTo => {
  const where = name === '' ? '' : ` at ${name}`;
  const message = `sold in person${where}, so at the seller’s address`;
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
const located = (name: string, places: SellerPlaces): ShipTo => {
  const names = Object.keys(places.locations);
  if (names.length === 0) return inPerson(places, name);
  const place = places.locations[name];
  if (place) return { place, findings: [], doubts: [] };
  const message =
    name === ''
      ? `sold in person, and the record does not say at which of the channel's locations: ${names.join(', ')}`
      : `the place of business "${name}" is not among the channel's locations: ${names.join(', ')}`;
  return { place: NOWHERE, findings: [], doubts: [{ code: 'unknown-location', message }] };
};

type PlaceReader = (row: TableRow) => { readonly place: Place; readonly isBlank: boolean } | undefined;

const placeReader = (columns: AddressColumns | undefined, read: RowReader): PlaceReader => {
  if (!columns) return () => undefined;
  const [countryOf, stateOf, zipOf] = [
    read.text(columns.country),
    read.text(columns.state),
    read.text(columns.zip),
  ];
  const [cityOf, streetOf] = [read.text(columns.city), read.text(columns.street)];
  const cells: readonly TextOf[] = Object.values(columns).filter(isOfCells).map(read.text);
  return (row) => ({
    place: {
      country: countryOf(row),
      state: stateOf(row),
      zip: zipOf(row),
      city: cityOf(row),
      street: streetOf(row),
    },
    isBlank: cells.every((cell) => cell(row) === ''),
  });
};

/** Whether a text comes only from cells: constants of the profile do not count as a filled address. */
const isOfCells = (expression: TextExpression): boolean => {
  if (typeof expression === 'string') return true;
  return 'first' in expression && expression.first.every(isOfCells);
};

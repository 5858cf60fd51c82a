import type { TableRow } from './files/table-row.ts';
import type { SaleMap } from './profile/sale-map.ts';
import { ifStated, type RowReader } from './row-reader.ts';
import type { SaleFinding } from './sale.ts';

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

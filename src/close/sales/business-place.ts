import type { TableRow } from './files/table-row.ts';
import type { SaleMap } from './profile/sale-map.ts';
import { ifStated, type RowReader } from './row-reader.ts';
import type { SaleFinding } from './sale.ts';

/** The place of business that a row names; empty where it names none. */
export const businessPlace = (
  map: Pick<SaleMap, 'location' | 'inPerson'>,
  read: RowReader,
): ((row: TableRow) => string) => {
  const nameOf = ifStated(map.location, read.text);
  const isInPerson = ifStated(map.inPerson, read.holds);
  return (row) => (nameOf && isInPerson?.(row) !== false ? nameOf(row) : '');
};

/** Which places a file names, and which of them the channel gives an address; nothing where it names none. */
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

import type { TableRow } from './files/table-row.ts';
import type { SaleMap } from './profile/sale-map.ts';
import { ifStated, type RowReader } from './row-reader.ts';
import type { Remark } from './sale.ts';

/** Notes the places of business that the rows of one file name. */
export type PlaceMeter = {
  readonly pass: (row: TableRow) => void;
  readonly names: () => readonly string[];
};

export const placeMeter = (map: Pick<SaleMap, 'location' | 'inPerson'>, read: RowReader): PlaceMeter => {
  const nameOf = ifStated(map.location, read.text);
  const isInPerson = ifStated(map.inPerson, read.holds);
  const found = new Set<string>();
  return {
    pass: (row) => {
      if (nameOf && isInPerson?.(row) !== false) found.add(nameOf(row));
    },
    names: () => [...found].filter((name) => name !== '').sort(),
  };
};

/** Which places a file names, and which of them the channel gives an address; nothing where it names none. */
export const placesNotice = (
  names: readonly string[],
  configured: Readonly<Record<string, unknown>>,
): readonly Remark[] => {
  if (names.length === 0) return [];
  const known = names.map((name) =>
    Object.hasOwn(configured, name) ? name : `${name} (not among the channel's locations)`,
  );
  return [{ code: 'locations', message: `its places of business: ${known.join(', ')}` }];
};

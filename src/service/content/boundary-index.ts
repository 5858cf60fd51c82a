import type { ContentFolder } from './content-folder.ts';
import { readTableText } from './content-table.ts';
import { OPEN_END } from './dated.ts';
import { parseStreet } from './street-name.ts';
import type { BoundaryHit, BoundaryIndex } from './tax-content.ts';

type BoundaryRow = {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly plus4Low: string;
  readonly plus4High: string;
  readonly street: string;
  readonly numberLow: number;
  readonly numberHigh: number;
  readonly parity: string;
  readonly county: string;
  readonly place: string;
  readonly specials: readonly string[];
};

/** A range of add-ons this wide covers the whole ZIP. */
const WIDE_LOW = '0001';
const WIDE_HIGH = '9998';
/** ZIPs a single range may name; a wider one is cut there. */
const RANGE_MAX = 1_000;

/**
 * The index of a boundary table. It is read when the first address of its state is asked for. A state can have more
 * than a million lines, so they stay one text, and only those of the ZIP that is asked for are taken apart.
 */
export const boundaryIndex = (folder: ContentFolder, table: string): BoundaryIndex => {
  let lines: BoundaryLines | undefined;
  return {
    find: (zip5, plus4, street, date) => {
      lines ??= readLines(folder, table);
      const here = lines.of(zip5).filter(({ from, to }) => from <= date && date <= to);
      return byAddress(here, street) ?? byPlus4(here, plus4) ?? byZip(here);
    },
  };
};

type BoundaryLines = { readonly of: (zip5: string) => BoundaryRow[] };

const readLines = (folder: ContentFolder, table: string): BoundaryLines => {
  const { text, columns } = readTableText(folder, table);
  const at = (name: string) => columns.indexOf(name);
  const [low, high] = [at('zip_low'), at('zip_high')];
  const starts = new Map<string, number[]>();
  for (let start = text.indexOf('\n') + 1; start < text.length; start = text.indexOf('\n', start) + 1) {
    const cells = lineAt(text, start).split('\t', high + 1);
    const [first, last] = [Number(cells[low]), Number(cells[high])];
    for (let zip = first; zip <= last && zip - first <= RANGE_MAX; zip += 1) {
      const key = String(zip).padStart(5, '0');
      const group = starts.get(key);
      if (group) group.push(start);
      else starts.set(key, [start]);
    }
  }
  const rowAt = (start: number): BoundaryRow => {
    const cells = lineAt(text, start).split('\t');
    return boundaryRow((name) => cells[at(name)] ?? '');
  };
  return { of: (zip5) => (starts.get(zip5) ?? []).map(rowAt) };
};

const lineAt = (text: string, start: number): string => text.slice(start, text.indexOf('\n', start));

const boundaryRow = (cell: (name: string) => string): BoundaryRow => ({
  type: cell('type'),
  from: cell('from'),
  to: cell('to') || OPEN_END,
  plus4Low: cell('plus4_low'),
  plus4High: cell('plus4_high'),
  street: cell('street'),
  numberLow: Number(cell('number_low') || 0),
  numberHigh: Number(cell('number_high') || Number.MAX_SAFE_INTEGER),
  parity: cell('parity'),
  county: cell('county'),
  place: cell('place'),
  specials: cell('specials') === '' ? [] : cell('specials').split(' '),
});

const hit = (row: BoundaryRow | undefined, precision: BoundaryHit['precision']): BoundaryHit | undefined =>
  row && { county: row.county, place: row.place, specials: row.specials, precision };

const byAddress = (rows: readonly BoundaryRow[], line: string): BoundaryHit | undefined => {
  const address = parseStreet(line);
  if (!address) return undefined;
  const { number, street } = address;
  const isOnSide = (parity: string) => parity !== (number % 2 === 0 ? 'O' : 'E');
  const found = rows.find(
    (row) =>
      row.type === 'A' &&
      row.street === street &&
      row.numberLow <= number &&
      number <= row.numberHigh &&
      isOnSide(row.parity),
  );
  return hit(found, 'address');
};

const byPlus4 = (rows: readonly BoundaryRow[], plus4: string | undefined): BoundaryHit | undefined => {
  if (plus4 === undefined) return undefined;
  const found = rows.find((row) => row.type === '4' && row.plus4Low <= plus4 && plus4 <= row.plus4High);
  return hit(found, 'zip4');
};

const byZip = (rows: readonly BoundaryRow[]): BoundaryHit | undefined => {
  const whole = rows.find(({ type }) => type === 'Z');
  if (whole) return hit(whole, 'zip5-unique');
  const wide = rows.find((row) => row.type === '4' && row.plus4Low <= WIDE_LOW && row.plus4High >= WIDE_HIGH);
  return hit(wide, 'zip5-unique');
};

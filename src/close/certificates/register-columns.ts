import { normalColumn } from '../sales/files/normal-column.ts';

/** The columns of a register, each with the header texts that mean it. */
const COLUMNS = {
  certificate: [
    'certificate',
    'certificate id',
    'certificate number',
    'certificate no',
    'exemption certificate',
    'id',
  ],
  customer: ['customer', 'customer id', 'customer code', 'customer number', 'customer no'],
  states: ['states', 'state', 'regions', 'region', 'jurisdictions', 'jurisdiction'],
  reason: ['reason', 'exemption reason', 'exemption type', 'exemption'],
  validFrom: ['valid from', 'from', 'effective', 'effective date', 'effective from', 'start date'],
  validTo: [
    'valid to',
    'to',
    'valid until',
    'until',
    'expires',
    'expires on',
    'expiration',
    'expiration date',
    'expiry date',
    'end date',
  ],
  document: ['document', 'document name', 'document file', 'file', 'file name', 'filename'],
  hash: ['hash', 'sha 256', 'sha256', 'document hash', 'document sha 256', 'document sha256', 'file hash'],
  order: ['order', 'order id', 'order number', 'order no', 'single purchase order'],
  channel: ['channel'],
} as const;

export type RegisterColumn = keyof typeof COLUMNS;

/**
 * Required columns. Cells of `valid to` may be blank, but the column must be there to show that expiry was considered.
 */
const REQUIRED: readonly RegisterColumn[] = [
  'certificate',
  'customer',
  'states',
  'reason',
  'validFrom',
  'validTo',
];

/** The index of each column in the header; -1 if it is missing. */
export type ColumnPlaces = Readonly<Record<RegisterColumn, number>>;

export type RegisterHeader = {
  readonly places: ColumnPlaces;
  /** Missing required columns, as a person would write them. */
  readonly missing: readonly string[];
  /** Header cells that mean the same column. */
  readonly twice: readonly (readonly string[])[];
  /** Number of known columns found. */
  readonly known: number;
};

const normal = (cell: string): string =>
  normalColumn(cell)
    .replace(/[_\-.#:]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Interpret a row as the header of a register. */
export const registerHeader = (cells: readonly string[]): RegisterHeader => {
  const names = cells.map(normal);
  const found = (Object.keys(COLUMNS) as RegisterColumn[]).map((column) => ({
    column,
    places: names.flatMap((name, index) =>
      (COLUMNS[column] as readonly string[]).includes(name) ? [index] : [],
    ),
  }));
  return {
    places: Object.fromEntries(found.map(({ column, places }) => [column, places[0] ?? -1])) as ColumnPlaces,
    missing: found
      .filter(({ column, places }) => REQUIRED.includes(column) && places.length === 0)
      .map(({ column }) => titleOf(column)),
    twice: found
      .filter(({ places }) => places.length > 1)
      .map(({ places }) => places.map((index) => cells[index]?.trim() ?? '')),
    known: found.filter(({ places }) => places.length > 0).length,
  };
};

/** The name of a column in the documentation. */
export const titleOf = (column: RegisterColumn): string => COLUMNS[column][0];

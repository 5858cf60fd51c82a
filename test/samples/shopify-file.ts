import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

export const SAMPLE_FOLDER = join(import.meta.dirname, '../../samples/harbor-and-pine');

export const committed = (name: string): string => readFileSync(join(SAMPLE_FOLDER, name), 'utf8');

export type Row = Readonly<Record<string, string>>;
/** A head row and the rows that continue it; `head` is undefined when a row continues nothing. */
export type Group = { readonly name: string; readonly head: Row | undefined; readonly rows: readonly Row[] };

export const rowsOf = (name: string): Row[] => parse(committed(name), { columns: true });

/** A cell of an amount in cents; anything but a plain decimal with two places is not a number. */
export const cents = (cell: string | undefined): number =>
  /^-?\d+\.\d{2}$/.test(cell ?? '') ? Number((cell ?? '').replace('.', '')) : Number.NaN;

export const cell = (row: Row | undefined, column: string): string => row?.[column] ?? '';

/** A filled Financial Status opens an order; a blank one continues the order of the same name before it. */
export const groupsOf = (rows: readonly Row[]): Group[] => {
  const groups: { name: string; head: Row | undefined; rows: Row[] }[] = [];
  for (const row of rows) {
    const name = cell(row, 'Name');
    const open = groups.at(-1);
    const isHead = cell(row, 'Financial Status') !== '';
    if (!isHead && open?.name === name) open.rows.push(row);
    else groups.push({ name, head: isHead ? row : undefined, rows: [row] });
  }
  return groups;
};

export type Expected = {
  readonly orderNames: number;
  readonly orders: Readonly<
    Record<
      string,
      { readonly groups: number; readonly rows: number; readonly reasons?: Readonly<Record<string, number>> }
    >
  >;
  readonly paymentRows: number;
  readonly salesByPeriod: Readonly<Record<string, number>>;
  readonly states: readonly {
    readonly state: string;
    readonly registered: boolean;
    readonly orders: number;
    readonly grossCents: number;
    readonly shippingCents: number;
    readonly collectedCents: number;
    readonly expectedCents: number;
    readonly varianceCents: number;
  }[];
  readonly withoutShipTo: readonly {
    readonly order: string;
    readonly state: string;
    readonly taxCents: number;
  }[];
  readonly plants: readonly {
    readonly item: number;
    readonly order: string;
    readonly code: string;
    readonly state: string | null;
    readonly period: string | null;
    readonly outcome: string;
    readonly effectCents: number;
    readonly keptOutCents: number;
  }[];
  readonly refunds: readonly {
    readonly refund: string;
    readonly order: string;
    readonly orderPeriod: string;
    readonly state: string;
    readonly at: string;
    readonly businessDate: string;
    readonly period: string;
    readonly kind: 'full' | 'partial';
    readonly amountWithTaxCents: number;
    readonly split: {
      readonly grossCents: number;
      readonly shippingCents: number;
      readonly taxCents: number;
    } | null;
  }[];
};

export const expectedOf = (): Expected => JSON.parse(committed('expected.json')) as Expected;

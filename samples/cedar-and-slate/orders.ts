import { PLACES, type Place, type PlaceName, type Tax } from './places.ts';

/** One order: goods in cents, and the taxes that the shop charged, each in cents. */
export type Order = {
  readonly number: number;
  readonly day: number;
  readonly place: Place;
  readonly item: Item;
  readonly quantity: number;
  readonly goods: number;
  readonly taxes: readonly { readonly tax: Tax; readonly cents: number }[];
};

type Item = { readonly sku: string; readonly name: string; readonly cents: number };

const ITEMS: readonly Item[] = [
  { sku: 'SLT-COAST', name: 'Slate coasters', cents: 3495 },
  { sku: 'CED-BOARD', name: 'Cedar serving board', cents: 6250 },
  { sku: 'SLT-PLATE', name: 'Slate cheese plate', cents: 4799 },
  { sku: 'CED-CHEST', name: 'Cedar blanket chest', cents: 24_900 },
  { sku: 'CED-SHOE', name: 'Cedar shoe trees', cents: 2875 },
  { sku: 'SLT-SIGN', name: 'Slate house sign', cents: 8940 },
  { sku: 'CED-RACK', name: 'Cedar coat rack', cents: 11_385 },
];

/** 100 % in thousandths of a percent. */
const WHOLE = 100_000;

/** Half away from zero, like the shop. */
export const taxOf = (goods: number, rate: number): number =>
  Math.floor((2 * goods * rate + WHOLE) / (2 * WHOLE));

/** Orders to these places, one after the other through the month. */
export const ordersTo = (
  places: readonly PlaceName[],
  first: number,
  taxesOf: (place: Place, number: number) => readonly Tax[] = ({ taxes }) => taxes,
): readonly Order[] =>
  places.map((name, index) => {
    const number = first + index;
    const place = PLACES[name];
    const item = ITEMS[index % ITEMS.length] as Item;
    const quantity = 1 + (index % 3 === 2 ? 1 : 0);
    const goods = item.cents * quantity;
    const taxes = taxesOf(place, number).map((tax) => ({ tax, cents: taxOf(goods, tax[1]) }));
    const day = 1 + Math.floor((index * 31) / places.length);
    return { number, day, place, item, quantity, goods, taxes };
  });

export const dollars = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** A file of comma-separated values under one header; no cell of these files has a comma. */
export const csvOf = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string>>[],
): string => {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
};

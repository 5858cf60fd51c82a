import type { Random } from '../hostile/random.ts';

/** A sale as the export states it: an order, and what was given back of it. Amounts in cents. */
export type PlannedSale = {
  readonly id: string;
  readonly day: string;
  readonly place: readonly [city: string, state: string, zip: string];
  readonly cents: number;
  readonly shipping: number;
  readonly tax: number;
  readonly refund?: { readonly day: string; readonly percent: number };
};

const PLACES = [
  ['Oakland', 'CA', '94607', 1075],
  ['San Diego', 'CA', '92101', 775],
  ['Las Vegas', 'NV', '89101', 838],
  ['Portland', 'OR', '97201', 0],
  ['Boston', 'MA', '02108', 625],
] as const;
/** In the middle of October, and the hours around its ends in Los Angeles. */
const DAYS = [
  '2026-10-01T07:00:00Z',
  '2026-10-10',
  '2026-10-23',
  '2026-11-01T06:59:59Z',
  '2026-11-01T07:00:00Z',
] as const;
const IN_OCTOBER = DAYS.slice(0, 4);

export const isInOctober = (day: string): boolean => IN_OCTOBER.some((each) => each === day);

/** One to six sales, few of them more often than many. */
export const firstSales = (random: Random): readonly PlannedSale[] =>
  Array.from({ length: 1 + Math.min(random.below(6), random.below(6)) }, (_, index) =>
    saleOf(random, `${index + 1}`),
  );

const saleOf = (random: Random, id: string): PlannedSale => {
  const [city, state, zip, rate] = random.pick(PLACES);
  const cents = 1 + random.below(30_000);
  const taxed = random.below(16) === 0 ? random.below(2_000) : rate;
  return {
    id,
    day: random.pick(random.below(5) === 0 ? DAYS : IN_OCTOBER),
    place: [city, state, zip],
    cents,
    shipping: random.below(3) === 0 ? 495 : 0,
    tax: Math.round((cents * taxed) / 10_000),
    ...(random.below(3) === 0 && {
      refund: { day: random.pick(IN_OCTOBER), percent: random.pick([30, 100]) },
    }),
  };
};

/** An order of the middle of October that no export had before. */
export const lateSale = (random: Random): PlannedSale => ({ ...saleOf(random, 'late'), day: '2026-10-23' });

/** The next export of a shop whose last one was this; it says something else. */
export const changedExport = (
  random: Random,
  sales: readonly PlannedSale[],
  version: number,
): readonly PlannedSale[] => {
  const next = sales.flatMap((sale): PlannedSale[] => {
    const drawn = random.below(6);
    if (drawn === 0) return [];
    if (drawn === 1) return [{ ...sale, cents: sale.cents + 1 }];
    if (drawn === 2 && sale.refund === undefined)
      return [{ ...sale, refund: { day: random.pick(IN_OCTOBER), percent: 50 } }];
    if (drawn === 3 && sale.refund?.percent === 30)
      return [{ ...sale, refund: { ...sale.refund, percent: 60 } }];
    return drawn === 4 ? [{ ...sale, day: random.pick(DAYS) }] : [sale];
  });
  if (random.below(2) === 0) next.push(saleOf(random, `${version}-new`));
  const [first, ...others] = next;
  const isSame = JSON.stringify(next) === JSON.stringify(sales);
  return isSame && first ? [{ ...first, cents: first.cents + 1 }, ...others] : next;
};

const HEADER =
  'order_id,transaction_type,transaction_reference_id,completed_at,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type';

/** What part of an amount a refund gives back, in whole cents. */
export const partOf = (cents: number, percent: number): number => Math.round((cents * percent) / 100);

const dollars = (cents: number): string => (cents / 100).toFixed(2);

export const exportOf = (sales: readonly PlannedSale[]): string =>
  [HEADER, ...sales.flatMap(rowsOf)].map((row) => `${row}\n`).join('');

const rowsOf = (sale: PlannedSale): string[] => {
  const { id, day, place, cents, shipping, tax, refund } = sale;
  const rowOf = (start: string, at: string, percent: number): string =>
    [
      start,
      at,
      ...['1 Main St', ...place, 'US'],
      ...[shipping, cents + shipping, tax].map((amount) => dollars(partOf(amount, percent))),
      '',
    ].join(',');
  const order = rowOf(`${id},Order,`, day, 100);
  return refund ? [order, rowOf(`${id}-R,Refund,${id}`, refund.day, -refund.percent)] : [order];
};

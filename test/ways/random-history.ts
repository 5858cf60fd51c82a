import { stringify } from 'csv-stringify/sync';
import { type Random, seeded } from '../hostile/random.ts';

/** What happens to a shop: its export says something else from now on, or a command is given. */
export type Step =
  | {
      readonly does: 'export';
      readonly text: string;
    }
  | {
      readonly does: 'close' | 'lock';
      readonly period: string;
    }
  | { readonly does: 'backfill' };

type Sale = {
  readonly id: string;
  readonly day: string;
  readonly place: Place;
  readonly cents: number;
  /** Per ten thousand of the amount. */
  readonly taxed: number;
  readonly exemption: string;
  readonly refund?: {
    readonly day: string;
    readonly percent: number;
  };
};
type Place = (typeof PLACES)[number];

const PLACES = [
  ['Oakland', 'CA', '94607', 1075],
  ['San Diego', 'CA', '92101', 775],
  ['Las Vegas', 'NV', '89101', 838],
  ['Portland', 'OR', '97201', 0],
  ['Boston', 'MA', '2108', 625],
] as const;

/** Days in the middle of both months, and the hours around the end of the first in Los Angeles. */
const DAYS = ['2026-10-10', '2026-10-23', '2026-11-01T06:59:59Z', '2026-11-01T07:00:00Z', '2026-11-14'];

/** The configuration of the shop, whatever happens to it. */
export const HISTORY_CONFIGURATION = `entity: shop
name: Shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations: [{ state: CA, since: "2019-01-01" }, { state: MA, since: "2026-10-20" }, { state: NV, since: "2019-01-01" }]
channels: [{ name: desk, files: [orders.csv] }]
policy: { changedRefunds: adjust, lateItems: carry }
`;

const HEADER =
  'order_id,transaction_type,transaction_reference_id,completed_at,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type';

/** Two months of a shop, closed, exported again with changes, sometimes locked, and closed again. */
export const randomHistory = (seed: number): readonly Step[] => {
  const random = seeded(seed);
  let sales = Array.from({ length: 8 + random.below(12) }, (_, index) => saleOf(random, `${index + 1}`));
  const exported = (): Step => ({ does: 'export', text: textOf(random, sales) });
  const steps: Step[] = [exported(), { does: 'backfill' }];
  sales = sales.flatMap((sale) => changed(random, sale));
  steps.push(exported(), random.pick([{ does: 'backfill' }, { does: 'close', period: '2026-10' }]));
  if (random.below(2) === 0) {
    steps.push({ does: 'lock', period: '2026-10' });
    sales = sales.flatMap((sale) => changed(random, sale));
    steps.push(exported());
  }
  return [...steps, { does: 'backfill' }];
};

const saleOf = (random: Random, id: string): Sale => {
  const place = random.pick(PLACES);
  return {
    id,
    day: random.pick(DAYS),
    place,
    cents: 1 + random.below(30_000),
    taxed: random.below(5) === 0 ? random.below(2_000) : place[3],
    exemption: random.pick(['', '', '', '', 'wholesale', 'marketplace']),
    ...(random.below(3) === 0 && {
      refund: { day: random.pick(DAYS), percent: random.pick([100, 37]) },
    }),
  };
};

/** What the next export says of a sale: mostly the same. Some are gone, and some are new beside it. */
const changed = (random: Random, sale: Sale): readonly Sale[] => {
  const drawn = random.below(12);
  if (drawn === 0) return [];
  if (drawn === 1) return [sale, saleOf(random, `${sale.id}-${random.below(1_000)}`)];
  if (drawn === 2) return [{ ...sale, day: random.pick(DAYS) }];
  if (drawn === 3) return [{ ...sale, cents: sale.cents + 1 }];
  if (drawn === 4) return [{ ...sale, refund: { day: random.pick(DAYS), percent: 50 } }];
  // A second place with other content: both are refused.
  if (drawn === 5) return [sale, { ...sale, cents: sale.cents + 100 }];
  return [sale];
};

const textOf = (random: Random, sales: readonly Sale[]): string =>
  stringify([HEADER.split(','), ...sales.flatMap((sale) => rowsOf(sale, random.below(2) * 495))]);

const rowsOf = ({ id, day, place, cents, taxed, exemption, refund }: Sale, shipping: number): string[][] => {
  const [city, state, zip] = place;
  const total = cents + shipping;
  const tax = exemption === 'wholesale' ? 0 : Math.round((cents * taxed) / 10_000);
  const rowOf = (start: readonly string[], at: string, percent: number): string[] => [
    ...start,
    at,
    ...['1 Main St', city, state, zip, 'US'],
    ...[shipping, total, tax].map((amount) => (Math.round((amount * percent) / 100) / 100).toFixed(2)),
    exemption,
  ];
  const order = rowOf([id, 'Order', ''], day, 100);
  return refund ? [order, rowOf([`${id}-R`, 'Refund', id], refund.day, -refund.percent)] : [order];
};

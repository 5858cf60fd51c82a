import { beforeAll, describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { LAS_VEGAS, type Order } from '../support/shop-exports.ts';
import { sharedFolder } from '../support/tieout.ts';

/**
 * Orders of a month, with 10.75 due in Oakland: charged where nothing is due, not charged, charged by hand, and with
 * twice as much due charged wrongly.
 */
const ordersOf = (
  month: string,
  charged: Partial<Record<'noNexus' | 'none' | 'byHand' | 'wrongly', string>>,
): readonly Order[] => {
  const at = `2026-${month}-10 12:00:00 -0700`;
  const { noNexus, none, byHand, wrongly } = charged;
  return [
    ...(noNexus === undefined ? [] : [{ name: `#${month}-nexus`, at, to: LAS_VEGAS, tax: noNexus }]),
    ...(none === undefined ? [] : [{ name: `#${month}-none`, at, tax: none }]),
    ...(byHand === undefined ? [] : [{ name: `#${month}-hand`, at, tax: byHand }]),
    ...(wrongly === undefined ? [] : [{ name: `#${month}-wrong`, at, price: '200.00', tax: wrongly }]),
  ];
};

const ORDERS = [
  ...ordersOf('10', { noNexus: '3.00', none: '0.00', byHand: '19.75', wrongly: '20.90' }),
  ...ordersOf('09', { none: '0.00', byHand: '30.75', wrongly: '6.50' }),
  ...ordersOf('08', { none: '0.00', byHand: '21.50' }),
  ...ordersOf('07', { none: '0.00' }),
];

const BY_HAND = `key,records,decision,why
2026-10 R99 of #10-hand at 19.75,#10-hand,Set by hand,agreed
2026-09 R99 of #09-hand at 30.75,#09-hand,Set by hand,agreed
2026-08 R99 of #08-hand at 21.50,#08-hand,Set by hand,agreed
`;

/** `<span …>(1.20)</span>` is less than zero, a dash is zero. */
const centsOf = (cell = ''): number => {
  const [, bracket, digits = '0'] = /(\(?)\+?([\d.]+)\)?<\/span>$/.exec(cell) ?? [];
  return Math.round(Number(digits) * (bracket ? -100 : 100)) || 0;
};

type Bar = {
  readonly cents: number;
  readonly width: number;
  readonly kind: string;
};

const barsOf = (page: string): readonly Bar[] =>
  [
    ...page.matchAll(
      /<tr class="(\w+)"><th.*?<i style="width: ([\d.]+)%"><\/i><\/td><td class="num">(.*?)<\/td><\/tr>/g,
    ),
  ].map(([, kind = '', width, amount]) => ({ cents: centsOf(amount), width: Number(width), kind }));

describe('the charts of a page', () => {
  const folder = sharedFolder();
  let shop: Month;
  const pageOf = (number: string) => shop.read(`out/shop/2026-${number}/report.html`);

  beforeAll(async () => {
    shop = await month({ orders: ORDERS }, folder);
    await shop.write('decisions.csv', BY_HAND);
    for (const number of ['07', '08', '09', '10']) await shop.close(`2026-${number}`);
  });

  test.for([
    ['10', [-1075, 900, 300, -60, 65]],
    ['09', [2000, -1500, -1075, -575]],
    ['08', [1075, -1075, 0]],
  ] as const)(
    'the bars of month %s have the lengths of their amounts, the longest first',
    async ([month, amounts]) => {
      const bars = barsOf(await pageOf(month));
      const sorted = [...amounts.slice(0, -1)].sort((left, right) => Math.abs(right) - Math.abs(left));
      expect(bars.slice(0, -1).map(({ cents }) => Math.abs(cents))).toEqual(sorted.map(Math.abs));
      expect(bars.at(-1)).toMatchObject({ cents: amounts.at(-1), kind: 'net' });
      const longest = Math.abs(sorted[0] ?? 1);
      for (const { cents, width, kind } of bars) {
        expect(width).toBeCloseTo((100 * Math.abs(cents)) / longest, 1);
        expect(kind === 'net' || kind === (cents > 0 ? 'over' : 'under')).toBe(true);
      }
    },
  );

  test('a single reason is not drawn', async () => {
    const page = await pageOf('07');
    expect(barsOf(page)).toEqual([]);
    expect(page).toContain('No chart is drawn here');
  });

  test('both maps have each state once, at a place of its own', async () => {
    const maps = (await pageOf('10')).split('<div class="map"').slice(1);
    expect(maps.length).toBe(2);
    for (const map of maps) {
      const tiles = [...map.matchAll(/style="grid-area: (\d+ \/ \d+)"[^>]*>(?:<b>)?([A-Z]{2})</g)];
      expect(new Set(tiles.map(([, place]) => place)).size).toBe(52);
      expect(new Set(tiles.map(([, , state]) => state)).size).toBe(52);
    }
  });

  test('a tile says in words what its colour says, and leads to the row of its state', async () => {
    const page = await pageOf('10');
    expect(page).toMatch(
      /<a class="tile over"[^>]* href="#state-NV" aria-label="NV 3\.00: variance, not registered">/,
    );
    expect(page).toMatch(
      /<a class="tile under framed"[^>]* href="#state-CA" aria-label="CA -2\.35: variance, registered">/,
    );
    const targets = [...page.matchAll(/ href="#(state-\w+)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(2);
    for (const target of targets) expect(page).toContain(`id="${target}"`);
  });
});

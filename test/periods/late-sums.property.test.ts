import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerLate } from '../support/decisions.ts';
import type { StateFigures } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { runs } from '../support/runs.ts';
import { LAS_VEGAS, OAKLAND, type Order } from '../support/shop-exports.ts';

/** What becomes of an order of October, by when the exports say what. */
type Fate = 'in time' | 'late' | 'changed' | 'changed twice' | 'moved' | 'withdrawn' | 'refunded';
type Drawn = {
  readonly price: number;
  readonly tax: number;
  readonly place: number;
  readonly fate: Fate;
};

const PLACES = [OAKLAND, { city: 'Los Angeles', zip: '90012', state: 'CA' }, LAS_VEGAS] as const;

const drawnOrder: fc.Arbitrary<Drawn> = fc.record({
  price: fc.integer({ min: 100, max: 50_000 }),
  tax: fc.integer({ min: 0, max: 5_000 }),
  place: fc.nat({ max: PLACES.length - 1 }),
  fate: fc.constantFrom('in time', 'late', 'changed', 'changed twice', 'moved', 'withdrawn', 'refunded'),
});
const verdict = fc.constantFrom('next' as const, 'amend' as const);

const dollars = (cents: number): string => (cents / 100).toFixed(2);
const orderOf = (index: number, { price, tax, place }: Drawn, more: Partial<Order> = {}): Order => ({
  name: `#${index + 1}`,
  price: dollars(price),
  tax: dollars(tax),
  to: PLACES[place] ?? PLACES[0],
  ...more,
});

/** The order as the exports have it in time, after the first lock, and after the second. */
const versionsOf = (drawn: Drawn, index: number): readonly (Order | undefined)[] => {
  const { price, tax, place, fate } = drawn;
  const first = orderOf(index, drawn);
  const changed = orderOf(index, drawn, { price: dollars(price + 777), tax: dollars(tax + 66) });
  const again = orderOf(index, drawn, { price: dollars(price + 31), tax: dollars(tax + 3) });
  const moved = orderOf(index, { ...drawn, place: (place + 1) % PLACES.length });
  switch (fate) {
    case 'in time':
      return [first, first, first];
    case 'late':
      return [undefined, first, first];
    case 'changed':
      return [first, changed, changed];
    case 'changed twice':
      return [first, changed, again];
    case 'moved':
      return [first, moved, moved];
    case 'withdrawn':
      return [first, { ...first, status: 'voided' }, { ...first, status: 'voided' }];
    case 'refunded': {
      const refunded = { ...first, refundedOn: '2026-11-05' };
      return [first, refunded, refunded];
    }
  }
};

const closedFigures = async (shop: Month, period: string) => added([figuresOf(await shop.close(period))]);

const FIGURES = ['gross', 'taxable', 'collected', 'expected'] as const;

/** Figures by state, in cents. */
type Figures = ReadonlyMap<string, readonly number[]>;

const figuresOf = ({ states }: { readonly states: readonly StateFigures[] }): Figures =>
  new Map(states.map((state) => [state.state, FIGURES.map((figure) => cents(state[figure]))]));

const cents = (text: unknown): number => Math.round(Number(text) * 100);

/** The sums by state; states in which nothing is left do not show. */
const added = (all: readonly Figures[]): Figures => {
  const sums = new Map<string, number[]>();
  for (const [state, amounts] of all.flatMap((one) => [...one])) {
    const known = sums.get(state) ?? [0, 0, 0, 0];
    sums.set(
      state,
      amounts.map((amount, index) => amount + (known[index] ?? 0)),
    );
  }
  return new Map([...sums].filter(([, amounts]) => amounts.some((amount) => amount !== 0)));
};

test('whatever arrives when, the periods as filed add up to one close that saw everything', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnOrder, { minLength: 2, maxLength: 6 }),
      fc.tuple(verdict, verdict),
      async (drawn, verdicts) => {
        const versions = drawn.map(versionsOf);
        const exportOf = (step: number) => ({
          orders: { [`step-${step}.csv`]: versions.flatMap((steps) => steps[step] ?? []) },
        });
        const shop = await month(exportOf(0));
        const filed = new Map<string, Figures>();
        const file = async (period: string): Promise<void> => {
          filed.set(period.slice(0, 7), await closedFigures(shop, period));
          expect(await shop.verify(period)).toEqual([]);
          await shop.told(0, 'lock', period, '--open-exceptions', 'figures are drawn by chance');
        };
        await file('2026-10');
        let version = 0;
        for (const [index, period] of ['2026-11', '2026-12'].entries()) {
          await shop.change(exportOf(index + 1));
          await shop.close(period);
          const answered = await answerLate(shop, period, verdicts[index] ?? 'next');
          if (verdicts[index] === 'amend' && answered.length > 0) {
            version += 1;
            await file(`2026-10-amended-${version}`);
          }
          await file(period);
        }
        const truth = await month(exportOf(2));
        const all = await closedFigures(truth, '2026-Q4');
        expect(added([...filed.values()])).toEqual(all);
        expect(added([await closedFigures(shop, '2026-Q4')])).toEqual(all);
        expect(await shop.verify('2026-Q4')).toEqual([]);
      },
    ),
    { numRuns: runs(5) },
  );
}, 600_000);

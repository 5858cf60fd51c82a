import type { LocalLevel } from '../../contract/content-coverage.ts';
import type { LocalRate } from '../content/tax-content.ts';

/** Rates of the levels of the United States, in the order state, county, city, special; in 1e-7. */
export type LevelRates = readonly [state: number, county: number, city: number, special: number];

/** Where each local level stands in `LevelRates`. */
export const LEVEL_INDEX: Readonly<Record<LocalLevel, 1 | 2 | 3>> = { county: 1, city: 2, special: 3 };

/** Add up the rates of each local level. */
export const sumByLevel = (state: number, rows: readonly LocalRate[]): LevelRates => {
  const sums: [number, number, number, number] = [state, 0, 0, 0];
  for (const row of rows) sums[LEVEL_INDEX[row.level]] += row.rate;
  return sums;
};

/** The general rows, with the food rows of the same jurisdictions in their places. */
export const foodRows = (rows: readonly LocalRate[]): LocalRate[] => {
  const food = rows.filter(({ tax }) => tax === 'food');
  const replaced = new Set(food.map(({ level, code }) => `${level} ${code}`));
  return [
    ...rows.filter(({ tax, level, code }) => tax === 'general' && !replaced.has(`${level} ${code}`)),
    ...food,
  ];
};

/**
 * Where all local taxes together may not pass a rate, the special districts give way first, then the city, then the
 * county.
 */
export const capLocal = (rates: LevelRates, cap: number): LevelRates => {
  const capped: [number, number, number, number] = [...rates];
  let excess = capped[1] + capped[2] + capped[3] - cap;
  for (const level of [3, 2, 1] as const) {
    if (excess <= 0) break;
    const cut = Math.min(excess, capped[level]);
    capped[level] -= cut;
    excess -= cut;
  }
  return capped;
};

import { roundQuotient } from '../kernel/decimal.ts';
import { type Money, type Price, type Rate, rate } from '../kernel/money.ts';
import { type ImpliedRate, type OpenModel, type OpenVariance, placeKeyOf } from './rate-claim.ts';
import type { TaxModel } from './tax-model.ts';

/** Minimum number of sales that can imply a rate. */
const SALES_MIN = 8;

/** How many times the number expected by chance must agree, in addition to `SALES_MIN`. */
const TIMES_CHANCE = 3;

/**
 * Decide on which rates the sales of each place agree, trying round rates before finer ones. A rate is implied if the
 * sales that agree on it number at least eight plus three times those expected by chance. Copies of a sale agree on
 * whatever rate its amount fits, so they count as one. The order of the ballots does not matter.
 */
export const impliedRates = (ballots: readonly Ballot[]): readonly ImpliedRate[] => {
  const different = new Map(ballots.map((ballot) => [JSON.stringify(ballot), ballot]));
  return [...Map.groupBy(different.values(), ({ place }) => place)].flatMap(([place, group]) => {
    const rates: Rate[] = [];
    let open: readonly Ballot[] = group;
    for (const grid of RATE_GRIDS) {
      const agreed = agreedOn(open, grid);
      rates.push(...agreed.keys());
      const taken = new Set([...agreed.values()].flat());
      open = open.filter((ballot) => !taken.has(ballot));
    }
    return rates.map((each) => ({ place, rate: each }));
  });
};

/** The rates of a grid on which some of these sales agree, and those sales. */
const agreedOn = (group: readonly Ballot[], grid: number): ReadonlyMap<Rate, readonly Ballot[]> => {
  const found = new Map<Rate, readonly Ballot[]>();
  let votes = group.flatMap((ballot) => fitsOf(ballot, grid).map((total) => ({ ballot, total })));
  for (;;) {
    const [best] = [...Map.groupBy(votes, ({ total }) => total)].sort(
      ([lower, { length: one }], [higher, { length: other }]) => other - one || lower - higher,
    );
    const chance = (votes.length * grid) / SPAN;
    if (!best || best[1].length < SALES_MIN + TIMES_CHANCE * chance) return found;
    const agreed = new Set(best[1].map(({ ballot }) => ballot));
    found.set(rate(best[0]), [...agreed]);
    votes = votes.filter(({ ballot }) => !agreed.has(ballot));
  }
};

/** Steps between candidate rates, in 1e-7: eighths, fortieths and two-hundredths of a percent. */
const RATE_GRIDS = [12_500, 2_500, 500] as const;

/** Upper limit of the local rates that sales vote on: 8 %. Few places have more. */
const SPAN = 800_000;

/** Maximum number of rates that an amount may fit; if it fits more, it proves nothing. */
const FITS_MAX = 16;

/** Maximum number of rates to try for an amount of several lines; with more, too many would fit. */
const POINTS_MAX = 100;

/** Units per cent of the product of a price and a rate. */
const PARTS_PER_CENT = 1_000_000_000;

/** Limits above which sales do not vote, so that all products are exact. */
const COLLECTED_MAX = 4_000_000;

const TAXABLE_MAX = 4_000_000_000;

/**
 * The total rates that give the collected tax if the shop rounds once, or line by line. If the answer's own rate fits, the
 * difference is not in the rate.
 */
const fitsOf = ({ collected, own, state, lines }: Ballot, grid: number): readonly number[] => {
  const taxable = lines.reduce<number>((total, line) => total + line, 0);
  if (collected > COLLECTED_MAX || [taxable, ...lines].some((amount) => Math.abs(amount) > TAXABLE_MAX))
    return [];
  const isFit = (total: number): boolean =>
    [[taxable], lines].some((amounts) => taxOfEach(amounts, total) === collected);
  if (isFit(own)) return [];
  const rateAt = (halfCents: number): number => (halfCents * PARTS_PER_CENT) / (2 * taxable) - state;
  const from = Math.max(Math.ceil(rateAt(2 * collected - lines.length) / grid), 0);
  const to = Math.min(Math.floor(rateAt(2 * collected + lines.length) / grid), SPAN / grid);
  if (to < from || to - from >= POINTS_MAX) return [];
  const points = Array.from({ length: to - from + 1 }, (_, index) => state + (from + index) * grid);
  const fits = points.filter(isFit);
  return fits.length <= FITS_MAX ? fits : [];
};

const taxOfEach = (amounts: readonly number[], total: number): number =>
  amounts.reduce((tax, amount) => tax + roundQuotient(amount * total, PARTS_PER_CENT), 0);

/** The evidence of one sale about the rate that its shop applied. */
export type Ballot = {
  /** See `placeKeyOf`. */
  readonly place: string;
  readonly collected: Money;
  /** The rates of the answer: the state's, and all levels combined. */
  readonly state: Rate;
  readonly own: Rate;
  /** What the law taxes of each line and of shipping. */
  readonly lines: readonly Price[];
};

/** The ballot of a sale; none if the answer does not apply a single rate that another rate could replace. */
export const ballotsOf = (
  { sale }: OpenVariance,
  { model, rates, own }: OpenModel,
): readonly [] | readonly [Ballot] => {
  const state = rates.get('state');
  const lines = state === undefined ? [] : plainLines(model, state);
  if (state === undefined || lines.reduce((total, line) => total + line, 0) <= 0) return [];
  return [{ place: placeKeyOf(sale), collected: sale.salesTax, state, own, lines }];
};

/** What is taxable of each line, if all of it is taxed at the state's general rate and by every level; else nothing. */
const plainLines = ({ units, rest }: TaxModel, stateRate: Rate): readonly Price[] => {
  const lines: Price[] = [];
  if (rest !== 0) return [];
  for (const { shares } of units) {
    const taxed = shares.filter(({ taxable, rate }) => taxable !== 0 && rate !== 0);
    const state = taxed.find(({ level }) => level === 'state');
    if (taxed.length === 0) continue;
    if (state?.rate !== stateRate || taxed.some(({ taxable }) => taxable !== state.taxable)) return [];
    lines.push(state.taxable);
  }
  return lines;
};

import type { TaxResult } from '../contract/tax-result.ts';
import type { ContentGap, RateArea } from '../contract/tax-service.ts';
import { roundQuotient } from '../kernel/decimal.ts';
import { type Money, type Price, type Rate, rate, ZERO_PRICE, ZERO_RATE } from '../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';
import type { Hypothesis } from './hypothesis.ts';
import {
  LEVELS,
  type Level,
  type LevelShare,
  shareOf,
  type TaxModel,
  type TaxUnit,
  taxModelOf,
  topRates,
  wholeCents,
} from './tax-model.ts';

export type LevelRates = Readonly<Partial<Record<Level, Rate>>>;

/** The rate difference that several sales share, for the one line that covers them. */
export type SharedRate = {
  /** `Colorado Springs`, or the state if the place is not named. */
  readonly where: string;
  /** The rate of the shop, all levels combined; `null` if its tax lines state only amounts. */
  readonly shop: Rate | null;
  /** The rate of the answer, all levels combined; `null` if the place is not named. */
  readonly own: Rate | null;
  /** Where the tax content lacks the rate. */
  readonly area?: RateArea | undefined;
};

/** Rates that the shop applied instead of those of the answer, with evidence besides the amount. */
export type RateClaim = {
  readonly code: 'R02' | 'R26' | 'R27' | 'R28';
  readonly what: string;
  readonly rates: LevelRates;
  /** Tax that a shop's line states without a rate, at levels that the answer does not tax. */
  readonly amounts?: Readonly<Partial<Record<Level, Money>>>;
  readonly shared: SharedRate;
};

/** The shop's rate in excess of the answer's; zero if it is lower or not stated. */
export const rateBeyond = ({ shop, own }: Pick<SharedRate, 'shop' | 'own'>): Rate =>
  shop === null || own === null ? ZERO_RATE : rate(Math.max(0, shop - own));

/** Turn a claim into a change of a calculation. */
export const claimed = ({ code, what, rates, amounts }: RateClaim): Hypothesis => ({
  code,
  apply: (model) => {
    const units = dividedBy(rates, model);
    const stated = Object.entries(amounts ?? {}).map(
      ([level, amount]): LevelShare => ({
        ...shareOf(level as Level, ZERO_PRICE, ZERO_RATE),
        tax: wholeCents(amount),
      }),
    );
    const more = stated.length === 0 ? [] : [{ id: STATED_UNIT, shares: stated }];
    return { model: { ...model, units: [...units, ...more] }, what };
  },
});

const STATED_UNIT = 'stated by the shop';

/** Divide the tax of a calculation by other rates of its levels. */
export const dividedBy = (rates: LevelRates, model: TaxModel): readonly TaxUnit[] => {
  const top = topRates(model);
  return model.units.map((unit) => ({ ...unit, shares: sharesAt(unit, rates, top) }));
};

/** Apply rates to a unit. Goods with their own rules by category keep the rates of the answer. */
const sharesAt = (
  { shares }: TaxUnit,
  rates: LevelRates,
  top: ReadonlyMap<Level, Rate>,
): readonly LevelShare[] => {
  const state = shares.find(({ level }) => level === 'state');
  if (!state || state.taxable === 0 || state.rate !== top.get('state')) return shares;
  return LEVELS.flatMap((level) => {
    const own = shares.find((share) => share.level === level);
    const charged = rates[level] ?? own?.rate;
    if (charged === undefined) return [];
    return own && own.rate === charged ? [own] : [shareOf(level, state.taxable, charged)];
  });
};

/** A sale whose calculation does not explain the collected tax. */
export type OpenVariance = {
  readonly sale: Sale;
  readonly expectation: TaxResult;
  /** The answer about the order of which the sale gives a part back. */
  readonly whole?: TaxResult;
  /** The rates that the tax content lacks at the place; `undefined` if it is complete, or unknown. */
  readonly gap: ContentGap | undefined;
};

/** Where the tax content lacks a rate, for a claim about it. */
export const areaIn = ({ gap }: Pick<OpenVariance, 'gap'>): { readonly area?: RateArea } =>
  gap?.area === undefined ? {} : { area: gap.area };

/** The model of the calculation, with the highest rate of each level and their total. */
export type OpenModel = {
  readonly model: TaxModel;
  readonly rates: ReadonlyMap<Level, Rate>;
  readonly own: Rate;
};

export const openModelOf = ({ sale, expectation }: OpenVariance): OpenModel => {
  const model = taxModelOf(expectation, sale.lines);
  const rates = topRates(model);
  return { model, rates, own: totalRate(rates.values()) };
};

export const totalRate = (rates: Iterable<Rate>): Rate =>
  rate([...rates].reduce((total, each) => total + each, 0));

/** Key of a place: the city of a state, or the ZIP code if there is no city. */
export const placeKeyOf = ({ shipTo }: Pick<Sale, 'shipTo'>): string =>
  `${shipTo.state} ${placeNameOf({ shipTo }).toUpperCase()}`;

export const placeNameOf = ({ shipTo }: Pick<Sale, 'shipTo'>): string => placeNameIn(shipTo);

/** The place name for anything with a city and a ZIP code. */
export const placeNameIn = ({ city, zip }: Pick<Sale['shipTo'], 'city' | 'zip'>): string =>
  city.trim() === '' ? zip.slice(0, 5) : city.trim();

/** A rate, all levels combined, on which the sales of a place agree. */
export type ImpliedRate = {
  /** As in `placeKeyOf`. */
  readonly place: string;
  readonly rate: Rate;
};

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

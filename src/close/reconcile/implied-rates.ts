import { roundQuotient } from '../../kernel/decimal.ts';
import { type Money, type Price, price, type Rate, rate } from '../../kernel/money.ts';
import { compareText } from '../../kernel/text.ts';
import { type OpenModel, type OpenVariance, placeKeyOf, type StatedRates } from './rate-claim.ts';
import type { TaxModel } from './tax-model.ts';

/** A rate on which the sales of a place or a state agree. */
export type ImpliedRate = {
  /** A state, or a place in a state as in `placeKeyOf`. */
  readonly where: string;
  readonly scope: 'place' | 'state';
  readonly rate: Rate;
  /** Number of sales expected to agree by chance, in hundredths. */
  readonly chance: number;
};

/** The result of the ballots of a period. */
export type RateDecision = {
  readonly implied: readonly ImpliedRate[];
  /** Rates that tax lines state, by place: those that most sales there state. */
  readonly stated: ReadonlyMap<string, StatedRates>;
};

/** Minimum number of sales that can imply a rate. */
const SALES_MIN = 8;

/** How many times the chance number must agree, in addition to `SALES_MIN`. */
const TIMES_CHANCE = 3;

/** Maximum number of rates for one place or state; more would not be real rates. */
const RATES_MAX = 16;

/**
 * Decide on which rates the sales of a period agree, trying round rates before finer ones, and states before places. A
 * rate is implied if the sales that agree on it number at least eight plus three times those expected by chance. Copies of
 * a sale agree on whatever rate its amount fits, so they count as one. The order of the ballots does not matter.
 */
export const decideRates = (ballots: readonly Ballot[]): RateDecision => {
  const voters = ballots
    .filter(({ stated }) => stated === undefined)
    .sort((left, right) => compareText(left.key, right.key));
  const different = [...Map.groupBy(voters, contentOf).values()].flatMap(([first]) => first ?? []);
  const implied: ImpliedRate[] = [];
  let open: readonly Ballot[] = different;
  for (const grid of RATE_GRIDS) {
    for (const scope of ['state', 'place'] as const) {
      const taken = new Set<Ballot>();
      for (const [where, group] of Map.groupBy(open, (ballot) => ballot[scope]))
        for (const { agreed, ...found } of agreedIn(group, { grid, where, scope })) {
          implied.push(found);
          for (const ballot of agreed) taken.add(ballot);
        }
      open = open.filter((ballot) => !taken.has(ballot));
    }
  }
  return { implied, stated: statedByPlace(ballots) };
};

/** Equal for sales to one place whose amounts are the same. */
const contentOf = ({ place, collected, lines }: Ballot): string => [place, collected, ...lines].join(' ');

type Agreed = ImpliedRate & { readonly agreed: readonly Ballot[] };

type Scope = { readonly grid: RateGrid; readonly where: string; readonly scope: 'place' | 'state' };

/** The rates on which the sales of one place or state agree, most sales first. */
const agreedIn = (group: readonly Ballot[], { grid, where, scope }: Scope): readonly Agreed[] => {
  if (group.length < SALES_MIN) return [];
  const { candidates, chance, withdraw } = votesOf(group, grid);
  const found: Agreed[] = [];
  while (found.length < RATES_MAX) {
    const best = strongest(candidates);
    if (!best || !isBeyondChance(best.voters.size, chance())) break;
    if (scope === 'state' && !isOfSeveralPlaces(best.voters, chance())) {
      candidates.delete(best.rate);
      continue;
    }
    const agreed = [...best.voters];
    found.push({ where, scope, rate: rate(best.rate), chance: Math.round(chance() * 100), agreed });
    for (const ballot of agreed) withdraw(ballot);
  }
  return found;
};

const isBeyondChance = (sales: number, chance: number): boolean => sales >= SALES_MIN + TIMES_CHANCE * chance;

/**
 * Whether the rate is implied even without the place with the most votes; otherwise it is the rate of that place alone.
 */
const isOfSeveralPlaces = (voters: ReadonlySet<Ballot>, chance: number): boolean => {
  const places = Map.groupBy(voters, ({ place }) => place);
  const most = Math.max(...[...places.values()].map(({ length }) => length));
  return isBeyondChance(voters.size - most, chance);
};

type Candidate = { readonly rate: number; readonly voters: Set<Ballot> };

const votesOf = (group: readonly Ballot[], grid: RateGrid) => {
  const candidates = new Map<number, Candidate>();
  const cast = new Map<Ballot, readonly number[]>();
  let votes = 0;
  for (const ballot of group) {
    const fits = fitsOf(ballot, grid);
    cast.set(ballot, fits);
    votes += fits.length;
    for (const total of fits) {
      const candidate = candidates.get(total) ?? { rate: total, voters: new Set() };
      candidate.voters.add(ballot);
      candidates.set(total, candidate);
    }
  }
  const withdraw = (ballot: Ballot): void => {
    const fits = cast.get(ballot) ?? [];
    votes -= fits.length;
    for (const total of fits) candidates.get(total)?.voters.delete(ballot);
  };
  return { candidates, chance: () => votes / pointsOn(grid), withdraw };
};

/** The candidate with the most voters; among equals, the one with the lower rate. */
const strongest = (candidates: ReadonlyMap<number, Candidate>): Candidate | undefined => {
  let best: Candidate | undefined;
  for (const each of candidates.values()) if (!best || isStronger(each, best)) best = each;
  return best && best.voters.size >= SALES_MIN ? best : undefined;
};

const isStronger = (one: Candidate, other: Candidate): boolean =>
  one.voters.size === other.voters.size ? one.rate < other.rate : one.voters.size > other.voters.size;

/** The rates that most sales of a place state; among equals, the first by text. */
const statedByPlace = (ballots: readonly Ballot[]): ReadonlyMap<string, StatedRates> => {
  const byPlace = Map.groupBy(
    ballots.filter(({ stated }) => stated !== undefined),
    ({ place }) => place,
  );
  return new Map(
    [...byPlace].flatMap(([place, sales]) => {
      const texts = Map.groupBy(sales, ({ stated }) => JSON.stringify(stated));
      const [first] = [...texts].sort(
        ([left, { length: fewer }], [right, { length: more }]) => more - fewer || compareText(left, right),
      );
      return first?.[1][0]?.stated ? [[place, first[1][0].stated] as const] : [];
    }),
  );
};

/** Steps between candidate rates, in 1e-7: eighths, fortieths and two-hundredths of a percent. */
const RATE_GRIDS = [12_500, 2_500, 500] as const;

type RateGrid = (typeof RATE_GRIDS)[number];

/** Maximum number of rates that an amount may fit; if it fits more, it proves nothing. */
const FITS_MAX = 8;

/** Maximum number of rates to try for an amount of several lines; with more, too many would fit. */
const POINTS_MAX = 100;

/** Units per cent of the product of a price and a rate. */
const PARTS_PER_CENT = 1_000_000_000;

/** Limits above which sales do not vote, so that all products are exact. */
const COLLECTED_MAX = 4_000_000;

const TAXABLE_MAX = 4_000_000_000;

/** Upper limit of the local rates that sales vote on: 8 %. Few places have more. */
const SPAN = 800_000;

/** Number of possible rates on a grid, over which chance spreads the votes. */
const pointsOn = (grid: RateGrid): number => SPAN / grid;

/**
 * The total rates that give the collected tax if the shop rounds once, rounds state and local tax separately, rounds
 * each level of the answer separately, or rounds line by line. If the answer's own rate fits, the difference is not in the
 * rate.
 */
const fitsOf = ({ collected, own, levels, taxable, lines }: Ballot, grid: RateGrid): readonly number[] => {
  if (collected > COLLECTED_MAX || [taxable, ...lines].some((amount) => Math.abs(amount) > TAXABLE_MAX))
    return [];
  const [state = 0] = levels;
  const parts = [[], [state], ...(levels.length > 1 ? [levels] : [])];
  const spans = parts.map((known) => spanOf(collected, taxable, known));
  const isByLine = (total: number): boolean => taxByLine(lines, total) === collected;
  if (isByLine(own) || spans.some(({ low, high }) => low <= own && own <= high)) return [];
  const tried = [
    ...spans.map((span) => pointsIn(span, state, grid)),
    pointsIn(spanByLine(collected, taxable, lines.length), state, grid).filter(isByLine),
  ];
  return [...new Set(tried.filter(({ length }) => length <= FITS_MAX).flat())];
};

/** The rates of a grid within a span, none where they would be too many to try. */
const pointsIn = ({ low, high }: Span, state: number, grid: RateGrid): readonly number[] => {
  const from = Math.max(Math.ceil((low - state) / grid), 0);
  const to = Math.min(Math.floor((high - state) / grid), pointsOn(grid));
  return to - from < POINTS_MAX
    ? Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => state + (from + index) * grid)
    : [];
};

const taxByLine = (lines: readonly number[], total: number): number =>
  lines.reduce((tax, line) => tax + roundQuotient(line * total, PARTS_PER_CENT), 0);

/** The total rates that can give the collected cents if each line is rounded by itself, half a cent up or down. */
const spanByLine = (collected: Money, base: number, lines: number): Span => ({
  low: Math.floor(((2 * collected - lines) * PARTS_PER_CENT) / (2 * base)),
  high: Math.ceil(((2 * collected + lines) * PARTS_PER_CENT) / (2 * base)),
});

type Span = { readonly low: number; readonly high: number };

/** The total rates that give the collected cents if the known rates are rounded individually and the rest together. */
const spanOf = (collected: Money, base: number, known: readonly number[]): Span => {
  const separate = known.reduce((total, rate) => total + rate, 0);
  const rest = known.reduce(
    (left, rate) => left - roundQuotient(base * rate, PARTS_PER_CENT),
    collected as number,
  );
  return {
    low: separate + Math.ceil(((2 * rest - 1) * PARTS_PER_CENT) / (2 * base)),
    high: separate + Math.ceil(((2 * rest + 1) * PARTS_PER_CENT) / (2 * base)) - 1,
  };
};

/**
 * The evidence of one sale about the rate that its shop applied, enough to vote for any rate. Ballots from different
 * pages can be combined in any order.
 */
export type Ballot = {
  readonly key: string;
  readonly state: string;
  /** See `placeKeyOf`. */
  readonly place: string;
  readonly collected: Money;
  /** Rates of the answer, by level, and their total. */
  readonly levels: readonly Rate[];
  readonly own: Rate;
  /** What the law taxes of each line and of shipping, and in all. */
  readonly lines: readonly Price[];
  readonly taxable: Price;
  /** Rates that the sale's own tax lines prove for its place. Such a sale does not vote. */
  readonly stated: StatedRates | undefined;
};

/** The ballot of a sale; `undefined` if the answer does not apply a single rate that another rate could replace. */
export const ballotOf = (
  { sale }: OpenVariance,
  { model, rates, own }: OpenModel,
  stated: StatedRates | undefined,
): Ballot | undefined => {
  const lines = plainLines(model, rates.get('state'));
  const taxable = price(lines.reduce((total, line) => total + line, 0));
  if (stated === undefined && taxable <= 0) return undefined;
  return {
    key: sale.key,
    state: sale.shipTo.state,
    place: placeKeyOf(sale),
    collected: sale.salesTax,
    levels: [...rates.values()],
    own,
    lines,
    taxable,
    stated,
  };
};

/** What is taxable of each line, if all of it is taxed at the state's general rate and by every level; else nothing. */
const plainLines = ({ units, rest }: TaxModel, stateRate: Rate | undefined): readonly Price[] => {
  const lines: Price[] = [];
  if (stateRate === undefined || rest !== 0) return [];
  for (const { shares } of units) {
    const taxed = shares.filter(({ taxable, rate }) => taxable !== 0 && rate !== 0);
    const state = taxed.find(({ level }) => level === 'state');
    if (taxed.length === 0) continue;
    if (state?.rate !== stateRate || taxed.some(({ taxable }) => taxable !== state.taxable)) return [];
    lines.push(state.taxable);
  }
  return lines;
};

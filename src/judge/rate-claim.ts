import type { TaxResult } from '../contract/tax-result.ts';
import type { ContentGap, RateArea } from '../contract/tax-service.ts';
import {
  add,
  formatPercent,
  type Money,
  type Rate,
  rate,
  subtract,
  sum,
  ZERO,
  ZERO_PRICE,
  ZERO_RATE,
} from '../kernel/money.ts';
import { usRegionName } from '../kernel/us-regions.ts';
import type { Sale, TaxLine } from '../sales/sale.ts';
import type { Hypothesis } from './hypothesis.ts';
import { isSamePlace } from './level-figures.ts';
import {
  isLocalRate,
  isLocalTax,
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
const dividedBy = (rates: LevelRates, model: TaxModel): readonly TaxUnit[] => {
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
  `${shipTo.state} ${placeNameIn(shipTo).toUpperCase()}`;

/** The place name for anything with a city and a ZIP code. */
export const placeNameIn = ({ city, zip }: Pick<Sale['shipTo'], 'city' | 'zip'>): string =>
  city.trim() === '' ? zip.slice(0, 5) : city.trim();

/** A rate, all levels combined, on which the sales of a place agree. */
export type ImpliedRate = {
  /** As in `placeKeyOf`. */
  readonly place: string;
  readonly rate: Rate;
};

/** The tax lines of one level: their combined rate, `null` if any of them states none, and their tax. */
type StatedLevel = {
  readonly rate: Rate | null;
  readonly amount: Money;
  readonly names: readonly string[];
};

/**
 * Claim the rates stated in the shop's own tax lines that differ from those of the answer: a rate at a level that the
 * tax content lacks there is a gap, and so are rates that come to more than those it has of another day; any other is the
 * seller's, and so is what comes to more than all local taxes of a place can. Lines that do not add up to the collected
 * tax prove nothing, nor do amounts without rates beyond that limit where a gap would be the reason.
 */
export const statedClaims = (open: OpenVariance, own: OpenModel): readonly RateClaim[] => {
  const levels = levelsOf(open, own);
  if (!levels) return [];
  const rates = [...levels.values()].map(({ rate: stated }) => stated);
  const shop = rates.includes(null) ? null : totalRate(rates.map((stated) => stated ?? ZERO_RATE));
  if (shop === own.own || (shop === null && isWithinCents(open))) return [];
  const whole = shop === null ? undefined : inOneLine(open, own, shop);
  if (whole) return [whole];
  const statedAt = (level: Level): StatedLevel => levels.get(level) ?? NOTHING_STATED;
  const different = LEVELS.filter((level) => isDifferent(statedAt(level), own.rates.get(level)));
  const isNewer = isNewerRate(open, own, shop) && different.some((level) => level !== 'state');
  const isLacking = (level: Level): boolean =>
    open.gap?.span !== undefined
      ? isNewer
      : open.gap?.levels.some((missing) => missing === level) === true &&
        !isLower(statedAt(level), own, level);
  const lacking = different.filter(isLacking);
  const { salesTax, amount } = open.sale;
  const isWithinLimit =
    shop === null ? isLocalTax(salesTax, amount, own.model) : isLocalRate(shop, own.rates);
  if (!isWithinLimit && lacking.some((level) => statedAt(level).rate === null)) return [];
  const isGap = (level: Level): boolean => isWithinLimit && lacking.includes(level);
  const claim = (code: 'R02' | 'R26', chosen: readonly Level[]): readonly RateClaim[] => {
    if (chosen.length === 0) return [];
    const what = chosen.map((level) => saidOf(statedAt(level), level)).join(' and ');
    const stated = chosen.map((level) => [level, statedAt(level)] as const);
    const amounts = stated.filter(([, { rate: each }]) => each === null);
    return [
      {
        code,
        what: `with ${what}${code === 'R26' ? lackOf(open) : ''}`,
        rates: Object.fromEntries(
          stated.flatMap(([level, { rate: each }]) => (each === null ? [] : [[level, each]])),
        ),
        ...(amounts.length > 0 && {
          amounts: Object.fromEntries(amounts.map(([level, { amount }]) => [level, amount])),
        }),
        shared: sharedBy(open, own, shop),
      },
    ];
  };
  return [
    ...claim(
      'R02',
      different.filter((level) => !isGap(level)),
    ),
    ...claim('R26', different.filter(isGap)),
  ];
};

/**
 * Claim the rate of a single line in all, because such a line says how much was charged, and not for whom. `undefined` if
 * there are several, if it can be the tax of the one level that it names, or if goods have a category, which the shop may
 * have taxed like others.
 */
const inOneLine = (open: OpenVariance, own: OpenModel, shop: Rate): RateClaim | undefined => {
  const [line, ...others] = open.sale.taxLines;
  if (!line || others.length > 0) return undefined;
  const isBeyond = open.gap !== undefined && own.own > 0 && shop > own.own && isLocalRate(shop, own.rates);
  const isGap = isBeyond && open.sale.lines.every(({ taxCode }) => taxCode === null);
  if (!isGap && (isBeyond || line.kind !== null)) return undefined;
  const lack =
    open.gap?.span === undefined ? `, of which the tax content has ${formatPercent(own.own)}` : lackOf(open);
  return {
    code: isGap ? 'R26' : 'R02',
    what: `with “${line.name}” at ${formatPercent(shop)} in all${isGap ? lack : ''}`,
    rates: isGap ? dividedRate(open, own, shop) : { ...NO_RATES, special: shop },
    shared: sharedBy(open, own, shop),
  };
};

const NO_RATES: LevelRates = Object.fromEntries(LEVELS.map((level) => [level, ZERO_RATE]));

const sharedBy = (open: OpenVariance, { own }: OpenModel, shop: Rate | null): RateClaim['shared'] => ({
  where: placeNameIn(open.sale.shipTo),
  shop,
  own,
  ...(open.gap?.area && { area: open.gap.area }),
});

/**
 * Whether what lines state can be a rate that began outside the days of the tax content. Rates of another day can be
 * divided among other levels, so all levels together are compared; lines without rates tell that only if they name their
 * levels. Where the answer taxes nothing, no rate is in question.
 */
const isNewerRate = (
  { sale, gap, expectation }: OpenVariance,
  own: OpenModel,
  shop: Rate | null,
): boolean => {
  if (gap?.span === undefined || own.own === 0) return false;
  if (shop !== null) return shop > own.own;
  return sale.salesTax > expectation.amount_to_collect && sale.taxLines.every(({ kind }) => kind !== null);
};

const lackOf = ({ gap }: OpenVariance): string =>
  gap?.span === undefined
    ? ', of which the tax content has no rate'
    : `; the rates of the tax content are ${gap.span}`;

const NOTHING_STATED: StatedLevel = { rate: ZERO_RATE, amount: ZERO, names: [] };

/** Whether lines without rates are within a cent each of the tax due; they do not suggest another rate. */
const isWithinCents = ({ sale, expectation }: OpenVariance): boolean =>
  Math.abs(sale.salesTax - expectation.amount_to_collect) <= sale.taxLines.length;

/** Group the lines by level; `undefined` if they cannot be told apart or do not add up. */
const levelsOf = (
  { sale, gap, expectation }: OpenVariance,
  own: OpenModel,
): ReadonlyMap<Level, StatedLevel> | undefined => {
  const { taxLines } = sale;
  if (taxLines.length === 0 || sum(taxLines.map(({ amount }) => amount)) !== sale.salesTax) return undefined;
  const kinds = new Set(taxLines.map(({ kind }) => kind));
  const unnamed = gap?.levels.find((level) => !kinds.has(level)) ?? 'special';
  // An independent city is its own county: its tax may be called either.
  const hasCountyTaxAlone = (own.rates.get('county') ?? 0) > 0 && (own.rates.get('city') ?? 0) === 0;
  const isOfCounty = ({ kind, place }: TaxLine): boolean =>
    kind === 'city' &&
    hasCountyTaxAlone &&
    !kinds.has('county') &&
    isSamePlace(place, expectation.jurisdictions?.county ?? '');
  const levels = new Map<Level, StatedLevel>();
  for (const line of taxLines) {
    if (line.kind === 'country') return undefined;
    const level = isOfCounty(line) ? 'county' : (line.kind ?? unnamed);
    levels.set(level, together(levels.get(level), line));
  }
  return levels;
};

const together = (before: StatedLevel | undefined, { rate: stated, amount, name }: TaxLine): StatedLevel => ({
  rate: stated === null || before?.rate === null ? null : rate((before?.rate ?? 0) + stated),
  amount: add(before?.amount ?? ZERO, amount),
  names: [...(before?.names ?? []), name],
});

/**
 * Whether a stated level differs from the answer. Without a rate, it differs only if the answer does not tax the level.
 */
const isDifferent = ({ rate: stated, amount }: StatedLevel, own: Rate = ZERO_RATE): boolean =>
  stated === null ? own === 0 && amount !== ZERO : stated !== own;

/** Whether the stated rate is below the answer's. That is never a gap: a missing rate only lowers the expected tax. */
const isLower = ({ rate: stated }: StatedLevel, own: OpenModel, level: Level): boolean =>
  stated !== null && stated < (own.rates.get(level) ?? 0);

const saidOf = (stated: StatedLevel, level: Level): string => {
  if (stated === NOTHING_STATED) return `no ${level} tax`;
  const names = stated.names.join(' and ');
  return stated.rate === null || names.includes('%')
    ? `“${names}”`
    : `“${names}” at ${formatPercent(stated.rate)}`;
};

/**
 * The rate claims for a sale without tax lines, likeliest first; each must be proved by the sale's amount. If the tax
 * content has a gap at the place, a higher rate is attributed to the gap; every other rate is the seller's.
 *
 * @param implied the rates on which the sales of places agree
 */
export const claimsOf = (
  open: OpenVariance,
  own: OpenModel,
  implied: readonly ImpliedRate[],
): readonly RateClaim[] => {
  const place = placeKeyOf(open.sale);
  return [
    ...implied.flatMap((each) => (each.place === place ? impliedHere(open, own, each.rate) : [])),
    ...placelessHere(open, own),
  ];
};

/**
 * Attribute tax collected above the statewide tax to the place, as long as the place is unknown, and a place can have as
 * much.
 */
const placelessHere = (
  { sale, expectation, gap }: OpenVariance,
  { model }: OpenModel,
): readonly RateClaim[] => {
  const more = subtract(sale.salesTax, expectation.amount_to_collect);
  if (gap?.isPlaceless !== true || more <= 0 || !isLocalTax(sale.salesTax, sale.amount, model)) return [];
  const { state } = sale.shipTo;
  return [
    {
      code: 'R28',
      what: 'with what was collected for a place that the export does not name',
      rates: {},
      amounts: { special: more },
      shared: {
        where: `${usRegionName(state) ?? state}, place not named`,
        shop: null,
        own: null,
      },
    },
  ];
};

const impliedHere = (open: OpenVariance, own: OpenModel, shop: Rate): readonly RateClaim[] => {
  if (shop === own.own) return [];
  return [
    {
      code: open.gap !== undefined && shop > own.own ? 'R27' : 'R02',
      what: `at ${formatPercent(shop)} in all, the rate on which sales of ${placeNameIn(open.sale.shipTo)} agree`,
      rates: dividedRate(open, own, shop),
      shared: sharedBy(open, own, shop),
    },
  ];
};

/**
 * Split a total rate into levels: what exceeds the answer's goes to a level that the content lacks. A lower one has one local
 * rate beside that of the state.
 */
const dividedRate = ({ gap }: OpenVariance, model: OpenModel, total: Rate): LevelRates => {
  const { rates, own } = model;
  if (total < own) {
    const state = rate(Math.min(rates.get('state') ?? ZERO_RATE, total));
    return {
      ...NO_RATES,
      state,
      city: rate(total - state),
    };
  }
  const level = gap === undefined || gap.levels.includes('city') ? 'city' : (gap.levels.at(-1) ?? 'city');
  return { [level]: rate((rates.get(level) ?? 0) + total - own) };
};

import type { TaxResult } from '../contract/tax-result.ts';
import type { ContentGap, RateArea } from '../contract/tax-service.ts';
import { type Money, type Rate, rate, ZERO_PRICE, ZERO_RATE } from '../kernel/money.ts';
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

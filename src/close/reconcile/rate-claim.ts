import type { Money } from '../../kernel/money.ts';
import { priceOfMoney, ZERO_PRICE } from '../../kernel/price.ts';
import { type Rate, rate, ZERO_RATE } from '../../kernel/rate.ts';
import { netOf } from '../sales/read-lines.ts';
import { wholeCents } from './fraction.ts';
import type { Hypothesis, SaleAmounts } from './hypothesis.ts';
import {
  LEVELS,
  type Level,
  type LevelShare,
  SHIPPING_UNIT,
  shareOf,
  type TaxModel,
  type TaxUnit,
  topRates,
} from './tax-model.ts';

/** What a rate of the shop is applied to: what the law taxes, or all goods and the shipping. */
export type RateBase = 'law' | 'everything';

export type LevelRates = Readonly<Partial<Record<Level, Rate>>>;

/** What is known of the cause that several sales share: for the line that stands for all of them. */
export type SharedRate = {
  /** `Colorado Springs`, or the state where its places agree. */
  readonly where: string;
  readonly scope: 'place' | 'state';
  /** The rate of the shop, all levels together; `null` where its tax lines state amounts only. */
  readonly shop: Rate | null;
  /** The rate of the answer, all levels together. */
  readonly own: Rate;
  /** Tax lines of the shop, sales that agree on one rate, or the amount alone, where the place is not known. */
  readonly by: 'lines' | 'agreement' | 'amount';
  readonly base: RateBase;
  /** Hundredths of sales that chance alone would bring to agree; 0 where lines state the rate. */
  readonly chance: number;
};

/** Rates that the shop applied in place of those of the answer, for which there is evidence beside the amount. */
export type RateClaim = {
  readonly code: 'R02' | 'R26' | 'R27' | 'R28';
  readonly what: string;
  readonly rates: LevelRates;
  /** Tax that a line of the shop states without a rate, at levels of which the answer has none. */
  readonly amounts?: Readonly<Partial<Record<Level, Money>>>;
  readonly shared: SharedRate;
};

/** What the shop charged beyond the answer's rates; nothing where it charged less, or stated no rate. */
export const rateBeyond = ({ shop, own }: Pick<SharedRate, 'shop' | 'own'>): Rate =>
  rate(Math.max(0, (shop ?? own) - own));

/** The claim as a change of a calculation. */
export const claimed = (claim: RateClaim, sold: SaleAmounts): Hypothesis => ({
  code: claim.code,
  apply: (model) => ({ model: atRates(claim, model, sold), what: claim.what }),
});

const STATED_UNIT = 'stated by the shop';

const atRates = ({ rates, amounts, shared }: RateClaim, model: TaxModel, sold: SaleAmounts): TaxModel => {
  const top = topRates(model);
  const units = shared.base === 'everything' ? everything(sold) : model.units;
  const changed = units.map((unit) => ({ id: unit.id, shares: sharesAt(unit, rates, top, shared.base) }));
  const stated = Object.entries(amounts ?? {}).map(
    ([level, amount]): LevelShare => ({
      ...shareOf(level as Level, ZERO_PRICE, ZERO_RATE),
      tax: wholeCents(amount),
    }),
  );
  return {
    ...model,
    units: stated.length === 0 ? changed : [...changed, { id: STATED_UNIT, shares: stated }],
  };
};

/** Goods that a category treats apart keep the rates of the answer. */
const sharesAt = (
  { shares }: TaxUnit,
  rates: LevelRates,
  top: ReadonlyMap<Level, Rate>,
  base: RateBase,
): readonly LevelShare[] => {
  const state = shares.find(({ level }) => level === 'state');
  const isPlain = base === 'everything' || (state !== undefined && state.rate === top.get('state'));
  if (!state || state.taxable === 0 || !isPlain) return shares;
  return LEVELS.flatMap((level) => {
    const own = shares.find((share) => share.level === level);
    const charged = rates[level] ?? (base === 'everything' ? top.get(level) : own?.rate);
    if (charged === undefined) return [];
    return own && own.rate === charged ? [own] : [shareOf(level, state.taxable, charged)];
  });
};

/** Every line and the shipping at their prices, not taxed yet. */
const everything = ({ shipping, lines }: SaleAmounts): readonly TaxUnit[] => [
  ...lines.map((line) => ({ id: line.id, shares: [shareOf('state', netOf(line), ZERO_RATE)] })),
  { id: SHIPPING_UNIT, shares: [shareOf('state', priceOfMoney(shipping), ZERO_RATE)] },
];

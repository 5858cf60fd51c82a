import type { TaxResult } from '../../contract/tax-result.ts';
import { type Money, subtract, ZERO } from '../../kernel/money.ts';
import { type Price, price, priceOfMoney } from '../../kernel/price.ts';
import { RATE_ONE } from '../../kernel/rate.ts';
import { netOf } from '../sales/read-lines.ts';
import type { RefundedPart, SaleLine } from '../sales/sale.ts';
import { answerLineIds } from '../sales/tax-request-of.ts';
import { isSame } from './fraction.ts';
import { modelOfProbe, type ProbedCodes } from './probe.ts';
import type { ReasonCode } from './reason.ts';
import {
  type LevelShare,
  piecesOf,
  type RoundingGrain,
  shareOf,
  type TaxModel,
  type TaxUnit,
  taxModelOf,
  taxOf,
  topRates,
} from './tax-model.ts';

/** One way in which a shop may calculate differently: changes a model, or returns `undefined` if it does not apply. */
export type Hypothesis = {
  readonly code: ReasonCode;
  readonly apply: (model: TaxModel) => { readonly model: TaxModel; readonly what: string } | undefined;
};

/** A change that needed another calculation: the reason it would prove, a description of the change, and the answer. */
export type AnsweredHypothesis = {
  readonly code: ReasonCode;
  readonly what: string;
  readonly result: TaxResult;
  /** The answer about the order, if `result` is about a part of it. */
  readonly whole?: TaxResult;
  /** If the answer is to a probe shared by many sales: the probed categories. */
  readonly probed?: ProbedCodes;
};

/** The amounts of a sale that the changes need. */
export type SaleAmounts = {
  readonly shipping: Money;
  readonly lines: readonly SaleLine[];
  /** Goods and shipping; the only amount known for goods without lines. */
  readonly amount: Money;
  /** The order that a refund gives a part of back, if it is calculated as one. */
  readonly partOf?: RefundedPart | undefined;
};

/** Rounding methods of shops, likeliest first. Some calculate the tax of a discount by itself and take it off. */
export const roundingsOf = ({ lines, shipping }: Omit<SaleAmounts, 'amount'>): readonly Hypothesis[] => [
  ...(['line', 'jurisdiction', 'line and jurisdiction'] as const).map(rounding),
  ...(shipping === ZERO ? [] : (['part', 'part and jurisdiction'] as const).map(rounding)),
  ...(lines.some((line) => piecesOf(line).pieces)
    ? (['piece', 'piece and jurisdiction'] as const).map(pieceRounding)
    : []),
  ...(lines.some(({ discount }) => discount !== 0)
    ? (['line', 'line and jurisdiction'] as const).map((grain) => discountsApart(lines, rounding(grain)))
    : []),
];

const rounding = (grain: keyof typeof ROUNDED): Hypothesis => ({
  code: 'R01',
  apply: (model) => ({ model: { ...model, grain }, what: ROUNDED[grain] }),
});

/** Round the tax of each piece, unless that makes it nothing: a shop without any tax charged none. */
const pieceRounding = (grain: 'piece' | 'piece and jurisdiction'): Hypothesis => ({
  code: 'R01',
  apply: (model) => {
    const rounded = { ...model, grain };
    return taxOf(rounded) === ZERO ? undefined : { model: rounded, what: ROUNDED[grain] };
  },
});

const ROUNDED = {
  line: 'rounded per line',
  jurisdiction: 'rounded per jurisdiction',
  'line and jurisdiction': 'rounded per line and jurisdiction',
  part: 'with goods and shipping each rounded by themselves',
  'part and jurisdiction': 'with goods and shipping each rounded by themselves, per jurisdiction',
  piece: 'rounded per piece of each line',
  'piece and jurisdiction': 'rounded per piece of each line and jurisdiction',
} as const satisfies Partial<Record<RoundingGrain, string>>;

/** Round the tax of discounts apart, on lines that are taxed at plain rates on the price after the discount. */
const discountsApart = (lines: readonly SaleLine[], { code, apply }: Hypothesis): Hypothesis => ({
  code,
  apply: (model) => {
    const rounded = apply(model);
    const discounts = new Map(lines.map((line) => [line.id, line]));
    return (
      rounded && {
        model: withShares(rounded.model, ({ id, shares }) => {
          const line = discounts.get(id);
          return line ? shares.flatMap((share) => withDiscountApart(share, line)) : shares;
        }),
        what: `${rounded.what}, and discounts by themselves`,
      }
    );
  },
});

const withDiscountApart = (share: LevelShare, line: SaleLine): readonly LevelShare[] => {
  const { level, taxable, rate } = share;
  const net = netOf(line);
  const isPlain = taxable === net && isSame(share.tax, shareOf(level, net, rate).tax);
  if (!isPlain) return [share];
  return [
    shareOf(level, price(net + line.discount), rate),
    { ...shareOf(level, price(-line.discount), rate), isOfDiscount: true },
  ];
};

/** Other common errors that do not depend on the goods, likeliest first. */
export const commonShopErrors = ({ lines }: SaleAmounts): readonly Hypothesis[] => [
  stateAlone,
  withoutDistricts,
  discountBase(lines),
  inclusivePrice,
];

const stateAlone: Hypothesis = {
  code: 'R02',
  apply: (model) => ({
    model: withShares(model, ({ shares }) => shares.filter(({ level }) => level === 'state')),
    what: 'at the state rate alone',
  }),
};

/** Leave out special districts, as a shop does that knows only the rates valid throughout a place. */
const withoutDistricts: Hypothesis = {
  code: 'R02',
  apply: (model) => {
    const isDistrict = ({ level }: LevelShare) => level === 'special';
    if (!model.units.some(({ shares }) => shares.some(isDistrict))) return undefined;
    return {
      model: withShares(model, ({ shares }) => shares.filter((share) => !isDistrict(share))),
      what: 'without special districts',
    };
  },
};

/** Tax the price before the discount instead of the price after it, or the other way round. */
const discountBase = (lines: readonly SaleLine[]): Hypothesis => {
  const discounted = new Map(lines.filter(({ discount }) => discount !== 0).map((line) => [line.id, line]));
  const other = (line: SaleLine, { taxable }: LevelShare): Price => {
    const net = netOf(line);
    const gross = net + line.discount;
    if (taxable === net) return price(gross);
    return taxable === gross ? net : taxable;
  };
  return {
    code: 'R15',
    apply: (model) => {
      if (discounted.size === 0) return undefined;
      const changed = withShares(model, ({ id, shares }) => {
        const line = discounted.get(id);
        if (!line) return shares;
        return shares.map((share) =>
          share.taxable === 0 ? share : shareOf(share.level, other(line, share), share.rate),
        );
      });
      return { model: changed, what: 'on the prices before discounts' };
    },
  };
};

/** Replace the whole model with that of another calculation. */
export const insteadOf = (alternative: AnsweredHypothesis, sold: SaleAmounts): Hypothesis => {
  const { code, what } = alternative;
  const model = modelOfAlternative(alternative, sold);
  return { code, apply: () => model && { model, what } };
};

/** The same change of the order of which a sale gives a part back; the answer to a probe serves both. */
export const aboutOrder = ({ whole, ...alternative }: AnsweredHypothesis): AnsweredHypothesis =>
  whole ? { ...alternative, result: whole } : alternative;

/** The model of another calculation; `undefined` if the answer to a probe is not conclusive. */
export const modelOfAlternative = (
  { result, probed }: AnsweredHypothesis,
  sold: SaleAmounts,
): TaxModel | undefined => (probed ? modelOfProbe(result, probed, sold) : taxModelOf(result, sold.lines));

/** Take the tax out of the price: at 8 %, 8/108 of it. */
const inclusivePrice: Hypothesis = {
  code: 'R25',
  apply: (model) => {
    const changed = withShares(model, ({ shares }) => {
      const combined = shares.reduce((total, { taxable, rate }) => total + (taxable === 0 ? 0 : rate), 0);
      return shares.map((share) => {
        const { dividend, divisor } = share.tax;
        const tax = {
          dividend: dividend * BigInt(RATE_ONE),
          divisor: divisor * BigInt(RATE_ONE + combined),
        };
        return { ...share, tax };
      });
    });
    return { model: changed, what: 'with the tax taken out of the prices' };
  },
};

/**
 * Tax the whole price of goods at the rates of all levels, where one taxes a part of it, because of a cap or a threshold,
 * or taxes a part of it once more. A category can be taxed in part for another reason, so its price counts only where
 * another level taxes all of it.
 */
export const withoutCaps = ({ lines, amount, shipping }: SaleAmounts): Hypothesis => {
  const sold = new Map(
    lines.length === 0
      ? answerLineIds({ lines }).map((id) => [
          id,
          { net: priceOfMoney(subtract(amount, shipping)), isPlain: true },
        ])
      : lines.map((line) => [line.id, { net: netOf(line), isPlain: line.taxCode === null }]),
  );
  return {
    code: 'R21',
    apply: (model) => {
      let isCapped = false;
      const changed = withShares(model, ({ id, shares }) => {
        const { net = 0, isPlain = false } = sold.get(id) ?? {};
        if (!isPlain && shares.every(({ taxable }) => taxable !== net)) return shares;
        return shares.map((share) => {
          const whole = shareOf(share.level, price(net), share.rate);
          if (share.taxable <= 0 || share.taxable > net || isSame(share.tax, whole.tax)) return share;
          isCapped = true;
          return whole;
        });
      });
      return isCapped ? { model: changed, what: 'without caps on prices' } : undefined;
    },
  };
};

/** Maximum number of lines to try individually; with more, some would fit by chance. */
const LINES_MAX = 12;

/**
 * Tax or exempt single lines, and all lines of one category, contrary to the model. The tax of a line without its
 * category comes from the calculation without categories, if available; otherwise from the highest rates of the order.
 */
export const lineChangesOf = ({ lines }: SaleAmounts, plain: TaxModel | undefined): readonly Hypothesis[] => {
  if (lines.length > LINES_MAX) return [];
  const codes = [...new Set(lines.map(({ taxCode }) => taxCode))].filter((code) => code !== null);
  const groups = [
    ...codes.map((code) => ({
      what: `category ${code}`,
      lines: lines.filter((line) => line.taxCode === code),
    })),
    ...lines.map((line) => ({ what: `line ${line.id}`, lines: [line] })),
  ];
  return groups.flatMap((group) => [taxed(group, plain), untaxed(group)]);
};

type Group = { readonly what: string; readonly lines: readonly SaleLine[] };

const taxed = ({ what, lines }: Group, plain: TaxModel | undefined): Hypothesis => ({
  code: 'R05',
  apply: (model) => {
    const units = new Map(
      lines.map((line) => [
        line.id,
        plain?.units.find(({ id }) => id === line.id) ?? plainUnit(line.id, netOf(line), model),
      ]),
    );
    return {
      model: withShares(model, ({ id, shares }) => units.get(id)?.shares ?? shares),
      what: `with ${what} taxed in full`,
    };
  },
});

const untaxed = ({ what, lines }: Group): Hypothesis => ({
  code: 'R05',
  apply: (model) => ({
    model: withShares(model, ({ id, shares }) => (lines.some((line) => line.id === id) ? [] : shares)),
    what: `with ${what} untaxed`,
  }),
});

const plainUnit = (id: string, taxable: Price, { units }: TaxModel): TaxUnit => ({
  id,
  shares: plainShares(taxable, units),
});

/** Tax an amount at the highest rates of some goods. */
export const plainShares = (taxable: Price, units: readonly TaxUnit[]): readonly LevelShare[] =>
  [...topRates({ units })].map(([level, rate]) => shareOf(level, taxable, rate));

const withShares = (model: TaxModel, sharesOf: (unit: TaxUnit) => readonly LevelShare[]): TaxModel => ({
  ...model,
  units: model.units.map((unit) => ({ ...unit, shares: sharesOf(unit) })),
});

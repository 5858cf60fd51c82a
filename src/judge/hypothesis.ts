import type { TaxResult } from '../contract/tax-result.ts';
import { type Money, type Price, price, priceOfMoney, RATE_ONE, ZERO } from '../kernel/money.ts';
import { netOf } from '../sales/read-lines.ts';
import type { Sale, SaleLine } from '../sales/sale.ts';
import type { ReasonCode } from './reason.ts';
import {
  type Level,
  type LevelShare,
  SHIPPING_UNIT,
  shareOf,
  type TaxModel,
  type TaxUnit,
  taxModelOf,
  topRates,
} from './tax-model.ts';

/** One way in which a shop may calculate differently: changes a model, or returns `undefined` if it does not apply. */
export type Hypothesis = {
  readonly code: ReasonCode;
  readonly apply: (model: TaxModel) =>
    | {
        readonly model: TaxModel;
        readonly what: string;
      }
    | undefined;
};

/** A change that needed another calculation: the reason it would prove, a description of the change, and the answer. */
export type AnsweredHypothesis = {
  readonly code: ReasonCode;
  readonly what: string;
  readonly result: TaxResult;
  /** The answer about the order, if `result` is about a part of it. */
  readonly whole?: TaxResult;
};

/** Rounding methods of shops, likeliest first. */
export const ROUNDINGS: readonly Hypothesis[] = (
  ['line', 'jurisdiction', 'line and jurisdiction'] as const
).map((grain) => ({
  code: 'R01',
  apply: (model) => ({ model: { ...model, grain }, what: `rounded per ${grain}` }),
}));

/** Common errors of shops, likeliest first. */
export const commonShopErrors = ({ lines, shipping }: Sale): readonly Hypothesis[] => [
  ...(shipping === ZERO ? [] : [untaxedFreight, taxedFreight(shipping)]),
  onlyAt((level) => level === 'state', 'at the state rate alone'),
  onlyAt((level) => level !== 'special', 'without special districts'),
  discountBase(lines),
  inclusivePrice,
];

const untaxedFreight: Hypothesis = {
  code: 'R06',
  apply: (model) => ({
    model: { ...model, units: model.units.filter(({ id }) => id !== SHIPPING_UNIT) },
    what: 'with shipping untaxed',
  }),
};

const taxedFreight = (shipping: Money): Hypothesis => ({
  code: 'R06',
  apply: (model) => {
    const goods = model.units.filter(({ id }) => id !== SHIPPING_UNIT);
    const shares = plainShares(priceOfMoney(shipping), goods);
    return {
      model: { ...model, units: [...goods, { id: SHIPPING_UNIT, shares }] },
      what: 'with shipping taxed',
    };
  },
});

/** Leave out levels, as a shop does that knows only the rate of the state, or only the rates valid throughout a place. */
const onlyAt = (isKept: (level: Level) => boolean, what: string): Hypothesis => ({
  code: 'R02',
  apply: (model) => ({
    model: withShares(model, ({ shares }) => shares.filter(({ level }) => isKept(level))),
    what,
  }),
});

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

/** Replace the whole model with that of another calculation. */
export const insteadOf = (
  { code, what, result }: AnsweredHypothesis,
  lines: readonly SaleLine[],
): Hypothesis => ({ code, apply: () => ({ model: taxModelOf(result, lines), what }) });

/** The same change of the order of which a sale gives a part back. */
export const aboutOrder = ({ whole, ...alternative }: AnsweredHypothesis): AnsweredHypothesis =>
  whole ? { ...alternative, result: whole } : alternative;

/** Maximum number of lines to try individually; with more, some would fit by chance. */
const LINES_MAX = 12;

/**
 * Tax or exempt single lines, and all lines of one category, contrary to the model. The tax of a line without its
 * category comes from the calculation without categories, if available; otherwise from the highest rates of the order.
 */
export const lineChangesOf = ({ lines }: Sale, plain: TaxModel | undefined): readonly Hypothesis[] => {
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

type Group = {
  readonly what: string;
  readonly lines: readonly SaleLine[];
};

/** Tax goods in full. Those without a category are taxed in full but for a threshold or a cap. */
const taxed = ({ what, lines }: Group, plain: TaxModel | undefined): Hypothesis => ({
  code: lines.some(({ taxCode }) => taxCode !== null) ? 'R05' : 'R21',
  apply: (model) => {
    const units = new Map(
      lines.map((line) => [
        line.id,
        plain?.units.find(({ id }) => id === line.id) ?? {
          id: line.id,
          shares: plainShares(netOf(line), model.units),
        },
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

/** Tax an amount at the highest rates of some goods. */
const plainShares = (taxable: Price, units: readonly TaxUnit[]): readonly LevelShare[] =>
  [...topRates({ units })].map(([level, rate]) => shareOf(level, taxable, rate));

const withShares = (model: TaxModel, sharesOf: (unit: TaxUnit) => readonly LevelShare[]): TaxModel => ({
  ...model,
  units: model.units.map((unit) => ({ ...unit, shares: sharesOf(unit) })),
});

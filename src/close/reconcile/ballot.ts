import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';
import { type Price, price, priceOfMoney } from '../../kernel/price.ts';
import type { Rate } from '../../kernel/rate.ts';
import { netOf } from '../sales/read-lines.ts';
import { type OpenModel, type OpenVariance, placeKeyOf } from './open-variance.ts';
import type { RateBase, StatedRates } from './rate-claim.ts';
import { SHIPPING_UNIT, type TaxModel } from './tax-model.ts';

/**
 * The amount that a rate is applied to in a vote: the base of a claim, or the base with shipping taxed the other way.
 */
export type VotedBase = RateBase | 'law, shipping the other way';

/** An amount that the shop's rate may apply to, and the lines that it consists of, shipping among them. */
export type BallotBase = {
  readonly base: VotedBase;
  readonly amount: Price;
  readonly lines: readonly Price[];
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
  readonly day: CalendarDate;
  readonly collected: Money;
  /** Rates of the answer, by level, and their total. */
  readonly levels: readonly Rate[];
  readonly own: Rate;
  readonly bases: readonly BallotBase[];
  /** Rates that the sale's own tax lines prove for its place. Such a sale does not vote. */
  readonly stated: StatedRates | undefined;
};

/** The ballot of a sale; `undefined` if the answer does not apply a single rate that another rate could replace. */
export const ballotOf = (
  open: OpenVariance,
  { model, rates, own }: OpenModel,
  stated: StatedRates | undefined,
): Ballot | undefined => {
  const { sale } = open;
  const law = plainLines(model, rates.get('state'));
  if (stated === undefined && law === undefined) return undefined;
  return {
    key: sale.key,
    state: sale.shipTo.state,
    place: placeKeyOf(sale),
    day: sale.taxDate,
    collected: sale.salesTax,
    levels: [...rates.values()],
    own,
    bases: law === undefined ? [] : basesOf(open, law),
    stated,
  };
};

/** What is taxable of each line, if all of it is taxed at the state's general rate and by every level. */
const plainLines = (
  { units, rest }: TaxModel,
  stateRate: Rate | undefined,
): readonly TaxedLine[] | undefined => {
  const lines: TaxedLine[] = [];
  if (stateRate === undefined || rest !== 0) return undefined;
  for (const { id, shares } of units) {
    const taxed = shares.filter(({ taxable, rate }) => taxable !== 0 && rate !== 0);
    const state = taxed.find(({ level }) => level === 'state');
    if (taxed.length === 0) continue;
    if (state?.rate !== stateRate || taxed.some(({ taxable }) => taxable !== state.taxable)) return undefined;
    lines.push({ id, taxable: state.taxable });
  }
  return totalOf(lines) > 0 ? lines : undefined;
};

type TaxedLine = { readonly id: string; readonly taxable: Price };

const totalOf = (lines: readonly TaxedLine[]): number =>
  lines.reduce((total, { taxable }) => total + taxable, 0);

const basesOf = ({ sale }: OpenVariance, law: readonly TaxedLine[]): Ballot['bases'] => {
  const freight = { id: SHIPPING_UNIT, taxable: priceOfMoney(sale.shipping) };
  const goods = law.filter(({ id }) => id !== SHIPPING_UNIT);
  const sold = sale.lines.map((line) => ({ id: line.id, taxable: netOf(line) }));
  const bases: BallotBase[] = [];
  const offer = (base: VotedBase, lines: readonly TaxedLine[]): void => {
    const amount = totalOf(lines);
    if (amount > 0 && bases.every((each) => each.amount !== amount))
      bases.push({ base, amount: price(amount), lines: lines.map(({ taxable }) => taxable) });
  };
  offer('law', law);
  if (freight.taxable !== 0)
    offer('law, shipping the other way', goods.length < law.length ? goods : [...goods, freight]);
  if (sold.length > 0) offer('everything', [...sold, freight]);
  return bases;
};

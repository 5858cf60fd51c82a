import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';
import { type Price, price, priceOfMoney } from '../../kernel/price.ts';
import type { Rate } from '../../kernel/rate.ts';
import { netOf } from '../sales/read-lines.ts';
import { type OpenModel, type OpenVariance, placeKeyOf } from './open-variance.ts';
import type { LevelRates, RateBase } from './rate-claim.ts';
import { SHIPPING_UNIT, type TaxModel } from './tax-model.ts';

/**
 * The amount that a rate is applied to in a vote: the base of a claim, or the base with shipping taxed the other way.
 */
export type VotedBase = RateBase | 'law, shipping the other way';

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
  readonly bases: readonly { readonly base: VotedBase; readonly amount: Price }[];
  /** Rates that the sale's own tax lines prove for its place. Such a sale does not vote. */
  readonly stated: LevelRates | undefined;
};

/** The ballot of a sale; `undefined` if the answer does not apply a single rate that another rate could replace. */
export const ballotOf = (
  open: OpenVariance,
  { model, rates, own }: OpenModel,
  stated: LevelRates | undefined,
): Ballot | undefined => {
  const { sale } = open;
  const law = plainBase(model, rates.get('state'));
  if (stated === undefined && law === undefined) return undefined;
  return {
    key: sale.key,
    state: sale.shipTo.state,
    place: placeKeyOf(sale),
    day: sale.taxDate,
    collected: sale.salesTax,
    levels: [...rates.values()],
    own,
    bases: law === undefined ? [] : basesOf(open, model, law),
    stated,
  };
};

/** The taxable amount, if all of it is taxed at the state's general rate and every level taxes the same amount. */
const plainBase = ({ units, rest }: TaxModel, stateRate: Rate | undefined): Price | undefined => {
  let base = 0;
  if (stateRate === undefined || rest !== 0) return undefined;
  for (const { shares } of units) {
    const taxed = shares.filter(({ taxable, rate }) => taxable !== 0 && rate !== 0);
    const state = taxed.find(({ level }) => level === 'state');
    if (taxed.length === 0) continue;
    if (state?.rate !== stateRate || taxed.some(({ taxable }) => taxable !== state.taxable)) return undefined;
    base += state.taxable;
  }
  return base > 0 ? price(base) : undefined;
};

const basesOf = ({ sale }: OpenVariance, { units }: TaxModel, law: Price): Ballot['bases'] => {
  const shipping = priceOfMoney(sale.shipping);
  const isFreightTaxed = units.some(
    ({ id, shares }) => id === SHIPPING_UNIT && shares.some(({ taxable }) => taxable !== 0),
  );
  const goods = sale.lines.reduce((total, line) => total + netOf(line), 0);
  const bases: Ballot['bases'][number][] = [{ base: 'law', amount: law }];
  const offer = (base: VotedBase, amount: number): void => {
    if (amount > 0 && bases.every((each) => each.amount !== amount))
      bases.push({ base, amount: price(amount) });
  };
  if (shipping !== 0) offer('law, shipping the other way', isFreightTaxed ? law - shipping : law + shipping);
  if (sale.lines.length > 0) offer('everything', goods + shipping);
  return bases;
};

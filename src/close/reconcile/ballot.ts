import type { Money } from '../../kernel/money.ts';
import { type Price, price } from '../../kernel/price.ts';
import type { Rate } from '../../kernel/rate.ts';
import { type OpenModel, type OpenVariance, placeKeyOf } from './open-variance.ts';
import type { StatedRates } from './rate-claim.ts';
import type { TaxModel } from './tax-model.ts';

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

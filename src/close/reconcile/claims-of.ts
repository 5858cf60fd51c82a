import { subtract } from '../../kernel/money.ts';
import { formatPercent, type Rate, rate, ZERO_RATE } from '../../kernel/rate.ts';
import { usRegionName } from '../../kernel/us-regions.ts';
import type { ImpliedRate, RateDecision } from './implied-rates.ts';
import { isLocalRate, isLocalTax } from './local-limit.ts';
import { areaIn, type OpenModel, type OpenVariance, placeKeyOf, placeNameOf } from './open-variance.ts';
import type { LevelRates, RateClaim, StatedRates } from './rate-claim.ts';
import type { Level } from './tax-model.ts';

/**
 * The rate claims for a sale without tax lines, likeliest first; each must be proved by the sale's amount. If the tax
 * content has a gap at the place, a higher rate is attributed to the gap; every other rate is the seller's.
 */
export const claimsOf = (
  open: OpenVariance,
  own: OpenModel,
  { implied, stated }: RateDecision,
): readonly RateClaim[] => {
  const place = placeKeyOf(open.sale);
  const here = implied.filter(
    ({ scope, where }) => where === (scope === 'place' ? place : open.sale.shipTo.state),
  );
  const rates = stated.get(place);
  return [
    ...(rates === undefined ? [] : statedThere(open, own, rates)),
    ...[...here].sort(placesFirst).flatMap((found) => impliedHere(open, own, found)),
    ...placelessHere(open, own),
  ];
};

/**
 * Attribute tax collected above the statewide tax to the place, as long as the place is unknown, and a place can have as
 * much.
 */
const placelessHere = (
  { sale, expectation, gap }: OpenVariance,
  { own, model }: OpenModel,
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
        ...{ where: `${usRegionName(state) ?? state}, place not named`, scope: 'state', shop: null, own },
        ...{ by: 'amount', chance: 0 },
      },
    },
  ];
};

const placesFirst = (left: ImpliedRate, right: ImpliedRate): number =>
  Number(left.scope === 'state') - Number(right.scope === 'state');

/**
 * Claim rates that tax lines of other sales state for the place, at levels that the content lacks; of one rate for all
 * levels, and in place of rates of another day, at all of them.
 */
const statedThere = (open: OpenVariance, own: OpenModel, stated: StatedRates): readonly RateClaim[] => {
  if (open.gap === undefined) return [];
  const { rates } = stated;
  const isNewer = stated.isNewer === true || open.gap.span !== undefined;
  const missing = Object.entries(rates).filter(
    ([level]) => isNewer || open.gap?.levels.some((each) => each === level),
  );
  if (missing.length === 0) return [];
  const where = placeNameOf(open.sale);
  const more = missing.reduce(
    (total, [level, there]) => total + there - (own.rates.get(level as Level) ?? 0),
    0,
  );
  const shop = rate(own.own + more);
  if (!isLocalRate(shop, own.rates)) return [];
  return [
    {
      code: 'R26',
      what: `at ${formatPercent(shop)} in all, as tax lines of other sales of ${where} have it`,
      rates: Object.fromEntries(missing),
      shared: { where, scope: 'place', shop, own: own.own, by: 'lines', chance: 0, ...areaIn(open) },
      ...(isNewer && { isNewer }),
    },
  ];
};

const impliedHere = (open: OpenVariance, own: OpenModel, found: ImpliedRate): readonly RateClaim[] => {
  const { scope, chance } = found;
  if (found.rate === own.own) return [];
  const isGap = open.gap !== undefined && found.rate > own.own;
  const { state } = open.sale.shipTo;
  const where = scope === 'place' ? placeNameOf(open.sale) : (usRegionName(state) ?? state);
  return variantsOf(open, own, found.rate).map((rates) => ({
    code: isGap ? 'R27' : 'R02',
    what: `at ${formatPercent(found.rate)} in all, the rate on which sales of ${where} agree`,
    rates,
    shared: { where, scope, shop: found.rate, own: own.own, by: 'agreement', chance, ...areaIn(open) },
  }));
};

/**
 * The ways to split a total rate into levels that its excess allows: as `dividedRate` does, or into the state's rate and a
 * single local rate, as shops round them.
 */
const variantsOf = (open: OpenVariance, own: OpenModel, total: Rate): readonly LevelRates[] => {
  const divided = dividedRate(open, own, total);
  return total < own.own ? [divided] : [divided, withOneLocalRate(own, total)];
};

/** Split a total rate into levels: what exceeds the answer's goes to a level that the content lacks. */
export const dividedRate = ({ gap }: OpenVariance, model: OpenModel, total: Rate): LevelRates => {
  const { rates, own } = model;
  if (total < own) return withOneLocalRate(model, total);
  const level = gap === undefined || gap.levels.includes('city') ? 'city' : (gap.levels.at(-1) ?? 'city');
  return { [level]: rate((rates.get(level) ?? 0) + total - own) };
};

const withOneLocalRate = ({ rates }: OpenModel, total: Rate): LevelRates => {
  const state = rate(Math.min(rates.get('state') ?? ZERO_RATE, total));
  return { state, county: ZERO_RATE, city: rate(total - state), special: ZERO_RATE };
};

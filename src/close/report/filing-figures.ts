import { add, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import type {
  ExemptFigures,
  GapFigures,
  JurisdictionFigures,
  PlaceFigures,
  StateFigures,
} from '../filing/state-figures.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { type DetailRow, varianceOf } from '../reconcile/detail-row.ts';
import type { LevelFigures } from '../reconcile/level-figures.ts';
import { placeNameIn } from '../reconcile/open-variance.ts';
import type { JurisdictionTotals, StateTotals } from '../reconcile/period-totals.ts';
import { rateBeyond } from '../reconcile/rate-claim.ts';
import type { Sale } from '../sales/sale.ts';
import { feeGatherer } from './fee-figures.ts';
import { gapOf, gapParts, taxableOf } from './gap-parts.ts';
import type { CountedSales } from './kept-states.ts';
import { placeLayers } from './place-layers.ts';

/** What returns ask for beyond the totals of a state: who was exempt, what was returned, and where it was sold. */
type Extra = {
  returns: Money;
  marketplace: Money;
  marketplaceOrders: number;
  beforeDuty: Money;
  excessCollected: Money;
  gapSales: number;
  gapTax: Money;
  readonly gapJurisdictions: Map<string, JurisdictionFigures>;
  readonly exempt: Map<string, ExemptFigures>;
  readonly places: Map<string, PlaceFigures>;
};

export type FilingFigures = {
  readonly add: (row: DetailRow, sale: Sale) => void;
  /** The figures of one state, put together with its totals; a state without sales has none of anything. */
  readonly of: (
    state: string,
    period: FilingPeriod,
    totals: StateTotals | undefined,
    jurisdictions: readonly JurisdictionTotals[],
  ) => StateFigures;
  /** What thresholds of nexus count differently from how gross sales, whether the seller is registered or not. */
  readonly counted: (state: string) => CountedSales;
};

/** Takes one row of Detail after the other. Its memory grows with places, not with sales. */
export const filingFigures = (): FilingFigures => {
  const byState = new Map<string, Extra>();
  const fees = feeGatherer(loadFilingLaw().fees);
  return {
    add: (row, sale) => {
      if (!row.isPosted) return;
      fees.add(row, sale);
      const extra = byState.get(row.state) ?? emptyExtra();
      byState.set(row.state, extra);
      if (row.kind === 'refund') extra.returns = add(extra.returns, negate(row.gross));
      const gap = gapOf(row);
      const excess = subtract(varianceOf(row), gap);
      if (excess > 0) extra.excessCollected = add(extra.excessCollected, excess);
      if (gap !== ZERO) addGap(extra, row, gap);
      addExempt(extra, row, sale);
      addPlace(extra.places, row, gap);
    },
    of: (state, period, totals, jurisdictions) => {
      const extra = byState.get(state) ?? emptyExtra();
      const { returns, marketplace, excessCollected, exempt, beforeDuty, places } = extra;
      return {
        state,
        period,
        orders: totals?.orders ?? 0,
        refunds: totals?.refunds ?? 0,
        gross: totals?.gross ?? ZERO,
        shipping: totals?.shipping ?? ZERO,
        taxable: totals?.taxable ?? ZERO,
        collected: totals?.collected ?? ZERO,
        expected: totals?.expected ?? ZERO,
        returns,
        marketplace,
        gap: gapFigures(extra),
        excessCollected,
        exempt: sorted(exempt),
        beforeDuty,
        places: sorted(places),
        fees: fees.of(state),
        jurisdictions: jurisdictions.filter((row) => row.state === state).flatMap(levied),
      };
    },
    counted: (state) => {
      const { exempt, marketplace, marketplaceOrders } = byState.get(state) ?? emptyExtra();
      return {
        exempt: sum([...exempt.values()].map(({ amount }) => amount)),
        resale: exempt.get('wholesale')?.amount ?? ZERO,
        marketplace,
        marketplaceOrders,
      };
    },
  };
};

const emptyExtra = (): Extra => ({
  returns: ZERO,
  marketplace: ZERO,
  marketplaceOrders: 0,
  beforeDuty: ZERO,
  excessCollected: ZERO,
  gapSales: 0,
  gapTax: ZERO,
  gapJurisdictions: new Map(),
  exempt: new Map(),
  places: new Map(),
});

const addGap = (extra: Extra, row: DetailRow, gap: Money): void => {
  extra.gapSales += 1;
  extra.gapTax = add(extra.gapTax, gap);
  for (const part of gapParts(row, gap)) {
    const key = JSON.stringify([part.level, part.name, String(part.rate).padStart(9, '0')]);
    const known = extra.gapJurisdictions.get(key);
    extra.gapJurisdictions.set(
      key,
      known ? { ...known, taxable: add(known.taxable, part.taxable), tax: add(known.tax, part.tax) } : part,
    );
  }
};

const gapFigures = ({ gapSales, gapTax, gapJurisdictions }: Extra): GapFigures => ({
  sales: gapSales,
  tax: gapTax,
  jurisdictions: sorted(gapJurisdictions),
});

const addExempt = (extra: Extra, row: DetailRow, { exemptionType }: Sale): void => {
  if (exemptionType === null || exemptionType === 'non_exempt') {
    if (!row.hasNexus) extra.beforeDuty = add(extra.beforeDuty, row.gross);
    return;
  }
  // What is taxed in spite of the exemption is not a deduction.
  const amount = add(row.gross, negate(row.taxable));
  if (exemptionType === 'marketplace') {
    extra.marketplace = add(extra.marketplace, amount);
    if (row.kind === 'order') extra.marketplaceOrders += 1;
    return;
  }
  const known = extra.exempt.get(exemptionType) ?? { type: exemptionType, amount: ZERO, sales: 0 };
  extra.exempt.set(exemptionType, {
    type: exemptionType,
    amount: add(known.amount, amount),
    sales: known.sales + 1,
  });
};

/** What a body levies. Tax that only the shop charged is not a line of a return's schedule. */
const levied = ({ level, name, rate, taxable, tax }: JurisdictionTotals): readonly JurisdictionFigures[] =>
  level === 'other' || (taxable === ZERO && tax === ZERO) ? [] : [{ level, name, rate, taxable, tax }];

const sorted = <Value>(map: ReadonlyMap<string, Value>): readonly Value[] =>
  [...map].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);

/** Add the levels of a sale together to its place, each part of it to those that tax it. A place of which rates are missing is named as the sale names it. */
const addPlace = (places: Map<string, PlaceFigures>, row: DetailRow, gap: Money): void => {
  const isGap = gap !== ZERO;
  const taxed = row.levels.filter(({ taxable, tax }) => taxable !== ZERO || tax !== ZERO);
  if (taxed.length === 0 && !isGap) return;
  const nameOf = (level: string): string | undefined => taxed.find((each) => each.level === level)?.name;
  const [district = '', districtCity = ''] = (nameOf('special') ?? '').split(' / ');
  const county = nameOf('county') ?? district;
  const city = nameOf('city') ?? (isGap ? placeNameIn(row) : districtCity);
  const missing = isGap && row.shared ? rateBeyond(row.shared) : 0;
  const totalRate = (rows: readonly LevelFigures[]): Rate =>
    rate(rows.reduce((total, each) => total + each.rate, missing as number));
  const totalTax = (rows: readonly LevelFigures[]): Money => sum(rows.map(({ tax }) => tax));
  const put = (place: PlaceFigures): void => {
    const { rate: all, localRate: ofLocal } = place;
    const key = JSON.stringify([county, city, String(all).padStart(9, '0'), ofLocal, isGap]);
    const known = places.get(key);
    places.set(key, {
      ...place,
      taxable: add(known?.taxable ?? ZERO, place.taxable),
      tax: add(known?.tax ?? ZERO, place.tax),
      localTax: add(known?.localTax ?? ZERO, place.localTax),
      gapTax: add(known?.gapTax ?? ZERO, place.gapTax),
    });
  };
  // Of a place without all its rates nothing is known but what was collected: its sales stay whole.
  const layers = isGap ? [{ taxable: taxableOf(row), levels: taxed }] : placeLayers(taxed);
  for (const { taxable, levels } of layers) {
    const local = levels.filter(({ level }) => level !== 'state');
    put({
      county,
      city,
      rate: totalRate(levels),
      localRate: totalRate(local),
      taxable,
      tax: totalTax(levels),
      localTax: totalTax(local),
      gapTax: gap,
      isGap,
    });
  }
};

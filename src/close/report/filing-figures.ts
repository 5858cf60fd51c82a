import { add, type Money, negate, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import type {
  ExemptFigures,
  JurisdictionFigures,
  PlaceFigures,
  StateFigures,
} from '../filing/state-figures.ts';
import { type DetailRow, varianceOf } from '../reconcile/detail-row.ts';
import type { JurisdictionTotals, StateTotals } from '../reconcile/period-totals.ts';
import type { Sale } from '../sales/sale.ts';
import type { CountedSales } from './kept-state.ts';

/** What returns ask for beyond the totals of a state: who was exempt, what was returned, and where it was sold. */
type Extra = {
  returns: Money;
  marketplace: Money;
  marketplaceOrders: number;
  excessCollected: Money;
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
  /** What thresholds of nexus count otherwise than gross sales, whether the seller is registered or not. */
  readonly counted: (state: string) => CountedSales;
};

/** Takes one row of Detail after the other. Its memory grows with places, not with sales. */
export const filingFigures = (): FilingFigures => {
  const byState = new Map<string, Extra>();
  return {
    add: (row, sale) => {
      if (!row.isPosted) return;
      const extra = byState.get(row.state) ?? emptyExtra();
      byState.set(row.state, extra);
      if (row.kind === 'refund') extra.returns = add(extra.returns, negate(row.gross));
      const variance = varianceOf(row);
      if (variance > 0) extra.excessCollected = add(extra.excessCollected, variance);
      addExempt(extra, row, sale);
      addPlace(extra, row);
    },
    of: (state, period, totals, jurisdictions) => {
      const { returns, marketplace, excessCollected, exempt, places } = byState.get(state) ?? emptyExtra();
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
        excessCollected,
        exempt: sorted(exempt),
        places: sorted(places),
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
  excessCollected: ZERO,
  exempt: new Map(),
  places: new Map(),
});

const addExempt = (extra: Extra, row: DetailRow, { exemptionType }: Sale): void => {
  if (exemptionType === null || exemptionType === 'non_exempt') return;
  // What is taxed in spite of the exemption is no deduction.
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

/** What a body levies. Tax that only the shop charged is no line of a return's schedule. */
const levied = ({ level, name, rate, taxable, tax }: JurisdictionTotals): readonly JurisdictionFigures[] =>
  level === 'other' || (taxable === ZERO && tax === ZERO) ? [] : [{ level, name, rate, taxable, tax }];

/** All levels of a sale together. Where only some of them tax it, the largest taxable amount stands for the place. */
const addPlace = ({ places }: Extra, { levels }: DetailRow): void => {
  const taxed = levels.filter(({ taxable, tax }) => taxable !== ZERO || tax !== ZERO);
  if (taxed.length === 0) return;
  const nameOf = (level: string): string | undefined => taxed.find((each) => each.level === level)?.name;
  const [district = '', districtCity = ''] = (nameOf('special') ?? '').split(' / ');
  const county = nameOf('county') ?? district;
  const city = nameOf('city') ?? districtCity;
  const local = taxed.filter(({ level }) => level !== 'state');
  const totalRate = (rows: typeof taxed): Rate => rate(rows.reduce((total, row) => total + row.rate, 0));
  const totalTax = (rows: typeof taxed): Money => sum(rows.map(({ tax }) => tax));
  const taxable = taxed.reduce(
    (most, row) => (Math.abs(row.taxable) > Math.abs(most) ? row.taxable : most),
    ZERO,
  );
  const [all, ofLocal] = [totalRate(taxed), totalRate(local)];
  const key = JSON.stringify([county, city, String(all).padStart(9, '0'), ofLocal]);
  const known = places.get(key);
  places.set(key, {
    county,
    city,
    rate: all,
    localRate: ofLocal,
    taxable: add(known?.taxable ?? ZERO, taxable),
    tax: add(known?.tax ?? ZERO, totalTax(taxed)),
    localTax: add(known?.localTax ?? ZERO, totalTax(local)),
  });
};

const sorted = <Value>(map: ReadonlyMap<string, Value>): readonly Value[] =>
  [...map].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);

import { add, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import { type CollectorChoice, chosenPlaces, ownPlaces } from '../filing/law/collector-rule.ts';
import {
  type ExemptFigures,
  type FeeFigures,
  type JurisdictionFigures,
  type PlaceFigures,
  type ReturnKind,
  returnKey,
  type StateFigures,
} from '../filing/state-figures.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { type DetailRow, varianceOf } from '../reconcile/detail-row.ts';
import type { LevelFigures } from '../reconcile/level-figures.ts';
import { placeNameIn } from '../reconcile/open-variance.ts';
import type { JurisdictionTotals } from '../reconcile/period-totals.ts';
import { rateBeyond } from '../reconcile/rate-claim.ts';
import type { Sale } from '../sales/sale.ts';
import { type FeeChoice, feeGatherer } from './fee-figures.ts';
import { taxableOf } from './gap-parts.ts';
import type { CountedSales } from './kept-states.ts';
import { placeLayers } from './place-layers.ts';
import { type RowPart, rowParts } from './row-parts.ts';

/** What the sales of one return come to. */
type Sums = {
  orders: number;
  refunds: number;
  gross: Money;
  shipping: Money;
  taxable: Money;
  collected: Money;
  expected: Money;
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
  /** The figures of each return of a state: its own, those of places that collect their tax, those of fees alone. */
  readonly of: (
    state: string,
    period: FilingPeriod,
    jurisdictions: readonly JurisdictionTotals[],
  ) => readonly StateFigures[];
  /** Fees that are owed, and whose amount is not known. */
  readonly unknownFees: () => readonly FeeFigures[];
  /** What thresholds of nexus count differently from how gross sales, whether the seller is registered or not. */
  readonly counted: (state: string) => CountedSales;
};

/** What the seller says of the returns of a state. */
export type ReturnChoice = CollectorChoice & FeeChoice;

/** Takes one row of Detail after the other. Its memory grows with places, not with sales. */
export const filingFigures = (
  choices: readonly ReturnChoice[],
  { last }: Pick<FilingPeriod, 'last'>,
): FilingFigures => {
  const byReturn = new Map<string, Sums>();
  const law = loadFilingLaw();
  const fees = feeGatherer(law.fees, choices);
  const ownPlace = ownPlaces(law.collectors, choices, last);
  const sumsOf = (state: string, name: string): Sums => byReturn.get(keyOf(state, name)) ?? emptySums();
  return {
    add: (row, sale) => {
      if (!row.isPosted) return;
      fees.add(row, sale);
      for (const part of rowParts(row, ownPlace)) {
        const sums = sumsOf(row.state, part.place);
        byReturn.set(keyOf(row.state, part.place), sums);
        addPart(sums, part, sale);
      }
    },
    of: (state, period, jurisdictions) => {
      const choice = choices.find((each) => each.state === state);
      const own = jurisdictions
        .filter((row) => row.state === state)
        .flatMap(levied)
        .map((row) => ({ row, place: ownPlace({ state, ...row }) ?? '' }));
      const names = new Map(
        [...own.map(({ place }) => place), ...(choice ? chosenPlaces(choice) : [])]
          .filter(Boolean)
          .map((place) => [keyOf(state, place), place]),
      );
      const due = fees.of(state);
      const figuresOf = (kind: ReturnKind, name: string, asked: readonly FeeFigures[]): StateFigures => ({
        ...{ state, kind, name, period, fees: asked },
        ...figuresIn(kind === 'fee' ? emptySums() : sumsOf(state, name)),
        jurisdictions:
          kind === 'fee'
            ? []
            : own.filter(({ place }) => keyOf(state, place) === keyOf(state, name)).map(({ row }) => row),
      });
      const forms = [...new Set(due.filter(isApart).map(({ rule }) => rule.return.form))];
      return [
        figuresOf(
          'state',
          '',
          due.filter((fee) => !isApart(fee)),
        ),
        ...sorted(names).map((place) => figuresOf('place', place, [])),
        ...forms.map((form) =>
          figuresOf(
            'fee',
            form,
            due.filter((fee) => isApart(fee) && fee.rule.return.form === form),
          ),
        ),
      ];
    },
    unknownFees: fees.unknown,
    counted: (state) => {
      const { exempt, marketplace, marketplaceOrders } = sumsOf(state, '');
      return {
        exempt: sum([...exempt.values()].map(({ amount }) => amount)),
        resale: exempt.get('wholesale')?.amount ?? ZERO,
        marketplace,
        marketplaceOrders,
      };
    },
  };
};

const keyOf = (state: string, name: string): string => returnKey({ state, name: name.toUpperCase() });

const isApart = ({ rule }: FeeFigures): boolean => rule.return.own;

const emptySums = (): Sums => ({
  ...{ orders: 0, refunds: 0, marketplaceOrders: 0, gapSales: 0 },
  ...{ gross: ZERO, shipping: ZERO, taxable: ZERO, collected: ZERO, expected: ZERO },
  ...{ returns: ZERO, marketplace: ZERO, beforeDuty: ZERO, excessCollected: ZERO, gapTax: ZERO },
  gapJurisdictions: new Map(),
  exempt: new Map(),
  places: new Map(),
});

const figuresIn = ({ gapSales, gapTax, gapJurisdictions, exempt, places, ...sums }: Sums) => {
  const { marketplaceOrders: _, ...figures } = sums;
  return {
    ...figures,
    gap: { sales: gapSales, tax: gapTax, jurisdictions: sorted(gapJurisdictions) },
    exempt: sorted(exempt),
    places: sorted(places),
  };
};

const addPart = (sums: Sums, { row, gaps }: RowPart, sale: Sale): void => {
  if (row.kind === 'order') sums.orders += 1;
  else {
    sums.refunds += 1;
    sums.returns = add(sums.returns, negate(row.gross));
  }
  for (const figure of ['gross', 'shipping', 'taxable', 'collected', 'expected'] as const)
    sums[figure] = add(sums[figure], row[figure]);
  const gap = sum(gaps.map(({ tax }) => tax));
  const excess = subtract(varianceOf(row), gap);
  if (excess > 0) sums.excessCollected = add(sums.excessCollected, excess);
  if (gap !== ZERO) addGap(sums, gaps, gap);
  addExempt(sums, row, sale);
  addPlace(sums.places, row, gap);
};

const addGap = (sums: Sums, gaps: readonly JurisdictionFigures[], gap: Money): void => {
  sums.gapSales += 1;
  sums.gapTax = add(sums.gapTax, gap);
  for (const part of gaps) {
    const key = JSON.stringify([part.level, part.name, String(part.rate).padStart(9, '0')]);
    const known = sums.gapJurisdictions.get(key);
    sums.gapJurisdictions.set(
      key,
      known ? { ...known, taxable: add(known.taxable, part.taxable), tax: add(known.tax, part.tax) } : part,
    );
  }
};

const addExempt = (sums: Sums, row: DetailRow, { exemptionType }: Sale): void => {
  if (exemptionType === null || exemptionType === 'non_exempt') {
    if (!row.hasNexus) sums.beforeDuty = add(sums.beforeDuty, row.gross);
    return;
  }
  // What is taxed in spite of the exemption is not a deduction.
  const amount = add(row.gross, negate(row.taxable));
  if (exemptionType === 'marketplace') {
    sums.marketplace = add(sums.marketplace, amount);
    if (row.kind === 'order') sums.marketplaceOrders += 1;
    return;
  }
  const known = sums.exempt.get(exemptionType) ?? { type: exemptionType, amount: ZERO, sales: 0 };
  sums.exempt.set(exemptionType, {
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

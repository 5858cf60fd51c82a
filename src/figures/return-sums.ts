import type { ExemptFigures, JurisdictionFigures, PlaceFigures } from '../filing/state-figures.ts';
import { type DetailRow, varianceOf } from '../judge/detail-row.ts';
import type { LevelFigures } from '../judge/level-figures.ts';
import { placeNameIn, rateBeyond } from '../judge/rate-claim.ts';
import {
  add,
  allocate,
  atLeastZero,
  type Money,
  money,
  negate,
  type Rate,
  rate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';
import { entryOf } from '../sales/sale-name.ts';
import { type RowPart, taxableOf } from './row-parts.ts';

type Level = DetailRow['levels'][number];

/** A part of a sale that is taxed by the same levels. */
type PlaceLayer = { readonly taxable: Money; readonly levels: readonly Level[] };

/**
 * Splits a sale by the levels that tax it, widest part first: clothing taxed by the county but not by the state is a
 * part of its own, next to the rest that both tax. The parts of each level add up to its taxable amount and its tax. A
 * part taxed by fewer levels is assumed to lie within the part that the other levels tax.
 */
const placeLayers = (levels: readonly Level[]): readonly PlaceLayer[] => {
  const [first] = levels;
  if (first && levels.every(({ taxable }) => taxable === first.taxable))
    return [{ taxable: first.taxable, levels }];
  const isNegative = ({ taxable }: Level): boolean => taxable < ZERO;
  return [levels.filter((level) => !isNegative(level)), levels.filter(isNegative)].flatMap(layersOfOneSign);
};

const layersOfOneSign = (levels: readonly Level[]): readonly PlaceLayer[] => {
  const sizes = [...new Set(levels.map(({ taxable }) => Math.abs(taxable)))].sort(
    (one, other) => one - other,
  );
  const isRefund = levels.some(({ taxable }) => taxable < ZERO);
  const signed = (cents: number): Money => (isRefund ? negate(money(cents)) : money(cents));
  const widths = sizes.map((size, index) => size - (sizes[index - 1] ?? 0));
  const parts = levels.map((level) => {
    const reached = sizes.indexOf(Math.abs(level.taxable)) + 1;
    return allocate(level.tax, widths.slice(0, reached));
  });
  return widths.map((width, index) => ({
    taxable: signed(width),
    levels: levels.flatMap((level, at): readonly Level[] => {
      const tax = parts[at]?.[index];
      return tax === undefined ? [] : [{ ...level, taxable: signed(width), tax }];
    }),
  }));
};

/** The sums of the sales on one return. */
export type ReturnSums = {
  orders: number;
  refunds: number;
  gross: Money;
  taxable: Money;
  collected: Money;
  expected: Money;
  returns: Money;
  marketplace: Money;
  /** Orders as thresholds count them: one that was corrected counts once. */
  transactions: number;
  marketplaceOrders: number;
  beforeDuty: Money;
  excessCollected: Money;
  /** Sales with tax under rates that the tax content lacks; a reversal takes its record off. */
  gapSales: number;
  gapTax: Money;
  readonly gapJurisdictions: Map<string, JurisdictionFigures>;
  readonly exempt: Map<string, ExemptFigures>;
  readonly places: Map<string, PlaceFigures>;
};

export const emptySums = (): ReturnSums => ({
  orders: 0,
  refunds: 0,
  transactions: 0,
  marketplaceOrders: 0,
  gapSales: 0,
  gross: ZERO,
  taxable: ZERO,
  collected: ZERO,
  expected: ZERO,
  returns: ZERO,
  marketplace: ZERO,
  beforeDuty: ZERO,
  excessCollected: ZERO,
  gapTax: ZERO,
  gapJurisdictions: new Map(),
  exempt: new Map(),
  places: new Map(),
});

/** Adds the part of a sale that is on the return. */
export const addPart = (sums: ReturnSums, { row, gaps }: RowPart, sale: Sale): void => {
  if (row.kind === 'order') sums.orders += 1;
  else sums.refunds += 1;
  const { kind, isReversal } = entryOf(row);
  if (kind === 'refund') sums.returns = add(sums.returns, negate(row.gross));
  else sums.transactions += isReversal ? -1 : 1;
  for (const figure of ['gross', 'taxable', 'collected', 'expected'] as const)
    sums[figure] = add(sums[figure], row[figure]);
  const gap = sum(gaps.map(({ tax }) => tax));
  // A reversal takes back what the filed record was charged too much, and nothing of what it was charged too little.
  const variance = subtract(varianceOf(row), gap);
  const excess = isReversal ? negate(atLeastZero(negate(variance))) : atLeastZero(variance);
  sums.excessCollected = add(sums.excessCollected, excess);
  if (gap !== ZERO) {
    sums.gapSales += isReversal ? -1 : 1;
    addGap(sums, gaps, gap);
  }
  addExempt(sums, row, sale);
  addPlace(sums.places, row, gap);
};

const addGap = (sums: ReturnSums, gaps: readonly JurisdictionFigures[], gap: Money): void => {
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

const addExempt = (sums: ReturnSums, row: DetailRow, { exemptionType }: Sale): void => {
  if (exemptionType === null || exemptionType === 'non_exempt') {
    if (!row.hasNexus) sums.beforeDuty = add(sums.beforeDuty, row.gross);
    return;
  }
  // An amount taxed despite the exemption is not a deduction.
  const amount = add(row.gross, negate(row.taxable));
  if (exemptionType === 'marketplace') {
    sums.marketplace = add(sums.marketplace, amount);
    const { kind, isReversal } = entryOf(row);
    if (kind === 'order') sums.marketplaceOrders += isReversal ? -1 : 1;
    return;
  }
  // Records are counted, reversals among them: Returns shows their number, and verify compares it across builds.
  const known = sums.exempt.get(exemptionType) ?? { type: exemptionType, amount: ZERO, sales: 0 };
  sums.exempt.set(exemptionType, {
    type: exemptionType,
    amount: add(known.amount, amount),
    sales: known.sales + 1,
  });
};

/**
 * Adds the combined levels of a sale to its place, each part to the levels that tax it. A place with missing rates is
 * named as in the sale.
 */
const addPlace = (places: Map<string, PlaceFigures>, row: DetailRow, gap: Money): void => {
  const isGap = gap !== ZERO;
  const taxed = row.levels.filter(({ taxable, tax }) => taxable !== ZERO || tax !== ZERO);
  if (taxed.length === 0 && !isGap) return;
  const nameOf = (level: string): string | undefined => taxed.find((each) => each.level === level)?.name;
  const [district = '', districtCity = ''] = (nameOf('special') ?? '').split(' / ');
  const county = nameOf('county') ?? district;
  const city = nameOf('city') ?? (isGap ? placeNameIn(row) : districtCity);
  const isOfDistrict = !isGap && nameOf('city') === undefined && city !== '';
  const missing = isGap && row.shared ? rateBeyond(row.shared) : 0;
  const totalRate = (rows: readonly LevelFigures[]): Rate =>
    rate(rows.reduce((total, each) => total + each.rate, missing as number));
  const totalTax = (rows: readonly LevelFigures[]): Money => sum(rows.map(({ tax }) => tax));
  const put = (place: PlaceFigures): void => {
    const { rate: all, localRate: ofLocal } = place;
    const key = JSON.stringify([county, city, isOfDistrict, String(all).padStart(9, '0'), ofLocal, isGap]);
    const known = places.get(key);
    places.set(key, {
      ...place,
      taxable: add(known?.taxable ?? ZERO, place.taxable),
      tax: add(known?.tax ?? ZERO, place.tax),
      localTax: add(known?.localTax ?? ZERO, place.localTax),
      gapTax: add(known?.gapTax ?? ZERO, place.gapTax),
    });
  };
  // For a place with missing rates, only the collected tax is known, so its sales are not split.
  const layers = isGap ? [{ taxable: taxableOf(row), levels: taxed }] : placeLayers(taxed);
  for (const { taxable, levels } of layers) {
    const local = levels.filter(({ level }) => level !== 'state');
    put({
      county,
      city,
      isOfDistrict,
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

import { type CollectorChoice, chosenPlaces, type OwnPlace, ownPlaces } from '../filing/collector-rule.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import type { FiledBefore } from '../filing/registration.ts';
import {
  type ExemptFigures,
  type FeeFigures,
  type JurisdictionFigures,
  type PlaceFigures,
  type ReturnKind,
  returnKey,
  type StateFigures,
} from '../filing/state-figures.ts';
import type { DetailRow } from '../judge/detail-row.ts';
import type { LevelFigures } from '../judge/level-figures.ts';
import { inKeyOrder, type JurisdictionTotals } from '../judge/period-totals.ts';
import { placeNameIn, rateBeyond } from '../judge/rate-claim.ts';
import { partOf } from '../judge/reason.ts';
import {
  add,
  addRow,
  allocate,
  type Money,
  money,
  negate,
  type Rate,
  rate,
  subtract,
  sum,
  ZERO,
  ZERO_RATE,
} from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { entryOf } from '../sales/sale-name.ts';
import { type FeeChoice, feeGatherer } from './fee-figures.ts';
import type { CountedSales } from './period-report.ts';

export type FilingFigures = ReturnType<typeof filingFigures>;

/** The seller's choices about the returns of a state. */
export type ReturnChoice = CollectorChoice & FeeChoice;

/** Sums rows of Detail into the figures of returns. Its memory grows with the number of places, not of sales. */
export const filingFigures = (choices: readonly ReturnChoice[], { last }: Pick<FilingPeriod, 'last'>) => {
  const byReturn = new Map<string, ReturnSums>();
  const law = loadFilingLaw();
  const fees = feeGatherer(law.fees, choices);
  const ownPlace = ownPlaces(law.collectors, choices, last);
  const sumsOf = (state: string, name: string): ReturnSums => byReturn.get(keyOf(state, name)) ?? emptySums();
  return {
    add: (row: DetailRow, sale: Sale): void => {
      if (!row.isPosted) return;
      fees.add(row, sale);
      for (const part of rowParts(row, ownPlace)) {
        const sums = sumsOf(row.state, part.place);
        byReturn.set(keyOf(row.state, part.place), sums);
        addPart(sums, part, sale);
      }
    },
    /**
     * Returns the figures of a state's returns: its own, those of self-collecting places, and those for fees alone.
     *
     * @param filedBefore the returns that these amend: each is among them, whatever its sales are now
     */
    of: (
      state: string,
      period: FilingPeriod,
      jurisdictions: readonly JurisdictionTotals[],
      filedBefore: readonly Pick<FiledBefore, 'kind' | 'name'>[] = [],
    ): readonly StateFigures[] => {
      const choice = choices.find((each) => each.state === state);
      const own = jurisdictions
        .filter((row) => row.state === state)
        .flatMap(levied)
        .map((row) => ({ row, place: ownPlace({ state, ...row }) ?? '' }));
      const amended = (of: ReturnKind): readonly string[] =>
        filedBefore.flatMap(({ kind, name }) => (kind === of ? name : []));
      // The last spelling of a name counts: a return that was filed keeps its own.
      const names = new Map(
        [...own.map(({ place }) => place), ...(choice ? chosenPlaces(choice) : []), ...amended('place')]
          .filter(Boolean)
          .map((place) => [keyOf(state, place), place]),
      );
      const due = fees.of(state);
      const figuresOf = (kind: ReturnKind, name: string, asked: readonly FeeFigures[]): StateFigures => ({
        state,
        kind,
        name,
        period,
        fees: asked,
        ...figuresIn(kind === 'fee' ? emptySums() : sumsOf(state, name)),
        jurisdictions:
          kind === 'fee'
            ? []
            : own.filter(({ place }) => keyOf(state, place) === keyOf(state, name)).map(({ row }) => row),
      });
      const forms = [
        ...new Set([...due.filter(isApart).map(({ rule }) => rule.return.form), ...amended('fee')]),
      ];
      return [
        figuresOf(
          'state',
          '',
          due.filter((fee) => !isApart(fee)),
        ),
        ...inKeyOrder(names).map((place) => figuresOf('place', place, [])),
        ...forms.map((form) =>
          figuresOf(
            'fee',
            form,
            due.filter((fee) => isApart(fee) && fee.rule.return.form === form),
          ),
        ),
      ];
    },
    /** Fees that are owed, but whose amount is not known. */
    unknownFees: fees.unknown,
    /** The sales that nexus thresholds may count differently from gross sales, whether or not the seller is registered. */
    counted: (state: string): CountedSales => {
      const { exempt, marketplace, transactions, marketplaceOrders } = sumsOf(state, '');
      return {
        exempt: sum([...exempt.values()].map(({ amount }) => amount)),
        resale: exempt.get('wholesale')?.amount ?? ZERO,
        marketplace,
        transactions,
        marketplaceOrders,
      };
    },
  };
};

const keyOf = (state: string, name: string): string => returnKey({ state, name: name.toUpperCase() });

const isApart = ({ rule }: FeeFigures): boolean => rule.return.own;

const figuresIn = ({ gapSales, gapTax, gapJurisdictions, exempt, places, ...sums }: ReturnSums) => {
  const { marketplaceOrders: _, ...figures } = sums;
  return {
    ...figures,
    gap: { sales: gapSales, tax: gapTax, jurisdictions: inKeyOrder(gapJurisdictions) },
    exempt: inKeyOrder(exempt),
    places: inKeyOrder(places),
  };
};

/** Returns what a body levies. Tax that only the shop charged is not on a return's schedule. */
const levied = ({ level, name, rate, taxable, tax }: JurisdictionTotals): readonly JurisdictionFigures[] =>
  level === 'other' || (taxable === ZERO && tax === ZERO) ? [] : [{ level, name, rate, taxable, tax }];

/** The part of a sale that is on one return. */
type RowPart = {
  /** The county or city whose return it is; empty for the state's return. */
  readonly place: string;
  /** The row with only the levels and the tax of this return. */
  readonly row: DetailRow;
  /** Tax collected under rates that the tax content lacks. */
  readonly gaps: readonly JurisdictionFigures[];
};

/**
 * Splits a sale by the returns that include its tax: the state's, and one for each county or city that collects its
 * own. Its gross amount is on all of them. The parts add up to its collected and its expected tax.
 */
const rowParts = (row: DetailRow, ownPlace: OwnPlace): readonly RowPart[] => {
  const gap = gapOf(row);
  const gaps = gap === ZERO ? [] : gapParts(row, gap);
  const placeOf = ({ level, name }: Pick<LevelFigures, 'level' | 'name'>): string =>
    (level === 'other' ? undefined : ownPlace({ state: row.state, level, name })) ?? '';
  // A sale without a city tax is assigned by the city it was shipped to.
  const isTaxedByCity = [...row.levels, ...gaps].some(({ level }) => level === 'city');
  const sentTo = isTaxedByCity ? [] : [placeOf({ level: 'city', name: row.city })];
  const places = new Set([...row.levels.map(placeOf), ...gaps.map(placeOf), ...sentTo].filter(Boolean));
  if (places.size === 0) return [{ place: '', row, gaps }];
  const parts = [...places].map((place) => {
    const levels = row.levels.filter((level) => placeOf(level) === place);
    const own = gaps.filter((each) => placeOf(each) === place);
    const beside = own.filter(
      ({ level, name }) => !levels.some((each) => each.level === level && each.name === name),
    );
    const collected = sum([...levels.map((each) => each.collected), ...beside.map(({ tax }) => tax)]);
    return {
      place,
      gaps: own,
      row: { ...row, levels, collected, taxable: taxableOf({ levels }), expected: taxOf(levels) },
    };
  });
  const levels = row.levels.filter((level) => placeOf(level) === '');
  const rest: DetailRow = {
    ...row,
    levels,
    collected: subtract(row.collected, sum(parts.map((part) => part.row.collected))),
    expected: subtract(row.expected, sum(parts.map((part) => part.row.expected))),
    taxable: row.taxable === taxableOf(row) ? taxableOf({ levels }) : row.taxable,
  };
  return [{ place: '', row: rest, gaps: gaps.filter((each) => placeOf(each) === '') }, ...parts];
};

const taxOf = (levels: readonly LevelFigures[]): Money => sum(levels.map(({ tax }) => tax));

/** Returns the part of a sale's variance that is tax under rates that the tax content lacks. */
export const gapOf = ({ reasons }: Pick<DetailRow, 'reasons'>): Money =>
  sum(reasons.filter(({ code }) => partOf(code) === 'gap').map(({ amount }) => amount));

/**
 * Splits that part over the shop's tax lines without a calculated counterpart, or else assigns it to the place alone.
 */
export const gapParts = (row: DetailRow, gap: Money): readonly JurisdictionFigures[] => {
  const taxable = taxableOf(row);
  const lines = row.levels.filter(
    (level) =>
      level.level !== 'state' && level.collected !== ZERO && level.taxable === ZERO && level.tax === ZERO,
  );
  if (lines.length === 0) {
    const { shared } = row;
    const missing = shared ? rateBeyond(shared) : ZERO_RATE;
    const name = shared?.own === null ? shared.where : placeNameIn(row);
    return [{ level: 'city', name, rate: missing, taxable, tax: gap }];
  }
  const parts = allocate(
    gap,
    lines.map(({ collected }) => Math.abs(collected)),
  );
  return lines.map(({ level, name, rate }, index) => ({
    level: level === 'other' ? 'city' : (level as JurisdictionFigures['level']),
    name,
    rate,
    taxable,
    tax: parts[index] ?? ZERO,
  }));
};

/** Returns the taxable amount of a sale; if only some levels tax it in full, the largest amount. */
export const taxableOf = ({ levels }: Pick<DetailRow, 'levels'>): Money =>
  levels.reduce((most, row) => (Math.abs(row.taxable) > Math.abs(most) ? row.taxable : most), ZERO);

/** A part of a sale that is taxed by the same levels. */
type PlaceLayer = {
  readonly taxable: Money;
  readonly levels: readonly LevelFigures[];
};

/**
 * Splits a sale by the levels that tax it, widest part first: clothing taxed by the county but not by the state is a
 * part of its own, next to the rest that both tax. The parts of each level add up to its taxable amount and its tax. A
 * part taxed by fewer levels is assumed to lie within the part that the other levels tax.
 */
const placeLayers = (levels: readonly LevelFigures[]): readonly PlaceLayer[] => {
  const [first] = levels;
  if (first && levels.every(({ taxable }) => taxable === first.taxable))
    return [{ taxable: first.taxable, levels }];
  const isNegative = ({ taxable }: LevelFigures): boolean => taxable < ZERO;
  return [levels.filter((level) => !isNegative(level)), levels.filter(isNegative)].flatMap(layersOfOneSign);
};

const layersOfOneSign = (levels: readonly LevelFigures[]): readonly PlaceLayer[] => {
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
    levels: levels.flatMap((level, at): readonly LevelFigures[] => {
      const tax = parts[at]?.[index];
      return tax === undefined ? [] : [{ ...level, taxable: signed(width), tax }];
    }),
  }));
};

/** The sums of the sales on one return. */
const emptySums = () => ({
  orders: 0,
  refunds: 0,
  /** Orders as thresholds count them: one that was corrected counts once. */
  transactions: 0,
  marketplaceOrders: 0,
  /** Sales with tax under rates that the tax content lacks; a reversal takes its record off. */
  gapSales: 0,
  gross: ZERO,
  taxable: ZERO,
  collected: ZERO,
  expected: ZERO,
  returns: ZERO,
  marketplace: ZERO,
  beforeDuty: ZERO,
  gapTax: ZERO,
  gapJurisdictions: new Map<string, JurisdictionFigures>(),
  exempt: new Map<string, ExemptFigures>(),
  places: new Map<string, PlaceFigures>(),
});

type ReturnSums = ReturnType<typeof emptySums>;

/** Adds the part of a sale that is on the return. */
const addPart = (sums: ReturnSums, { row, gaps }: RowPart, sale: Sale): void => {
  if (row.kind === 'order') sums.orders += 1;
  else sums.refunds += 1;
  const { kind, isReversal } = entryOf(row);
  if (kind === 'refund') sums.returns = add(sums.returns, negate(row.gross));
  else sums.transactions += isReversal ? -1 : 1;
  for (const figure of ['gross', 'taxable', 'collected', 'expected'] as const)
    sums[figure] = add(sums[figure], row[figure]);
  const gap = sum(gaps.map(({ tax }) => tax));
  if (gap !== ZERO) {
    sums.gapSales += isReversal ? -1 : 1;
    sums.gapTax = add(sums.gapTax, gap);
    for (const part of gaps) addRow(sums.gapJurisdictions, keyOfRow(part), part, ['taxable', 'tax']);
  }
  addExempt(sums, row, sale);
  addPlace(sums.places, row, gap);
};

const keyOfRow = ({ level, name, rate }: JurisdictionFigures): string =>
  JSON.stringify([level, name, String(rate).padStart(9, '0')]);

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
  addRow(sums.exempt, exemptionType, { type: exemptionType, amount, sales: 1 }, ['amount', 'sales']);
};

const keyOfPlace = ({ county, city, isOfDistrict, rate, localRate, isGap }: PlaceFigures): string =>
  JSON.stringify([county, city, isOfDistrict, String(rate).padStart(9, '0'), localRate, isGap]);

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
  // For a place with missing rates, only the collected tax is known, so its sales are not split.
  const layers = isGap ? [{ taxable: taxableOf(row), levels: taxed }] : placeLayers(taxed);
  for (const { taxable, levels } of layers) {
    const local = levels.filter(({ level }) => level !== 'state');
    const place = {
      county,
      city,
      isOfDistrict,
      rate: totalRate(levels),
      localRate: totalRate(local),
      taxable,
      tax: taxOf(levels),
      localTax: taxOf(local),
      gapTax: gap,
      isGap,
    };
    addRow(places, keyOfPlace(place), place, ['taxable', 'tax', 'localTax', 'gapTax']);
  }
};

import type { OwnPlace } from '../filing/collector-rule.ts';
import type { JurisdictionFigures } from '../filing/state-figures.ts';
import { type DetailRow, varianceOf } from '../judge/detail-row.ts';
import type { LevelFigures } from '../judge/level-figures.ts';
import { placeNameIn, rateBeyond } from '../judge/rate-claim.ts';
import { partOf, type ReasonCode } from '../judge/reason.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  allocate,
  atLeastZero,
  lesser,
  type Money,
  negate,
  subtract,
  sum,
  ZERO,
  ZERO_RATE,
} from '../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';

/** The part of a sale that is on one return. */
export type RowPart = {
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
export const rowParts = (row: DetailRow, ownPlace: OwnPlace): readonly RowPart[] => {
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

/** Tax that a refund, or a correction of a filed record, gave back beyond what it should have, or less than that. */
export type GivenBackBeyond = {
  readonly state: string;
  readonly channel: string;
  /** The key of the refund or correction. */
  readonly key: string;
  /** The order, by the id sent to the service. */
  readonly order: string;
  /** Negative where less was given back than was due, because its order was charged too little. */
  readonly tax: Money;
  /** Only for a correction of a filed record. */
  readonly correction?: Correction;
};

/** Which record was corrected, and if this takes it back, its day. */
export type Correction = { readonly corrects: string; readonly soldOn?: CalendarDate };

/**
 * Returns what a posted refund or correction gave back beyond what it should have, or less; none where a marketplace
 * remits the tax. Where the seller is not registered on the day of the order now, an earlier return may have its tax. Tax under rates that the tax content lacks is not beyond it: every return takes it off as it was
 * given back. What a refund left of the tax that its order was charged is not less than was due: the customer paid it.
 */
export const givenBackBeyond = (
  row: DetailRow,
  { exemptionType }: Sale,
  correction?: Correction,
): readonly GivenBackBeyond[] => {
  if (!row.isPosted || exemptionType === 'marketplace') return [];
  const beyond = negate(beyondDue(row));
  const isLess = !correction && beyond < ZERO;
  const tax = isLess ? negate(lesser(negate(beyond), lessOf(row))) : beyond;
  if (tax === ZERO) return [];
  const { state, channel, key, reference: order } = row;
  return [{ ...{ state, channel, key, order, tax }, ...(correction && { correction }) }];
};

/** Returns what a row was charged beyond the tax due, without tax under rates that the tax content lacks. */
export const beyondDue = (row: DetailRow): Money => subtract(varianceOf(row), gapOf(row));

/** Returns the tax that a refund gave back less for the reasons of its order. */
const lessOf = ({ reasons }: DetailRow): Money =>
  sum(
    reasons
      .filter(({ code }) => partOf(code) !== 'gap' && !NOT_THE_ORDER.has(code))
      .map(({ amount }) => atLeastZero(amount)),
  );

/** Reasons of a refund alone: rounding, the rate of its own day, and tax that was charged and not given back. */
const NOT_THE_ORDER: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['R01', 'R13', 'R29']);

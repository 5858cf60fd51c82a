import { type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { OwnPlace } from '../filing/collector-rule.ts';
import type { JurisdictionFigures } from '../filing/state-figures.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import type { LevelFigures } from '../reconcile/level-figures.ts';
import { gapOf, gapParts, taxableOf } from './gap-parts.ts';

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

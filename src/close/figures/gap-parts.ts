import { allocate, type Money, sum, ZERO, ZERO_RATE } from '../../kernel/money.ts';
import type { JurisdictionFigures } from '../filing/state-figures.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import { placeNameIn, rateBeyond } from '../reconcile/rate-claim.ts';
import { partOf } from '../reconcile/reason.ts';

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
    const name = shared?.by === 'amount' ? shared.where : placeNameIn(row);
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

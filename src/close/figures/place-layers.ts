import { allocate } from '../../kernel/allocate.ts';
import { type Money, money, negate, ZERO } from '../../kernel/money.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';

type Level = DetailRow['levels'][number];

/** A part of a sale on which the same levels levy. */
export type PlaceLayer = { readonly taxable: Money; readonly levels: readonly Level[] };

/**
 * The parts of a sale by the levels that levy on them, the widest part first: clothing that the county taxes and the state
 * does not stands in a part of its own, beside the rest that both tax. The parts of each level add up to its taxable amount
 * and to its tax. A part that fewer levels tax is taken to lie within what the others tax.
 */
export const placeLayers = (levels: readonly Level[]): readonly PlaceLayer[] => {
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

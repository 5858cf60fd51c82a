import type { SalesProfile } from './profile.ts';
import { namedColumns, rowReader } from './row-reader.ts';
import { normalColumn } from './table-row.ts';

/**
 * Returns the columns that say what was given back of an order, if a file has none of them: what was given back cannot
 * be told from nothing there.
 */
export const missingRefundColumns = (
  { map: { refunded }, detect: { required }, file }: SalesProfile,
  header: readonly string[],
): readonly string[] => {
  if (refunded === undefined) return [];
  const everywhere = new Set(required.map(normalColumn));
  const telling = [...new Set(namedColumns(refunded))].filter(
    (column) => !everywhere.has(normalColumn(column)),
  );
  const { indexOf } = rowReader(header, file);
  return telling.some((column) => indexOf(column) >= 0) ? [] : telling;
};

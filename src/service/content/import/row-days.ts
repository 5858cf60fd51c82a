import { OPEN_END } from '../dated.ts';
import { dayAfter, dayBefore } from './cell-values.ts';
import type { TextRow } from './table-rows.ts';

export const endOf = (row: TextRow): string => row['to'] || OPEN_END;
export const beginOf = (row: TextRow): string => row['from'] ?? '';

/** Returns a row with its days before a day; an empty list if it has no such days. */
export const before = (row: TextRow, day: string): TextRow[] => {
  if (beginOf(row) >= day) return [];
  return [endOf(row) < day ? row : { ...row, to: dayBefore(day) }];
};

/** Returns a row with its days after a day; an empty list if it has no such days. */
export const after = (row: TextRow, day: string): TextRow[] => {
  if (endOf(row) <= day) return [];
  return [beginOf(row) > day ? row : { ...row, from: dayAfter(day) }];
};

/** Keep the days of a row up to a day, that day included. */
export const upTo = (row: TextRow, day: string): TextRow[] => before(row, dayAfter(day));

import { OPEN_END } from '../dated.ts';
import { dayAfter, dayBefore } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

export const endOf = (row: TextRow): string => row['to'] || OPEN_END;
export const beginOf = (row: TextRow): string => row['from'] ?? '';

/** Keep the days of a row before a day; nothing if there are none. */
export const before = (row: TextRow, day: string): TextRow[] => {
  if (beginOf(row) >= day) return [];
  return [endOf(row) < day ? row : { ...row, to: dayBefore(day) }];
};

/** Keep the days of a row after a day; nothing if there are none. */
export const after = (row: TextRow, day: string): TextRow[] => {
  if (endOf(row) <= day) return [];
  return [beginOf(row) > day ? row : { ...row, from: dayAfter(day) }];
};

/** Keep the days of a row up to a day, that day included. */
export const upTo = (row: TextRow, day: string): TextRow[] => before(row, dayAfter(day));

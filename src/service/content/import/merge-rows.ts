import { OPEN_END } from '../dated.ts';
import { dayAfter, dayBefore } from './import-dates.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { TextRow } from './table-rows.ts';

const endOf = (row: TextRow): string => row['to'] || OPEN_END;
const beginOf = (row: TextRow): string => row['from'] ?? '';

/** Keep of a row the days before a day; nothing when it has none. */
const before = (row: TextRow, day: string): TextRow[] => {
  if (beginOf(row) >= day) return [];
  return [endOf(row) < day ? row : { ...row, to: dayBefore(day) }];
};

/** Keep of a row the days after a day; nothing when it has none. */
const after = (row: TextRow, day: string): TextRow[] => {
  if (endOf(row) <= day) return [];
  return [beginOf(row) > day ? row : { ...row, from: dayAfter(day) }];
};

/** Keep of a row the days up to a day, that day included. */
const upTo = (row: TextRow, day: string): TextRow[] => before(row, dayAfter(day));

/**
 * The rows of a table after an import: what the file replaces gives way from the day on from which the file speaks,
 * and what is old news of the file gives way to what the content knows. `until` is set for a file of an earlier time:
 * it speaks up to that day only.
 */
export const mergeRows = (
  existing: readonly TextRow[],
  added: readonly TextRow[],
  file: ParsedFile,
  until: string | undefined,
): TextRow[] => {
  if (added.length === 0) return [...existing];
  const merged = existing.flatMap((row) => {
    const from = file.replacesFrom(row);
    if (from === undefined) return [row];
    const kept = from === '' ? [] : before(row, from);
    return until === undefined ? kept : [...kept, ...after(row, until)];
  });
  const spoken = until === undefined ? added : added.flatMap((row) => upTo(row, until));
  return [...merged, ...spoken].sort(byState);
};

const byState = (left: TextRow, right: TextRow): number =>
  (left['state'] ?? '') < (right['state'] ?? '')
    ? -1
    : (left['state'] ?? '') > (right['state'] ?? '')
      ? 1
      : 0;

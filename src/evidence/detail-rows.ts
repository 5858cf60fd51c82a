import type { DetailLine } from '../judge/detail-row.ts';
import { partitions } from '../runtime/partitions.ts';

/** Bytes of rows that are kept in memory. */
const HELD_MAX = 2 * 1024 * 1024;

/** Keeps the rows of Detail, which come in any order, until all are known. `folder` is for what memory does not hold. */
export const detailRows = (folder: string) => {
  const rows = partitions<DetailLine>(folder, HELD_MAX);
  return {
    add: (row: DetailLine): void => rows.add(row.businessDate, row),
    /** Yields the rows by day and key, some at a time. */
    *pages(): Generator<readonly DetailLine[]> {
      for (const day of rows.days()) yield* rows.allParts(day);
    },
  };
};

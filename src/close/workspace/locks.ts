import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Workspace } from './workspace.ts';

/** A locked period, or an amended version of one. */
export type Lock = {
  /** `2026-10`, or `2026-10-amended-1`. */
  readonly label: string;
  /** The period that was locked first, whatever the version. */
  readonly period: string;
  /** 0, or the number of the amendment. */
  readonly version: number;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** An amended version is open until it is closed and locked itself. */
  readonly state: 'locked' | 'open';
  readonly digest: string;
};

/** All locks of the entity, oldest period first, each before its amended versions. */
export const locksOf = async ({ tables, entity }: Workspace): Promise<readonly Lock[]> => {
  const rows = await tables
    .selectFrom('period_lock')
    .select(['label', 'period', 'version', 'first', 'last', 'state', 'digest'])
    .where('entity', '=', entity)
    .orderBy('first')
    .orderBy('version')
    .execute();
  return rows.map((row) => ({
    ...row,
    first: row.first as CalendarDate,
    last: row.last as CalendarDate,
  }));
};

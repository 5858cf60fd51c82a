import type { CalendarDate } from '../../kernel/calendar.ts';
import { locksOf } from '../workspace/locks.ts';
import type { ClosingRow } from '../workspace/period-tables.ts';
import { lastRuns } from '../workspace/runs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { exportsDigest } from './exports-digest.ts';
import { presentlyStated } from './stated-sales.ts';

export type ComparedClosing = {
  readonly label: string;
  /** Where its files lie. */
  readonly folder: string;
  /** Whether the exports say something else of the period than when it was closed. */
  readonly isOutdated: boolean;
};

/**
 * Compare every closing that no lock keeps with the exports as they were read last, unless it was compared with them
 * before. One whose last run did not complete is not compared: nobody takes it for current.
 *
 * @returns those that are out of date, and those that are not any more, by period
 */
export const compareClosings = async (workspace: Workspace): Promise<readonly ComparedClosing[]> => {
  const exports = await exportsDigest(workspace);
  const incomplete = (await lastRuns(workspace)).filter(({ filesAreCurrent }) => !filesAreCurrent);
  const left = new Set(incomplete.map(({ period }) => period));
  const compared: ComparedClosing[] = [];
  for (const row of await unlockedClosings(workspace)) {
    const wasOutdated = row.outdated === 1;
    const isKnown = row.compared_with === exports || left.has(row.period);
    const isOutdated = isKnown ? wasOutdated : await differs(workspace, row);
    if (!isKnown) await keep(workspace, row.period, { exports, isOutdated });
    if (isOutdated || wasOutdated) compared.push({ label: row.period, folder: row.folder, isOutdated });
  }
  return compared;
};

/** The periods that were out of date when closings were compared last and are not locked. */
export const outdatedLabels = async (workspace: Workspace): Promise<ReadonlySet<string>> => {
  const closings = await unlockedClosings(workspace);
  return new Set(closings.filter(({ outdated }) => outdated === 1).map(({ period }) => period));
};

const unlockedClosings = async (workspace: Workspace) => {
  const locks = await locksOf(workspace);
  const locked = new Set(locks.filter(({ state }) => state === 'locked').map(({ label }) => label));
  const rows = await workspace.tables
    .selectFrom('closing')
    .select(['period', 'first', 'last', 'folder', 'stated', 'compared_with', 'outdated'])
    .where('entity', '=', workspace.entity)
    .orderBy('first')
    .orderBy('period')
    .execute();
  return rows.filter(({ period }) => !locked.has(period));
};

/** Of what was closed before it was kept what the exports stated, nobody knows. */
const differs = async (
  workspace: Workspace,
  { period: label, first, last, stated }: Pick<ClosingRow, 'period' | 'first' | 'last' | 'stated'>,
): Promise<boolean> => {
  if (stated === '') return false;
  const period = { label, first: first as CalendarDate, last: last as CalendarDate };
  return (await presentlyStated(workspace, period)) !== stated;
};

const keep = async (
  { tables, entity }: Workspace,
  period: string,
  { exports, isOutdated }: { readonly exports: string; readonly isOutdated: boolean },
): Promise<void> => {
  await tables
    .updateTable('closing')
    .set({ compared_with: exports, outdated: isOutdated ? 1 : 0 })
    .where('entity', '=', entity)
    .where('period', '=', period)
    .execute();
};

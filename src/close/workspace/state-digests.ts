import { parseVersion } from '../../kernel/amended-version.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { rowsIn } from './queries.ts';
import { beginningOf } from './sale-page.ts';
import { salePageHeads } from './sale-pages.ts';
import { type PageKind, pageHeads } from './stage-pages.ts';
import type { WorkspaceTables } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Digests of the state of the workspace, computed from the digests of its pages without reading any sale. */

type Days = { readonly first: string; readonly last: string };

/**
 * Returns a digest of the sales of these days, their places in the exports, and everything else that decides which of
 * them count: locks, carried records and certificates.
 */
export const salesState = async (workspace: Workspace, days: Days): Promise<string> => {
  const heads = await salePageHeads(workspace, days);
  return digestOf({
    pages: heads.map(({ day, after, last, checksum }) => [day, after, last, checksum]),
    locks: await rowsOf(workspace, 'period_lock', ['label', 'state', 'digest']),
    carried: await rowsOf(workspace, 'carried_sale', ['key', 'filed_on', 'amendment', 'digest', 'replaces']),
    certificates: await rowsOf(workspace, 'certificate_file', ['position', 'path', 'sha256', 'body']),
  });
};

/** Returns a digest of the results of stages for the sales of these days, and for late, filed and undecided sales. */
export const foundState = async (
  workspace: Workspace,
  { first, last }: Days,
  stages: readonly PageKind[],
): Promise<string> => {
  const days = { first: beginningOf(first), last: beginningOf(last) };
  const beside = { first: beginningOf('filed'), last: beginningOf('undecided') };
  const found: Json[] = [];
  for (const stage of stages)
    for (const range of [days, beside])
      for (const { slot, digest } of await pageHeads(workspace, stage, range))
        found.push([stage, slot, digest]);
  return digestOf(found);
};

/** The longest range of days. */
const ALL_DAYS = { first: '', last: '9999-12-31' };

/**
 * Returns a digest of everything in the workspace that the books of a period can be made from: all sales, because a
 * refund may belong to an order of any day; the results of the stages for the period; the totals of other periods, except
 * those that begin after it; and all other stored records.
 */
export const workspaceState = async (
  workspace: Workspace,
  period: FilingPeriod,
  stages: readonly PageKind[],
): Promise<string> => {
  const states = await rowsIn(workspace, 'period_state')
    .where('period', '<>', period.label)
    .selectAll()
    .execute();
  return digestOf({
    sales: await salesState(workspace, ALL_DAYS),
    found: await foundState(workspace, period, stages),
    files: await rowsOf(workspace, 'source_file'),
    setAside: await rowsOf(workspace, 'set_aside'),
    beside: await extraRecordsState(workspace),
    decisions: await rowsOf(workspace, 'late_decision'),
    ledger: await rowsOf(workspace, 'ledger_file', ['path', 'sha256']),
    others: textsOf(states.filter((state) => hasBegunBy(state.period, period.last))),
  });
};

const hasBegunBy = (label: string, day: CalendarDate): boolean => {
  const first = parseVersion(label)?.first;
  return first === undefined || first <= day;
};

/** Returns a digest of the known records of a service that are not records of sales. */
export const extraRecordsState = async (workspace: Workspace): Promise<string> =>
  digestOf([await rowsOf(workspace, 'refund_adjustment'), await rowsOf(workspace, 'recorded')]);

/** Returns all rows of a table for the entity, or only these columns of them, in sorted order. */
const rowsOf = async (
  { tables, entity }: Workspace,
  table: keyof WorkspaceTables,
  columns?: readonly string[],
): Promise<readonly string[]> => {
  const rows = tables.selectFrom(table as 'sale').where('entity', '=', entity);
  return textsOf(await (columns ? rows.select(columns as never) : rows.selectAll()).execute());
};

const textsOf = (rows: readonly object[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort();

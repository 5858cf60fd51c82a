import type { LockBookOf } from '../../evidence/lock-book.ts';
import { forgetUnfiled } from '../../periods/decide-late.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Books } from './adopt-lock.ts';

type Adopted = Omit<Books, 'closing'> & {
  readonly closing: LockBookOf<'closing'>;
  /** Where the period is published. */
  readonly folder: string;
};

/** Write what a lock's books hold beside its sales in the place of what the workspace had of the period. */
export const adoptBooks = async (
  workspace: Workspace,
  { closing, folder, period_state, carried_sale, late_decision, period_event }: Adopted,
): Promise<void> => {
  const { entity, tables, upsert } = workspace;
  await upsert('closing', [{ entity, folder, ...closing }], tables);
  await tables
    .deleteFrom('period_state')
    .where('entity', '=', entity)
    .where('period', '=', closing.period)
    .execute();
  await upsert(
    'period_state',
    period_state.map((row) => ({ entity, ...row })),
    tables,
  );
  await adoptCarried(workspace, carried_sale);
  await adoptDecisions(workspace, late_decision);
  await adoptEvents(workspace, period_event);
};

/** What the workspace carried of the same records and no lock holds gives way to what was filed. */
const adoptCarried = async (
  { entity, tables, upsert }: Workspace,
  rows: Books['carried_sale'],
): Promise<void> => {
  const corrected = [...new Set(rows.map(({ corrects }) => corrects))];
  if (corrected.length === 0) return;
  await forgetUnfiled({ entity }, tables, corrected);
  await upsert(
    'carried_sale',
    rows.map((row) => ({ entity, ...row })),
    tables,
  );
};

const adoptDecisions = async (
  { entity, tables, upsert }: Workspace,
  rows: Books['late_decision'],
): Promise<void> => {
  const known = await tables.selectFrom('late_decision').selectAll().where('entity', '=', entity).execute();
  const before = Math.max(0, ...known.map(({ number }) => number));
  const lacking = rows.filter(
    (row) => !known.some(({ entity: _entity, number: _number, ...each }) => isSame(each, row)),
  );
  await upsert(
    'late_decision',
    lacking.map((row, index) => ({ entity, number: before + index + 1, ...row })),
    tables,
  );
};

const adoptEvents = async (
  { entity, tables, upsert }: Workspace,
  rows: Books['period_event'],
): Promise<void> => {
  const known = await tables.selectFrom('period_event').selectAll().where('entity', '=', entity).execute();
  const before = Math.max(0, ...known.map(({ number }) => number));
  const lacking = rows.filter(
    (row) => !known.some(({ entity: _entity, number: _number, ...each }) => isSame(each, row)),
  );
  await upsert(
    'period_event',
    lacking.map((row, index) => ({ entity, number: before + index + 1, ...row })),
    tables,
  );
};

const isSame = (left: object, right: object): boolean => {
  const [a, b] = [left, right] as readonly Readonly<Record<string, unknown>>[];
  return Object.keys({ ...a, ...b }).every((name) => a?.[name] === b?.[name]);
};

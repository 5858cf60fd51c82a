import type { Instant } from '../../kernel/calendar.ts';
import { type Lock, locksOf } from '../workspace/locks.ts';
import { beginningOf } from '../workspace/sale-page.ts';
import { type PageKind, pagesBeginning } from '../workspace/stage-pages.ts';
import type { Workspace, WorkspaceQueries } from '../workspace/workspace.ts';
import { removeLockFiles } from './kept-files.ts';
import { notLocked, notUnlockable, reasonMissing } from './period-errors.ts';
import { noteEvent } from './period-events.ts';

export type UnlockWish = {
  readonly label: string;
  /** Where the period is published. */
  readonly folder: string;
  readonly who: string;
  readonly why: string;
  readonly now: Instant;
};

/**
 * Take a lock away: the period can be closed again. What was decided of its late items is revoked with it, because what
 * came late belongs to the period itself again. The event stays written for ever.
 *
 * @throws {TieoutError} E_REASON_MISSING, E_PERIOD_NOT_LOCKED, E_PERIOD_BOUND
 */
export const unlockPeriod = async (workspace: Workspace, wish: UnlockWish): Promise<Lock> => {
  const { label, folder, who, why, now } = wish;
  if (why.trim() === '') throw reasonMissing();
  const locks = await locksOf(workspace);
  const lock = locks.find((other) => other.label === label && other.state === 'locked');
  if (!lock) throw notLocked(label);
  await refuseBound(workspace, lock, locks);
  await workspace.together(async (tables) => {
    if (lock.version === 0) await revokeDecisions(workspace, tables, lock, { who, why, now });
    for (const table of ['filed_sale', 'filed_page', 'kept_file'] as const) {
      await tables
        .deleteFrom(table)
        .where('entity', '=', workspace.entity)
        .where('label', '=', label)
        .execute();
    }
    if (lock.version === 0) await removeLock(workspace, tables, lock.period);
    else await reopen(workspace, tables, label);
    const { digest } = lock;
    await noteEvent(workspace, tables, { period: label, what: 'unlocked', at: now, who, why, digest });
  });
  await removeLockFiles(folder);
  return lock;
};

/** What later books rest on cannot be pulled from under them. */
const refuseBound = async (workspace: Workspace, lock: Lock, locks: readonly Lock[]): Promise<void> => {
  const { label } = lock;
  const later = locks.find(
    (other) => other.period === lock.period && other.version > lock.version && other.state === 'locked',
  );
  if (later) {
    throw notUnlockable(
      label,
      `${later.label} was made of it`,
      'An amendment corrects a locked period; what comes late now goes into a further one.',
    );
  }
  const { tables, entity } = workspace;
  const correction = await tables
    .selectFrom('carried_sale')
    .innerJoin('filed_sale', (join) =>
      join
        .onRef('filed_sale.entity', '=', 'carried_sale.entity')
        .onRef('filed_sale.key', '=', 'carried_sale.replaces'),
    )
    .select(['carried_sale.key', 'carried_sale.replaces'])
    .where('carried_sale.entity', '=', entity)
    .where('filed_sale.label', '=', label)
    // Corrections of the period itself, which are not filed or sent, give way with its lock.
    .$if(lock.version === 0, (query) => query.where('carried_sale.source', '<>', lock.period))
    .orderBy('carried_sale.key')
    .executeTakeFirst();
  if (correction) {
    throw notUnlockable(
      label,
      `it files ${correction.replaces}, which was corrected later with ${correction.key}`,
      'Leave it locked: what it had wrong is put right in the period that carries the corrections.',
    );
  }
  if (lock.version > 0) return;
  const filed = await tables
    .selectFrom('filed_sale')
    .select(['label', 'key'])
    .where('entity', '=', entity)
    .where('source', '=', lock.period)
    .executeTakeFirst();
  if (filed) {
    throw notUnlockable(
      label,
      `${filed.label}, which is locked, carries records out of it, such as ${filed.key}`,
      `Unlock ${filed.label} first; or leave both locked and let corrections be carried on.`,
    );
  }
  const submitted = await submittedLate(workspace);
  const sent = (await correctionsOf(workspace, lock.period)).find((key) => submitted.has(key));
  if (sent) {
    throw notUnlockable(
      label,
      `corrections of it are recorded with the tax service already, such as ${sent}`,
      'Leave it locked: what it had wrong is put right in the period that carries the corrections.',
    );
  }
};

/** The keys of the records that correct those of a locked period. */
const correctionsOf = async ({ tables, entity }: Workspace, period: string): Promise<readonly string[]> => {
  const rows = await tables
    .selectFrom('carried_sale')
    .select('key')
    .where('entity', '=', entity)
    .where('source', '=', period)
    .where(({ eb }) => eb('corrects', '<>', eb.ref('key')))
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
};

/** The keys of what came late and was sent to a service. */
const submittedLate = async (workspace: Workspace): Promise<ReadonlySet<string>> => {
  const stages = await workspace.tables
    .selectFrom('page')
    .select('stage')
    .distinct()
    .where('entity', '=', workspace.entity)
    .where('stage', 'like', 'submitted %')
    .execute();
  const keys = new Set<string>();
  for (const { stage } of stages)
    for (const page of await pagesBeginning<{ readonly key: string }>(
      workspace,
      stage as PageKind,
      beginningOf('late'),
    ))
      for (const { key } of page.rows) keys.add(key);
  return keys;
};

const revokeDecisions = async (
  workspace: Workspace,
  tables: WorkspaceQueries,
  { period }: Lock,
  { who, why, now }: Omit<UnlockWish, 'label' | 'folder'>,
): Promise<void> => {
  const { entity } = workspace;
  await tables.deleteFrom('carried_sale').where('entity', '=', entity).where('source', '=', period).execute();
  const decided = await tables
    .selectFrom('late_decision')
    .select(['number', 'period', 'key', 'choice'])
    .where('entity', '=', entity)
    .orderBy('number')
    .execute();
  const before = decided.at(-1)?.number ?? 0;
  const last = new Map(decided.filter((row) => row.period === period).map((row) => [row.key, row]));
  const standing = [...last.values()].filter(({ choice }) => choice !== 'revoked');
  await workspace.upsert(
    'late_decision',
    standing.map(({ key }, index) => ({
      entity,
      number: before + index + 1,
      period,
      key,
      choice: 'revoked',
      destination: '',
      content: '',
      decided: now,
      who,
      why,
    })),
    tables,
  );
};

/** An amended version that was begun and never closed goes with its period. */
const removeLock = async ({ entity }: Workspace, tables: WorkspaceQueries, period: string): Promise<void> => {
  await tables.deleteFrom('period_lock').where('entity', '=', entity).where('period', '=', period).execute();
};

/** An amended version that is unlocked is to be closed and locked again. */
const reopen = async ({ entity }: Workspace, tables: WorkspaceQueries, label: string): Promise<void> => {
  await tables
    .updateTable('period_lock')
    .set({ state: 'open', digest: '', body: '{}', report: '{}' })
    .where('entity', '=', entity)
    .where('label', '=', label)
    .execute();
};

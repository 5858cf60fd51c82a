import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CalendarDate, formatInstant } from '../../kernel/calendar.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import { folderError, sha256OfFile, stagingFor } from '../../runtime/publish-folder.ts';
import type { LockBook } from '../evidence/lock-book.ts';
import { LOCK_BOOKS_PATH, LOCK_PATH, LOCK_PATHS, lockStatementText } from '../evidence/lock-statement.ts';
import { logPiece, openLog } from '../evidence/log-file.ts';
import type { Sale } from '../sales/sale.ts';
import { filedPages } from '../workspace/filed-pages.ts';
import type { Workspace, WorkspaceQueries } from '../workspace/workspace.ts';
import type { Closing, OutputFile } from './closing.ts';
import { keepFiles } from './kept-files.ts';
import type { PeriodEvent } from './period-events.ts';

/** A lock that was just set, in the transaction that sets it. */
type NewLock = {
  readonly period: string;
  readonly version: number;
  readonly folder: string;
  readonly snapshot: Snapshot;
  readonly event: PeriodEvent;
};

/**
 * Keep what a lock leaves in the folder of its period: its statement, and the books that a workspace needs to hold the
 * period as locked. They reach the folder when the lock stands.
 */
export const keepLockEvidence = async (
  workspace: Workspace,
  tables: WorkspaceQueries,
  lock: NewLock,
): Promise<void> => {
  const { folder, snapshot, event } = lock;
  const staging = await stagingFor(folder);
  try {
    await mkdir(dirname(join(staging, LOCK_PATH)), { mode: 0o700 });
    await writeBooks({ ...workspace, tables }, join(staging, LOCK_BOOKS_PATH), snapshot, lock.period);
    const { digest, at, who, why } = event;
    const text = lockStatementText({
      format: 'tieout-lock-1',
      entity: workspace.entity,
      period: lock.period,
      version: lock.version,
      digest,
      at: formatInstant(at),
      who,
      why,
      books: await sha256OfFile(join(staging, LOCK_BOOKS_PATH)),
      snapshot: { ...snapshot, files: [...snapshot.files] },
    });
    await writeFile(join(staging, LOCK_PATH), text, { mode: 0o600 });
    const files = LOCK_PATHS.map((path) => ({ path }));
    await keepFiles(workspace, tables, { label: snapshot.label, folder: staging, files });
  } catch (error) {
    throw folderError(error, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};

const writeBooks = async (
  workspace: Workspace,
  path: string,
  snapshot: Snapshot,
  period: string,
): Promise<void> => {
  const log = openLog(path);
  const write = (books: readonly LockBook[]) =>
    log.write(logPiece(books.map((book) => JSON.stringify(book))));
  try {
    await write(await booksOf(workspace, snapshot, period));
    for await (const page of filedPages(workspace, [snapshot.label]))
      await write(
        page.map(({ entity: _entity, label: _label, page: _page, body, figures: _figures, ...row }) => ({
          book: 'filed_sale',
          row: { ...row, exemption_type: (JSON.parse(body) as Sale).exemptionType },
        })),
      );
    await log.close();
  } finally {
    await log.discard();
  }
};

/** What is kept of the period beside its sales. What names the folder or the entity is left out. */
const booksOf = async (
  { tables, entity }: Workspace,
  { label, first, last }: Snapshot,
  period: string,
): Promise<readonly LockBook[]> => {
  const closings = await tables
    .selectFrom('closing')
    .selectAll()
    .where('entity', '=', entity)
    .where('period', '=', label)
    .execute();
  const states = await tables
    .selectFrom('period_state')
    .selectAll()
    .where('entity', '=', entity)
    .where('period', '=', label)
    .orderBy('state')
    .execute();
  const carried = await tables
    .selectFrom('carried_sale')
    .selectAll()
    .where('entity', '=', entity)
    .where('amendment', '=', label === period ? '' : label)
    .where('filed_on', '>=', first)
    .where('filed_on', '<=', last)
    .orderBy('key')
    .execute();
  const decisions = await tables
    .selectFrom('late_decision')
    .selectAll()
    .where('entity', '=', entity)
    .where(({ eb, or, and }) =>
      or([
        eb('destination', '=', label),
        and([eb('choice', '=', 'carried'), eb('destination', '>=', first), eb('destination', '<=', last)]),
      ]),
    )
    .orderBy('number')
    .execute();
  const events = await tables
    .selectFrom('period_event')
    .selectAll()
    .where('entity', '=', entity)
    .where('period', '=', label)
    .orderBy('number')
    .execute();
  return [
    ...closings.map(
      ({ entity: _entity, folder: _folder, parts, ...row }): LockBook => ({
        book: 'closing',
        row: { ...row, parts: withoutWorkspace(parts) },
      }),
    ),
    ...states.map(({ entity: _entity, ...row }): LockBook => ({ book: 'period_state', row })),
    ...carried.map(({ entity: _entity, ...row }): LockBook => ({ book: 'carried_sale', row })),
    ...decisions.map(({ entity: _e, number: _number, ...row }): LockBook => ({ book: 'late_decision', row })),
    ...events.map(({ entity: _e, number: _number, ...row }): LockBook => ({ book: 'period_event', row })),
  ];
};

/** The parts of a closing without the digest of the workspace, which covers other months and means nothing in another one. */
const withoutWorkspace = (parts: string): string =>
  JSON.stringify({ ...(JSON.parse(parts) as Closing['parts']), workspace: '' } satisfies Closing['parts']);

/** The figures of one state as they are filed, in cents. */
type FiledState = {
  readonly state: string;
  readonly gross: number;
  readonly taxable: number;
  readonly collected: number;
  readonly expected: number;
  readonly recorded: number;
};

/** An exception that stood when the period was locked. */
type StandingException = { readonly record: string; readonly code: string; readonly why: string };

/** A record that was set aside when the period was locked. */
export type FiledAside = { readonly channel: string; readonly record: string; readonly code: string };

/** Everything that a lock freezes, its sales by their digest. The digest of the lock is the digest of this. */
export type Snapshot = {
  readonly label: string;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  readonly states: readonly FiledState[];
  readonly sales: { readonly count: number; readonly digest: string };
  /** Digest of what the workbooks were made from: the sales, and every record that was set aside. */
  readonly content: string;
  /** The rejected ones among the records that were set aside. */
  readonly asides: readonly FiledAside[];
  readonly accepted: readonly StandingException[];
  /** What was open and locked all the same, and why. */
  readonly open: readonly StandingException[];
  readonly configuration: string;
  readonly program: string;
  readonly service: string;
  readonly files: readonly OutputFile[];
};

export const snapshotDigest = (snapshot: Snapshot): string => digestOf(snapshot as unknown as Json);

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CalendarDate, formatInstant } from '../../kernel/calendar.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import { folderError, sha256OfFile, stagingFor } from '../../runtime/publish-folder.ts';
import type { LockBook } from '../evidence/lock-book.ts';
import { LOCK_BOOKS_PATH, LOCK_PATH, LOCK_PATHS, lockStatementText } from '../evidence/lock-statement.ts';
import { logPiece, openLog } from '../evidence/log-file.ts';
import type { Sale } from '../sales/sale.ts';
import { closingExceptions } from '../workspace/closings.ts';
import { filedPages } from '../workspace/filed-pages.ts';
import { booksOf } from '../workspace/lock-books.ts';
import type { PeriodEvent } from '../workspace/period-events.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { keepFiles } from './archived-files.ts';
import type { Closing, OutputFile } from './closing.ts';

/** A lock that is being set; the transaction is still open. */
type NewLock = {
  readonly period: string;
  readonly version: number;
  readonly folder: string;
  readonly snapshot: Snapshot;
  readonly event: PeriodEvent;
};

/**
 * Keep the files that a lock adds to the folder of its period: its statement, and the books with which another
 * workspace can adopt the period as locked. They are written to the folder after the transaction is committed.
 */
export const keepLockEvidence = async (workspace: Workspace, lock: NewLock): Promise<void> => {
  const { folder, snapshot, event } = lock;
  const staging = await stagingFor(folder);
  try {
    await mkdir(dirname(join(staging, LOCK_PATH)), { mode: 0o700 });
    await writeBooks(workspace, join(staging, LOCK_BOOKS_PATH), snapshot, lock.period);
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
    await keepFiles(workspace, { label: snapshot.label, folder: staging, files });
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
    const books = await booksOf(workspace, snapshot, period);
    const closing = books.closing.map((row) => ({ ...row, parts: withoutWorkspace(row.parts) }));
    for (const [book, rows] of Object.entries({ ...books, closing }))
      await write(rows.map((row) => ({ book, row }) as LockBook));
    for await (const row of closingExceptions(workspace, snapshot.label))
      await write([{ book: 'closing_exceptions', row }]);
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

/**
 * Returns the parts of a closing without the workspace digest, which covers other months and means nothing elsewhere.
 */
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

/** An exception that was accepted or open when the period was locked. */
type StandingException = { readonly record: string; readonly code: string; readonly why: string };

/** A record that was set aside when the period was locked. */
export type FiledAside = { readonly channel: string; readonly record: string; readonly code: string };

/**
 * Everything that a lock freezes, with a digest in place of its sales. The digest of the lock is the digest of this.
 */
export type Snapshot = {
  readonly label: string;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  readonly states: readonly FiledState[];
  readonly sales: { readonly count: number; readonly digest: string };
  /** Set if it holds the returns of a longer period alone: the versions within it that hold its sales. */
  readonly over?: readonly string[];
  /** Digest of the workbooks' inputs: the sales, and every record that was set aside. */
  readonly content: string;
  /** The rejected ones among the records that were set aside. */
  readonly asides: readonly FiledAside[];
  readonly accepted: readonly StandingException[];
  /** The exceptions that were open when the period was locked anyway, and why. */
  readonly open: readonly StandingException[];
  readonly configuration: string;
  readonly program: string;
  readonly service: string;
  readonly files: readonly OutputFile[];
};

export const snapshotDigest = (snapshot: Snapshot): string => digestOf(snapshot as unknown as Json);

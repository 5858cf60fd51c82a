import { join } from 'node:path';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import { batches } from '../../../runtime/batches.ts';
import type { Entry } from '../../evidence/entry.ts';
import { LockBook, type LockBookOf } from '../../evidence/lock-book.ts';
import { LOCK_BOOKS_PATH, LOCK_PATHS, type LockStatement } from '../../evidence/lock-statement.ts';
import { readLog } from '../../evidence/log-file.ts';
import { type Derivation, derivationIn, type Manifest } from '../../evidence/manifest.ts';
import { readEntries } from '../../evidence/read-entries.ts';
import { keepFiles } from '../../periods/archived-files.ts';
import { filedDigest } from '../../periods/lock-period.ts';
import { holdsLock } from '../../periods/refuse-unknown-locks.ts';
import { postingOf } from '../../sales/sale.ts';
import { filedPlaces, filedUnder, fileSales, placeFiled, unpostedKey } from '../../workspace/filed-pages.ts';
import { adoptBooks } from '../../workspace/lock-books.ts';
import { allLocks, type Lock, setLock } from '../../workspace/locks.ts';
import { eventsOf, noteEvent } from '../../workspace/period-events.ts';
import { BATCH_ROWS, type Workspace } from '../../workspace/workspace.ts';
import { adoptionRefused, brokenEvidence } from './adopt-errors.ts';
import type { Adoption } from './adopt-folders.ts';

/** A folder with a lock. */
export type LockedFolder = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly lock: LockStatement;
};

/**
 * Store the lock of a folder in a workspace, with everything that it froze.
 *
 * @returns `false` when the workspace already has this lock
 */
export const adoptLock = async (
  { workspace, folderOf, who, now }: Adoption,
  { folder, manifest, lock: statement }: LockedFolder,
): Promise<boolean> => {
  const { snapshot, digest, period, version } = statement;
  const { label } = snapshot;
  const locks = await allLocks(workspace);
  const own = locks.find((lock) => lock.label === label && lock.state === 'locked');
  if (own?.digest === digest && (await holdsLock(workspace, statement))) return false;
  await refuseOther(workspace, folder, statement, locks);
  const books = await booksOf(folder);
  const [closing] = books.closing;
  if (closing?.period !== label)
    throw brokenEvidence(folder, `${LOCK_BOOKS_PATH} has no closing of ${label}`);
  const exceptions = books.closing_exceptions.map(({ body }) => body);
  await adoptBooks(workspace, books, { ...closing, folder: folderOf(label) }, exceptions);
  const read = { folder, derivation: derivationIn(manifest.content) };
  await adoptSales(workspace, read, label, placementsIn(folder));
  const found = await filedDigest(workspace, label);
  if (found.count !== snapshot.sales.count || found.digest !== snapshot.sales.digest)
    throw brokenEvidence(folder, 'its sales are not those that were locked');
  const files = [...snapshot.files, ...LOCK_PATHS.map((path) => ({ path }))];
  await keepFiles(workspace, { label, folder, files });
  await setLock(workspace, {
    ...{ label, period, version, state: 'locked', digest },
    first: snapshot.first,
    last: snapshot.last,
    body: JSON.stringify(snapshot),
  });
  await noteEvent(workspace, {
    period: label,
    what: 'adopted',
    at: now,
    who,
    why: '',
    digest,
  });
  return true;
};

/**
 * Refuses a lock that the workspace contradicts: it was unlocked there, another lock has its days, or the period that
 * it amends is not locked there.
 */
const refuseOther = async (
  workspace: Workspace,
  folder: string,
  statement: LockStatement,
  locks: readonly Lock[],
): Promise<void> => {
  const { snapshot, period, version } = statement;
  const { label, first, last } = snapshot;
  if (await holdsLock(workspace, statement)) {
    const unlocked = (await eventsOf(workspace)).findLast(
      (event) => event.period === label && event.what === 'unlocked',
    );
    throw adoptionRefused(
      folder,
      `the workspace held this lock, and ${unlocked?.who || 'somebody'} unlocked ${label}: ${unlocked?.why ?? ''}`,
    );
  }
  const { over = [] } = snapshot;
  const missing = over.find((each) => !locks.some((lock) => lock.label === each && lock.state === 'locked'));
  if (missing !== undefined)
    throw adoptionRefused(
      folder,
      `its returns were filed over ${missing}, which the workspace does not hold: adopt that first`,
    );
  const other = locks.find(
    (lock) =>
      lock.state === 'locked' &&
      (lock.label === label ||
        (over.length === 0 && lock.period !== period && overlaps(lock, first as CalendarDate, last))),
  );
  if (other)
    throw adoptionRefused(
      folder,
      `the workspace holds another lock of ${other.label}, digest ${other.digest.slice(0, 12)}`,
    );
  if (version > 0 && !locks.some((lock) => lock.label === period && lock.state === 'locked'))
    throw adoptionRefused(folder, `it amends ${period}, which the workspace does not hold: adopt that first`);
};

const overlaps = (lock: Lock, first: string, last: string): boolean =>
  lock.first <= last && first <= lock.last;

type Books = { readonly [Name in Exclude<LockBook['book'], 'filed_sale'>]: LockBookOf<Name>[] };

/** Returns the books of a lock without its sales, which are many. */
const booksOf = async (folder: string): Promise<Books> => {
  const books: Books = {
    closing: [],
    closing_exceptions: [],
    period_state: [],
    carried_sale: [],
    late_decision: [],
    period_event: [],
  };
  for await (const line of readLog(join(folder, LOCK_BOOKS_PATH))) {
    const { book, row } = LockBook.parse(line);
    if (book !== 'filed_sale') (books[book] as unknown[]).push(row);
  }
  return books;
};

async function* placementsIn(folder: string): AsyncGenerator<Placement> {
  for await (const line of readLog(join(folder, LOCK_BOOKS_PATH))) {
    const { book, row } = LockBook.parse(line);
    if (book === 'filed_sale') yield row;
  }
}

/** The place where a record is filed. */
type Placement = LockBookOf<'filed_sale'>;

/**
 * Files the sales of a lock again: first the place of each from the lock's books, then its text and figures from the
 * log of sales, page by page. Other sales in the log are filed with other locks.
 */
const adoptSales = async (
  workspace: Workspace,
  { folder, derivation }: { readonly folder: string; readonly derivation: Derivation },
  label: string,
  placements: AsyncIterable<Placement>,
): Promise<void> => {
  // Exemption types as the exports state them, until the log of entries provides the rest. Most sales have none.
  const exemptions = new Map<string, string>();
  let left = 0;
  for await (const page of batches(placements, BATCH_ROWS)) {
    await refuseFiled(workspace, folder, page);
    const rows = page.map(({ exemption_type: stated, ...row }) => {
      if (stated !== null) exemptions.set(row.key, stated);
      return { label, ...row, page: 0 };
    });
    left += rows.length;
    await placeFiled(workspace, rows);
  }
  for await (const page of batches(readEntries(folder, derivation), BATCH_ROWS)) {
    const named = new Map(page.map((logged) => [keyOf(label, logged), logged]));
    const placed = await filedPlaces(workspace, label, [...named.keys()]);
    const rows = placed.flatMap(({ page: _page, entity: _entity, ...row }) => {
      const logged = named.get(row.key);
      return logged ? [{ ...row, ...textsOf(logged, exemptions.get(row.key) ?? null) }] : [];
    });
    left -= rows.length;
    await fileSales(workspace, rows);
  }
  if (left !== 0) throw brokenEvidence(folder, 'its sales are not those that were locked');
};

const keyOf = (label: string, { sale }: Entry): string =>
  postingOf(sale) === 'posted' ? sale.key : unpostedKey(label, sale.key);

const textsOf = ({ sale, figures }: Entry, exemptionType: string | null) => ({
  body: JSON.stringify({ ...sale, exemptionType }),
  figures: figures ? JSON.stringify(figures) : null,
});

/** Refuses records that are already filed: a record is filed once. */
const refuseFiled = async (
  workspace: Workspace,
  folder: string,
  page: readonly Placement[],
): Promise<void> => {
  const filed = await filedUnder(
    workspace,
    page.map(({ key }) => key),
  );
  if (filed) throw adoptionRefused(folder, `the workspace has ${filed.key} filed with ${filed.label}`);
};

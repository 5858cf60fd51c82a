import { join } from 'node:path';
import type { CalendarDate, Instant, zoneCalendar } from '../../kernel/calendar.ts';
import { canonicalJson } from '../../kernel/digest.ts';
import { changedPart } from '../../kernel/parts.ts';
import { type FilingPeriod, monthsOf } from '../../kernel/period.ts';
import { exists } from '../../runtime/exists.ts';
import { folderDifferences } from '../../runtime/folder-differences.ts';
import { readSignatures } from '../evidence/signature-files.ts';
import { filingPlan, isFiled } from '../period-sales/filing-plan.ts';
import { isAccepted, isOpen } from '../reconcile/exceptions.ts';
import type { Sale } from '../sales/sale.ts';
import { filedPages } from '../workspace/filed-pages.ts';
import { allLocks, holdsReturns, type Lock, lockContent, setLock } from '../workspace/locks.ts';
import { noteEvent } from '../workspace/period-events.ts';
import { lastRuns } from '../workspace/runs.ts';
import { type Signature, signatureDigest, signaturesUnder } from '../workspace/signatures.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { keepFiles, writeLockFiles } from './archived-files.ts';
import { closedEarly } from './closed-early.ts';
import {
  type Closing,
  closingBefore,
  closingOf,
  exceptionsOfClosing,
  salesDigest,
  workspaceParts,
} from './closing.ts';
import { freezeSales } from './freeze-sales.ts';
import { keepLockEvidence, type Snapshot, snapshotDigest } from './lock-evidence.ts';
import { versionsWithin } from './locked-returns.ts';
import { outdatedCauses, outdatedText } from './outdated-closings.ts';
import {
  closedElsewhere,
  notClean,
  notClosed,
  notLocked,
  overlapping,
  shorterOpen,
  stale,
  unfinished,
} from './period-errors.ts';
import { setAsidesOf } from './rejects-of.ts';

export type LockRequest = {
  /** A period, or an amended version of one. */
  readonly label: string;
  /** The folder in which the period is published. */
  readonly folder: string;
  /** Digest of the configuration as it is now. */
  readonly configuration: string;
  readonly who: string;
  /** Why the period may be locked with open exceptions; empty when it may not. */
  readonly openExceptions: string;
  readonly now: Instant;
  /** The calendar of the seller's time zone. */
  readonly calendar: ReturnType<typeof zoneCalendar>;
  /** Called before a period is locked that no one has signed; an error keeps it open. */
  readonly beforeUnsigned?: () => Promise<void>;
};

export type LockResult = {
  readonly label: string;
  readonly digest: string;
  /** `false` when it was locked already. */
  readonly isNew: boolean;
  readonly snapshot: Snapshot;
  /** The period before, on whose close it was built, if that is not locked and may still change. */
  readonly openBefore?: string;
};

/**
 * Freeze a closed period: its sales with their figures, the records set aside, and the bytes of its files. Everything
 * is stored in one transaction, so an interrupted lock leaves no trace. After that, the statement of the lock is
 * written to the folder. Where the sales of all days are locked with shorter periods, the lock holds the returns alone. The
 * caller must hold the run lock.
 *
 * @throws {TieoutError} E_PERIOD_NOT_CLOSED, E_PERIOD_ELSEWHERE, E_PERIOD_STALE, E_PERIOD_UNFINISHED, E_PERIOD_OPEN,
 * E_PERIOD_OVERLAP, E_PERIOD_SHORTER_OPEN
 */
export const lockPeriod = async (workspace: Workspace, wish: LockRequest): Promise<LockResult> => {
  const { label, folder } = wish;
  const locks = await allLocks(workspace);
  const own = locks.find((lock) => lock.label === label);
  const closing = await closingOf(workspace, label);
  if (own?.state === 'locked') {
    // An earlier run may have been interrupted after it set the lock and before it wrote to the folder.
    if (await exists(folder)) await writeLockFiles(workspace, label, folder);
    return { ...(await lockOf(workspace, own)), isNew: false };
  }
  if (!closing) throw notClosed(label);
  if (closing.folder !== folder) throw closedElsewhere(label, closing.folder, folder);
  const over = versionsOver(closing.period, own, locks);
  const today = wish.calendar.dateAt(wish.now);
  await refuseStopped(workspace, { ...closing, today, calendar: wish.calendar });
  await refuseStale(workspace, closing, wish.configuration);
  if (today <= closing.period.last && wish.openExceptions === '')
    throw unfinished(label, closing.period.last);
  if (!closing.isClean && wish.openExceptions === '') throw notClean(label, closing.report.readiness);
  refuseShorterOpen(closing, locks);
  const { period, version } = own ?? { period: label, version: 0 };
  const signed = await signaturesUnder(workspace, label, closing.report.signOff.contentDigest);
  await refuseUnwritten(label, folder, signed);
  if (signed.length === 0) await wish.beforeUnsigned?.();
  const locked = await workspace.together(async (within): Promise<LockResult> => {
    if (!over) await freezeSales(within, closing.period);
    const snapshot = await snapshotOf(within, closing, wish.openExceptions, over);
    const digest = snapshotDigest(snapshot);
    await keepFiles(within, { label, ...closing });
    await setLock(within, {
      ...{ label, period, version, state: 'locked', digest },
      first: closing.period.first,
      last: closing.period.last,
      body: JSON.stringify(snapshot),
    });
    const { who, openExceptions: why, now } = wish;
    const event = { period: label, what: 'locked', at: now, who, why, digest } as const;
    await noteEvent(within, event);
    await keepLockEvidence(within, { period, version, folder, snapshot, event });
    return { label, digest, isNew: true, snapshot };
  });
  await writeLockFiles(workspace, label, folder);
  const before = (await closingBefore(workspace, closing.period))?.period;
  const mayChange = before !== undefined && !isFiled(filingPlan(before, locks));
  return { ...locked, ...(mayChange && { openBefore: before.label }) };
};

/**
 * Returns the locked versions that hold the sales of the period; `undefined` if it holds them itself.
 *
 * @throws {TieoutError} E_PERIOD_OVERLAP when some of its days are filed and others are not, or its returns are locked under
 * another name
 */
const versionsOver = (
  period: FilingPeriod,
  own: Lock | undefined,
  locks: readonly Lock[],
): readonly string[] | undefined => {
  const others = locks.filter((lock) => lock.period !== own?.period && overlaps(lock, period));
  const [other] = others;
  if (other === undefined || (own && !holdsReturns(own, locks))) return undefined;
  const same = others.find(({ first, last }) => first === period.first && last === period.last);
  const over = same ? undefined : versionsWithin(period, locks);
  if (over === undefined)
    throw overlapping(period.label, (same ?? other).period, monthsOutside(period, locks));
  return over;
};

/** Returns the months of a period of which no day is locked. */
const monthsOutside = (period: FilingPeriod, locks: readonly Lock[]): readonly string[] =>
  monthsOf(period)
    .filter((month) => !locks.some((lock) => overlaps(lock, month)))
    .map(({ label }) => label);

/**
 * Refuses a period whose returns take off what returns of shorter periods paid while these are not locked: its lock would
 * keep them from being locked, and what was paid may still change.
 */
const refuseShorterOpen = ({ period: { label }, report }: Closing, locks: readonly Lock[]): void => {
  const shorter = report.remittances.flatMap((each) => (each.shorter ?? []).map(({ period }) => period));
  const isLocked = (period: string) => locks.some((lock) => lock.label === period && lock.state === 'locked');
  const open = [...new Set(shorter)].filter((period) => !isLocked(period));
  if (open.length > 0) throw shorterOpen(label, open);
};

/** Whether a lock has filed days of a period. */
export const overlaps = (lock: Lock, { first, last }: FilingPeriod): boolean =>
  lock.first <= last && first <= lock.last;

/** Returns the lock of a period, or of an amended version, with what it froze. */
export const lockOf = async (
  workspace: Workspace,
  { label }: Pick<Lock, 'label'>,
): Promise<Omit<LockResult, 'isNew'>> => {
  const content = await lockContent(workspace, label);
  if (!content) throw notLocked(label);
  const { digest, body } = content;
  return { label, digest, snapshot: JSON.parse(body) as Snapshot };
};

/**
 * Refuses a period whose last run did not complete, because its findings are unknown, and one that is over and was closed
 * before that: its files may lack sales.
 */
const refuseStopped = async (
  workspace: Workspace,
  given: Pick<Closing, 'period'> & Pick<LockRequest, 'calendar'> & { readonly today: CalendarDate },
): Promise<void> => {
  const { label, last } = given.period;
  const run = (await lastRuns(workspace)).find(({ period }) => period === label);
  if (run && !run.filesAreCurrent) throw stale(label, 'the last run did not complete');
  const early = closedEarly(run, given.period, given.calendar);
  if (early !== undefined && last < given.today)
    throw stale(label, `it was closed on ${early}, before its last day`);
};

/**
 * Refuses a closing that is out of date: the configuration, the figures, the period before, what it takes over from it
 * and the files must still be those of the close.
 */
const refuseStale = async (
  workspace: Workspace,
  { period, folder, files, parts }: Closing,
  configuration: string,
): Promise<void> => {
  const { label } = period;
  const now = { configuration, ...workspaceParts(workspace, period) };
  const changed = await changedPart(parts, now, ['configuration', 'figures', 'before']);
  if (changed) throw stale(label, CHANGED[changed]);
  if ((await outdatedCauses(workspace)).get(label) === 'takenOver')
    throw stale(label, `${outdatedText('takenOver', 'it')} since`);
  for await (const { path, what } of folderDifferences(folder, files))
    if (what !== 'foreign')
      throw stale(label, `${join(folder, path)} ${what === 'missing' ? 'is gone' : 'was changed'}`);
};

/** Refuses a folder without a signature that the workspace has: signing was cut off before it was written there. */
const refuseUnwritten = async (
  label: string,
  folder: string,
  signatures: readonly Signature[],
): Promise<void> => {
  const written = new Set((await readSignatures(folder)).map(signatureDigest));
  const missing = signatures.find((signature) => !written.has(signatureDigest(signature)));
  if (missing)
    throw stale(label, `they lack the signature of ${missing.name} as ${missing.role}, which is kept`);
};

const CHANGED = {
  configuration: 'the configuration was changed since',
  figures: 'sales, calculations or records changed since',
  before: 'the period before was closed again since',
} as const;

const snapshotOf = async (
  workspace: Workspace,
  closing: Closing,
  why: string,
  over: Snapshot['over'],
): Promise<Snapshot> => {
  const { period, report, parts, files } = closing;
  const { figures, configuration, program, service } = parts;
  const sales = await filedDigest(workspace, period.label);
  const exceptions = await exceptionsOfClosing(workspace, period.label);
  const asides = over
    ? []
    : (await setAsidesOf(workspace, period)).filter(({ outcome }) => outcome === 'rejected');
  return {
    label: period.label,
    first: period.first,
    last: period.last,
    states: report.states.map(({ state, gross, taxable, collected, expected, recorded }) => ({
      state,
      gross,
      taxable,
      collected,
      expected,
      recorded,
    })),
    sales,
    ...(over && { over }),
    content: figures,
    asides: asides.map(({ channel, origin, reason }) => ({
      channel,
      record: origin.record,
      code: reason.code,
    })),
    accepted: exceptions.filter(isAccepted).map(({ origin, code, accepted }) => ({
      record: origin.record,
      code,
      why: accepted,
    })),
    open: exceptions.filter(isOpen).map(({ origin, code }) => ({ record: origin.record, code, why })),
    configuration,
    program,
    service,
    files,
  };
};

/** Returns count and digest of the sales that one lock holds, as the workspace stores them. */
export const filedDigest = async (workspace: Workspace, label: string): Promise<Snapshot['sales']> => {
  const sales = salesDigest();
  for await (const page of filedPages(workspace, [label])) {
    // The digest covers the whole text of a sale, so that a changed body cannot hide behind its stored digest.
    for (const { key, body, figures } of page)
      sales.add({ key, digest: canonicalJson(JSON.parse(body) as Sale), figures: figures ?? '' });
  }
  return { count: sales.count(), digest: sales.hex() };
};

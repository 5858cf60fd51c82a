import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCK_FILE, type LockLine, lineText, statementOf, versionLabel } from '../evidence/lock-line.ts';
import { type Leaves, MANIFEST_PATH, type Manifest } from '../evidence/manifest.ts';
import { checkBytes, readManifest } from '../evidence/verify-files.ts';
import { type CalendarDate, type Clock, formatInstant } from '../kernel/calendar.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/json.ts';
import { amendedPeriod, amendmentNumber, type FilingPeriod, isWithin, monthsOf } from '../kernel/period.ts';
import { makeFolder, replaceFile } from '../runtime/publish-folder.ts';
import { countingPeriods, type LockPlace, type Locks, publishedPeriods } from './folders.ts';
import { lockFileOf, pathIn, REGISTER, readLocks } from './locks.ts';

/**
 * Signs or locks published versions of periods: all of them, or none. The folders get their lines first, then the register.
 *
 * @throws {TieoutError} E_LOCK_UNKNOWN, E_LOCKED_OUTPUT, E_PERIOD_NOT_CLOSED, E_PACK_CHANGED, E_PERIOD_LOCKED, E_PERIOD_STALE,
 * E_PERIOD_UNFINISHED, E_PERIOD_OPEN, E_PERIOD_EARLIER_OPEN, E_PERIOD_OVERLAP, E_PERIOD_NOT_LOCKED
 */
export const addLines = async (
  ports: LockPorts,
  wishes: readonly LockWish[],
): Promise<readonly LockLine[]> => {
  const locks = await readLocks(ports);
  await completeRegister(ports, locks);
  const added: Omit<LockLine, 'before'>[] = [];
  for (const wish of wishes) added.push(await lineOf(ports, locks, wish, wishes));
  return appendLines(ports, locks.lines, added);
};

/** Writes lines that folders have into the register, which a killed run did not come to. */
export const completeRegister = async (
  { root }: LockPlace,
  { lines, missing }: Awaited<ReturnType<typeof readLocks>>,
): Promise<void> => {
  if (missing.length > 0) await writeRegister(root, lines);
};

/**
 * Takes the last lock of an entity away, saying why.
 *
 * @returns the line, and the published versions behind it that are to be closed again
 * @throws {TieoutError} E_REASON_MISSING, E_PERIOD_NOT_LOCKED, E_PERIOD_BOUND, E_LOCK_UNKNOWN
 */
export const removeLock = async (
  ports: LockPorts,
  { label, name, why }: Readonly<Record<'label' | 'name' | 'why', string>>,
): Promise<{
  readonly line: LockLine;
  readonly closeAgain: readonly string[];
}> => {
  if (why.trim() === '')
    throw refusal('E_REASON_MISSING', 'it is not said why', 'Say it in a few words with --reason.');
  const locks = await readLocks(ports);
  const own = locks.versions.findLast((version) => version.name === label);
  const last = locks.versions.at(-1);
  if (!own || !last)
    throw refusal(
      'E_PERIOD_NOT_LOCKED',
      `${label} is not locked`,
      '`tieout status` lists the periods that are.',
    );
  if (own !== last)
    throw refusal(
      'E_PERIOD_BOUND',
      `${label} cannot be unlocked: ${last.name} was locked after it`,
      `Locks are taken away in turn, the last one first: \`tieout unlock ${last.name} --reason "…"\`.`,
    );
  const locked = locks.lines.findLast(
    (line) => isLineOf(line, ports.entity, label) && line.what === 'locked',
  );
  const line = {
    ...(locked as LockLine),
    what: 'unlocked' as const,
    by: { name, role: '', signature: null },
    at: formatInstant(ports.clock.now()),
    why,
  };
  const published = await closedIn(ports);
  const isOpen = (version: FilingPeriod): boolean =>
    version.first > own.last && !locks.versions.some(({ name: other }) => other === version.label);
  const [written] = await appendLines(ports, locks.lines, [line]);
  const closeAgain = published.filter(isOpen).map((version) => version.label);
  return { line: written as LockLine, closeAgain };
};

const isLineOf = (line: LockLine, entity: string, label: string): boolean =>
  line.entity === entity && versionLabel(line) === label;

/** Adds lines at the end of the register: into each folder first. A line that is not in a folder is that of an unlocking. */
const appendLines = async (
  { root }: LockPlace,
  lines: readonly LockLine[],
  added: readonly Omit<LockLine, 'before'>[],
): Promise<readonly LockLine[]> => {
  const all = [...lines];
  for (const { before: _, ...line } of added as readonly LockLine[]) {
    const last = all.at(-1);
    all.push({ ...line, before: last ? sha256(lineText(last)) : '' });
  }
  for (const { what, folder, manifest } of added) {
    if (what === 'unlocked') continue;
    const path = join(root, folder);
    const text = lockFileOf(all, { root }, path, manifest);
    makeFolder(join(path, 'evidence'));
    if (text !== undefined) await replaceFile(join(path, LOCK_FILE), text);
  }
  await writeRegister(root, all);
  return all.slice(lines.length);
};

const writeRegister = (root: string, lines: readonly LockLine[]): Promise<void> =>
  replaceFile(join(root, REGISTER), lines.map((line) => `${lineText(line)}\n`).join(''));

/** Checks a wish, and returns its line. */
const lineOf = async (
  ports: LockPorts,
  locks: Locks,
  wish: LockWish,
  wishes: readonly LockWish[],
): Promise<Omit<LockLine, 'before'>> => {
  const { period, what, name, role, openExceptions } = wish;
  const { label } = period;
  const folder = join(ports.output, label);
  const manifest = await closedFolder(label, folder);
  if (locks.versions.some((version) => version.name === label))
    throw refusal(
      'E_PERIOD_LOCKED',
      `${label} is locked, and its files stand as they were locked`,
      'Sign before locking; or unlock it, saying why, close it again, sign, and lock it.',
    );
  refuseUnready(ports.today, manifest, wish);
  if (what === 'locked') await refuseOutOfOrder(ports, locks, period, wishes);
  const digest = sha256(await readFile(join(folder, MANIFEST_PATH)));
  if (digest !== (await wish.current()))
    throw refusal(
      'E_PERIOD_STALE',
      `${folder} is not what a close would write now`,
      `Run \`tieout close ${label}\` again, look at what changed, and then go on.`,
    );
  const unsigned = {
    entity: ports.entity,
    period: amendedPeriod(label),
    version: amendmentNumber(label),
    what,
    folder: pathIn(ports.root, folder),
    manifest: digest,
    by: { name, role, signature: null },
    at: formatInstant(ports.clock.now()),
    why: openExceptions,
  };
  const signature = wish.signText?.(statementOf(unsigned)) ?? null;
  return { ...unsigned, by: { name, role, signature } };
};

export type LockPorts = LockPlace & {
  readonly clock: Clock;
  /** The day of the entity. */
  readonly today: CalendarDate;
};

/** Who signs or locks a version of a period, and why that may be done although something is open. */
export type LockWish = {
  readonly period: FilingPeriod;
  readonly what: 'signed' | 'locked';
  readonly name: string;
  /** `preparer` or `reviewer` for a signature; empty for a lock. */
  readonly role: string;
  /** Signs the statement with a key; without it, the line has a name only. */
  readonly signText?: ((statement: string) => string) | undefined;
  /** Why it may be done although exceptions are open or the period is not over; empty if it may not. */
  readonly openExceptions: string;
  /** Returns the digest of the manifest that a close would write now. */
  readonly current: () => Promise<string>;
};

/** Returns the manifest of a published version whose files are as they were written. */
const closedFolder = async (label: string, folder: string): Promise<Manifest> => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string')
    throw refusal(
      'E_PERIOD_NOT_CLOSED',
      `${label} is not closed: ${folder}: ${manifest}`,
      `Run \`tieout close ${label}\` first; or name the folder of published periods with --output.`,
    );
  const { content } = manifest;
  const problem = await checkBytes(folder, [...content.logs, ...content.outputs]);
  if (problem !== undefined)
    throw refusal(
      'E_PACK_CHANGED',
      `${folder} is not as it was closed: ${problem}`,
      'Find out who changed it, and close the period again.',
    );
  return manifest;
};

/** Refuses a period that is not over or not clean, unless it is said why that may stand. */
const refuseUnready = (
  today: CalendarDate,
  { content }: Manifest,
  { period: { label, last }, what, openExceptions }: LockWish,
): void => {
  if (openExceptions !== '') return;
  if (last >= today)
    throw refusal(
      'E_PERIOD_UNFINISHED',
      `${label} is not over: its last day is ${last}`,
      'Wait until it is over, and close it again; or say with --open-exceptions why that may stand.',
    );
  const { ready, reasons } = (content.leaves as Leaves).readiness;
  if (!ready)
    throw refusal(
      'E_PERIOD_OPEN',
      `${label} cannot be ${what}: it is NOT READY for ${reasons.length} reasons, such as ${reasons[0]?.what ?? ''}`,
      'Settle what is open, or decide it in decisions.csv, and close again. Or say with --open-exceptions why it may stand.',
    );
};

/** Locks are taken in the order of their days, and a day is locked once. */
const refuseOutOfOrder = async (
  ports: LockPorts,
  locks: Locks,
  period: FilingPeriod,
  wishes: readonly LockWish[],
): Promise<void> => {
  const own = amendedPeriod(period.label);
  const before = locks.versions.filter(({ label }) => label === own).length;
  const number = amendmentNumber(period.label);
  if (number !== before)
    throw refusal(
      'E_PERIOD_NOT_LOCKED',
      `${period.label} cannot be locked: ${before === 0 ? `${own} is not locked` : `the version before it is not the last one that is locked`}`,
      'Lock the versions of a period in the order of their numbers.',
    );
  if (number > 0) return;
  const inCommon = locks.periods.filter((lock) => lock.first <= period.last && period.first <= lock.last);
  const isCovered = (month: FilingPeriod): boolean =>
    inCommon.some((lock) => lock.first <= month.first && month.last <= lock.last);
  const isOver = inCommon.every(({ first, last }) => period.first <= first && last <= period.last);
  const [other] = inCommon;
  if (other && !(isOver && monthsOf(period).every(isCovered)))
    throw refusal(
      'E_PERIOD_OVERLAP',
      `${period.label} has days in common with ${other.label}, which is locked, and others that are not`,
      'A day is locked once. Lock the other periods within it first; then its lock holds its returns.',
    );
  const wished = new Set(wishes.map((wish) => wish.period.label));
  const earlier = (await closedIn(ports)).find(
    ({ label, first, last }) =>
      label !== period.label &&
      (last < period.first || (period.first <= first && last <= period.last)) &&
      !wished.has(label) &&
      !locks.periods.some((lock) => isWithin(lock, first) && isWithin(lock, last)) &&
      !locks.versions.some((lock) => lock.name === label),
  );
  if (earlier)
    throw refusal(
      'E_PERIOD_EARLIER_OPEN',
      `${period.label} cannot be locked: ${earlier.label} is closed and not locked`,
      `Periods are locked in the order of their days: \`tieout lock ${earlier.label}\` first, or remove its folder if it was a trial.`,
    );
};

/** The periods that were closed here, oldest first. */
const closedIn = async ({ output }: LockPorts): Promise<readonly FilingPeriod[]> =>
  (await countingPeriods(await publishedPeriods(output, new Set()))).map(({ period }) => period);

export const refusal = (code: ErrorCode, message: string, nextStep: string): TieoutError =>
  new TieoutError({ code, message, nextStep });

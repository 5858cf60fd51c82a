import { type LockLine, signerOfLine, type Unchained } from '../evidence/lock-line.ts';
import type { Leaves, Manifest } from '../evidence/manifest.ts';
import { checkBytes, readManifest } from '../evidence/verify-files.ts';
import type { CalendarDate, Clock } from '../kernel/calendar.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import {
  amendedPeriod,
  amendmentNumber,
  type FilingPeriod,
  isWithin,
  monthsOf,
  parsePeriod,
} from '../kernel/period.ts';
import { countingPeriods, type LockPlace, type Locks, publishedPeriods } from './folders.ts';

export type LockPorts = LockPlace & {
  readonly clock: Clock;
  /** The day of the entity. */
  readonly today: CalendarDate;
  /** Whether one person may sign in both roles. */
  readonly samePersonMaySign: boolean;
};

/** Who signs or locks a version of a period, and why that may be done although something is open. */
export type LockWish = {
  /** The label of the version: `2026-10` or `2026-10-amended-1`. */
  readonly label: string;
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
export const closedFolder = async (ports: LockPorts, label: string, folder: string): Promise<Manifest> => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string')
    throw refusal(
      'E_PERIOD_NOT_CLOSED',
      `${label} is not closed: ${folder}: ${manifest}`,
      `Run \`tieout close ${label}\` first; or name the folder of published periods with --output.`,
    );
  const { content } = manifest;
  const isOwn = content.entity === ports.entity && content.period.label === label;
  const problem = isOwn
    ? await checkBytes(folder, [...content.logs, ...content.outputs])
    : `it has ${content.entity} ${content.period.label}`;
  if (problem !== undefined)
    throw refusal(
      'E_PACK_CHANGED',
      `${folder} is not as it was closed: ${problem}`,
      'Find out who changed it, and close the period again.',
    );
  return manifest;
};

/** Refuses a period that is not over or not clean, unless it is said why that may stand. */
export const refuseUnready = (
  today: CalendarDate,
  { content }: Manifest,
  { label, what, openExceptions }: LockWish,
  { last }: FilingPeriod,
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
export const refuseOutOfOrder = async (
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
  const wished = new Set(wishes.map(({ label }) => label));
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
export const closedIn = async ({ output }: LockPorts): Promise<readonly FilingPeriod[]> =>
  (await countingPeriods(await publishedPeriods(output, new Set()))).map(({ period }) => period);

export const periodIn = (label: string): FilingPeriod => {
  const period = parsePeriod(amendedPeriod(label));
  if (!period) throw refusal('E_PERIOD', `"${label}" is not a filing period`, 'Write a month as 2026-10.');
  return { ...period, label };
};

/** One person signs one content in one role; with a key, two names with the same key are one person. */
export const refuseSignedBefore = (
  { samePersonMaySign }: LockPorts,
  lines: readonly LockLine[],
  line: Omit<LockLine, 'before'>,
): void => {
  if (samePersonMaySign) return;
  const signed = lines.filter(
    (other) => other.what === 'signed' && other.manifest === line.manifest && other.folder === line.folder,
  );
  const others = [...new Map(signed.map((other) => [other.by.role, other])).values()].filter(
    ({ by }) => by.role !== line.by.role,
  );
  const same = others.find((other) => isSameName(other, line) || isSameKey(other, line));
  if (same)
    throw refusal(
      'E_SIGNED',
      `${same.by.name} has signed this content as ${same.by.role}${isSameName(same, line) ? '' : ' with the same key'}`,
      'Another person must review it. Where one person may do both, set `policy.samePersonMaySign`.',
    );
};

const isSameName = (one: Unchained, other: Unchained): boolean =>
  one.by.name.trim().toLowerCase() === other.by.name.trim().toLowerCase();

const isSameKey = (one: Unchained, other: Unchained): boolean => {
  const left = signerOfLine(one);
  const right = signerOfLine(other);
  return Buffer.isBuffer(left) && Buffer.isBuffer(right) && left.equals(right);
};

export const refusal = (code: ErrorCode, message: string, nextStep: string): TieoutError =>
  new TieoutError({ code, message, nextStep });

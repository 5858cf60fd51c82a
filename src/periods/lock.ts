import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCK_FILE, type LockLine, lineText, statementOf, versionLabel } from '../evidence/lock-line.ts';
import { MANIFEST_PATH } from '../evidence/manifest.ts';
import { formatInstant } from '../kernel/calendar.ts';
import { sha256 } from '../kernel/json.ts';
import { amendedPeriod, amendmentNumber, type FilingPeriod } from '../kernel/period.ts';
import { makeFolder, replaceFile } from '../runtime/publish-folder.ts';
import type { LockPlace, Locks } from './folders.ts';
import {
  closedFolder,
  closedIn,
  type LockPorts,
  type LockWish,
  periodIn,
  refusal,
  refuseOutOfOrder,
  refuseSignedBefore,
  refuseUnready,
} from './lock-checks.ts';
import { lockFileOf, pathIn, REGISTER, readLocks } from './locks.ts';

/**
 * Signs or locks published versions of periods: all of them, or none. The folders get their lines first, then the register.
 *
 * @throws {TieoutError} E_LOCK_UNKNOWN, E_LOCKED_OUTPUT, E_PERIOD_NOT_CLOSED, E_PACK_CHANGED, E_PERIOD_LOCKED, E_PERIOD_STALE,
 * E_PERIOD_UNFINISHED, E_PERIOD_OPEN, E_PERIOD_EARLIER_OPEN, E_PERIOD_OVERLAP, E_PERIOD_NOT_LOCKED, E_SIGNED
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
  {
    label,
    name,
    why,
  }: {
    readonly label: string;
    readonly name: string;
    readonly why: string;
  },
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
  const { label, what, name, role, openExceptions } = wish;
  const folder = join(ports.output, label);
  const manifest = await closedFolder(ports, label, folder);
  if (locks.versions.some((version) => version.name === label))
    throw refusal(
      'E_PERIOD_LOCKED',
      `${label} is locked, and its files stand as they were locked`,
      'Sign before locking; or unlock it, saying why, close it again, sign, and lock it.',
    );
  const period = periodIn(label);
  refuseUnready(ports.today, manifest, wish, period);
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
  const line = { ...unsigned, by: { name, role, signature } };
  if (what === 'signed') refuseSignedBefore(ports, locks.lines, line);
  return line;
};

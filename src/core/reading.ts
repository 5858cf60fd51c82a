import { dirname, join } from 'node:path';
import type { FilingPeriod } from '../kernel/period.ts';
import { type ClosePorts, periodFolder, todayOf } from '../periods/close-ports.ts';
import { earlierPeriods, ledgerOf } from '../periods/earlier.ts';
import { readFilings } from '../periods/filings.ts';
import { type LockPlace, type Locks, publishedPeriods } from '../periods/folders.ts';
import { lockedIndex } from '../periods/keys.ts';
import { type LateItems, lateItems, openOf } from '../periods/late.ts';
import { completeRegister, type LockPorts } from '../periods/lock.ts';
import { readLocks } from '../periods/locks.ts';
import { type OutdatedPeriod, outdatedPeriods } from '../periods/runs.ts';
import { readExports } from '../read/read-exports.ts';
import type { Exports, FileReading } from '../read/shapes.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { goneFiles } from './gone.ts';

/** An entity, and the folder of all that is written of it. */
export type Place = Pick<ClosePorts, 'configuration' | 'output'>;

/** Where the locks of the entity of a close are. */
export const lockPlaceOf = ({ configuration, output }: Place): LockPlace => ({
  root: configuration.resolvePath('.'),
  entity: configuration.entity,
  output: join(output, configuration.entity),
});

/** What signing and locking needs of a close. */
export const lockPortsOf = (ports: Place & Pick<ClosePorts, 'clock'>): LockPorts => ({
  ...lockPlaceOf(ports),
  clock: ports.clock,
  today: todayOf(ports),
});

/**
 * Reads the locks of an entity before anything is read, written or sent, and completes their register.
 *
 * @throws {TieoutError} E_LOCK_UNKNOWN, E_LOCKED_OUTPUT
 */
export const takeLocks = async (ports: Place): Promise<Locks> => {
  const place = lockPlaceOf(ports);
  const locks = await readLocks(place);
  await completeRegister(place, locks);
  return locks;
};

/** Returns the closed periods that build on books that were written again. */
export const outdatedBehind = async (ports: Place, locks: Locks): Promise<readonly OutdatedPeriod[]> =>
  outdatedPeriods(await publishedPeriods(lockPlaceOf(ports).output, namesOf(locks)));

/** The folder for what does not fit in memory while a run lasts. */
export const partsFolder = ({ state }: Pick<ClosePorts, 'state'>): string => join(state, 'parts');

/** The locks, the exports without what is locked, and what the two say of the same sales. */
export type Reading = {
  readonly locks: Locks;
  readonly exports: Exports;
  readonly late: LateItems;
};

/** Reads all exports, and compares them with the locked periods. */
export const readStage = (run: StageRunner, ports: ClosePorts, locks: Locks): Promise<Reading> =>
  run.stage('extract', async (advanced) => {
    const folder = partsFolder(ports);
    const locked = await lockedIndex(locks);
    const read = await readExports(ports.configuration, { folder, advanced, locked });
    const late = await lateItems(ports, locks, read);
    const value = { locks, late, exports: openOf(read, locks, late) };
    return { value, summary: read.summary };
  });

/** A close under way. */
export type Close = {
  readonly run: StageRunner;
  readonly ports: ClosePorts;
  readonly period: FilingPeriod;
  /** In a recheck: the names of the records without a sale that the published books ask about. */
  readonly asked?: ReadonlySet<string>;
  /** Digest of what it reads but the service; absent where that is not noted. */
  readonly inputs?: string | undefined;
} & Reading;

/** Returns how the files were read that have days of the period. What is late of one is not settled. */
export const readingsIn = ({ exports, period, late }: Close): FileReading[] => {
  const open = new Set(late.corrections.map(({ today }) => today.file));
  const all = [...exports.readings, ...exports.settled];
  return all
    .filter(({ first, last }) => first <= period.last && period.first <= last)
    .map((one) => ({ ...one, isSettled: one.isSettled && !open.has(one.sha256) }));
};

export type Folders = Awaited<ReturnType<typeof foldersOf>>;

/** Returns what folders of earlier closes say. */
export const foldersOf = async ({ ports, period, exports, locks, asked }: Close) => {
  const published = await publishedPeriods(dirname(periodFolder(ports, period)), namesOf(locks));
  const last = await published.of(period.label);
  const { root, entity } = lockPlaceOf(ports);
  const filings = await readFilings(root, entity);
  const earlier = await earlierPeriods(published, ports.configuration, period, filings);
  const asLocked = asked &&
    last && {
      stated: (await last.frame()).filing.flatMap(({ stated = [] }) => stated),
      laterCharges: last.leaves.laterCharges ?? [],
    };
  return {
    /** The folder of the period itself. */
    last,
    gone: last && !last.isLocked ? await goneFiles(last, exports) : [],
    // A recheck takes what was stated when the period was locked.
    earlier: { ...earlier, ...asLocked },
    ledger: await ledgerOf(exports.ledger, published, period),
  };
};

const namesOf = ({ versions }: Locks): ReadonlySet<string> => new Set(versions.map(({ name }) => name));

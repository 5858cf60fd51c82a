import { type Entry, type EntryLine, lineOf, providerIn } from '../evidence/entry.ts';
import { readFrame } from '../evidence/frame.ts';
import type { LateLine } from '../figures/late-line.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { decisionsTakenOver } from '../judge/apply-policy.ts';
import type { Decision } from '../judge/decision.ts';
import { amendmentNumber, type FilingPeriod, isWithin } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { isPosted, lockedEntries } from '../periods/fold.ts';
import type { LockedPeriod, Locks } from '../periods/folders.ts';
import { readKeys } from '../periods/keys.ts';
import {
  correctionsIn,
  decidedEntries,
  frozenIn,
  heldIn,
  type LateItems,
  undecidedIn,
} from '../periods/late.ts';
import type { Statement } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { type Exempted, figuresOfSale } from './compare-sale.ts';
import { recordsOf, reportOfFolder } from './locked.ts';
import type { Close } from './reading.ts';
import type { recordKeeper } from './record.ts';
import { calculationsOf, type SettledBatch, type Settler, settleBatch } from './settle-batch.ts';

/**
 * Yields entries of a locked period as they stay: nothing is asked or sent for them again.
 *
 * @param isReplaced whether something else stands for a sale that was not posted
 */
export async function* frozenEntries(
  period: LockedPeriod,
  isReplaced: (key: string) => boolean,
): AsyncGenerator<Entry> {
  for await (const entry of lockedEntries(period)) {
    if (!isPosted(entry) && isReplaced(entry.sale.key)) continue;
    const { answer, asked, sent, period: _, file, ...kept } = entry;
    yield { ...kept, filed: true };
  }
}

/**
 * Tells of the locked periods in the books of another, in their order, which sales that were not posted have no entry there:
 * those that a locked period or a correction posts, and those that books behind have again.
 */
export const replacedIn = async (
  frozen: readonly LockedPeriod[],
  { periods }: Locks,
  late: LateItems,
  held: readonly Statement[],
): Promise<readonly ((key: string) => boolean)[]> => {
  const keys = await readKeys(periods);
  const known = new Set([...decidedEntries(late), ...held].map(({ sale }) => sale.key));
  const behind = await Promise.all(frozen.map((_, index) => readKeys(frozen.slice(index + 1))));
  return behind.map(
    (later) => (key) => known.has(key) || keys.has(key)?.wasPosted === true || later.has(key) !== undefined,
  );
};

/** What the locked entries in the books of a period, and its corrections, say to all of its books. */
export type FrozenFrame = {
  /** The keys of the records of which the books have a late version. */
  readonly late: readonly string[];
  /** The decisions that an amended version takes over from the one before it. */
  readonly takenOver: readonly Decision[];
  /** The days of the locked periods. */
  readonly days: PeriodReport['lockedDays'];
};

export const frozenFrame = async (
  ports: ClosePorts,
  period: FilingPeriod,
  frozen: readonly LockedPeriod[],
  corrections: readonly Statement[],
): Promise<FrozenFrame> => {
  const late = new Set(corrections.flatMap(({ version }) => version?.of ?? []));
  const takenOver: Decision[] = [];
  for (const { folder } of frozen) {
    for (const key of (await readFrame(folder)).late) late.add(key);
    if (amendmentNumber(period.label) === 0) continue;
    const { exceptions } = await reportOfFolder(ports, folder);
    takenOver.push(...decisionsTakenOver(exceptions, period));
  }
  return { late: [...late].sort(), takenOver, days: frozen.map(({ first, last }) => ({ first, last })) };
};

/** A period with what the exports say, and what is locked and late of it. */
export type ToSettle = Pick<Close, 'ports' | 'period' | 'exports' | 'locks' | 'late'>;

type Keeper = ReturnType<typeof recordKeeper>;

/** What settles the sales of a period, and what takes their entries. */
type Settling = {
  readonly settler: Settler;
  readonly keeper: Keeper;
  readonly withExemptions: (statements: readonly Statement[]) => readonly Exempted[];
  readonly take: (settled: SettledBatch) => Promise<void>;
  readonly add: (entries: readonly EntryLine[]) => Promise<void>;
};

/**
 * Settles what locked periods leave to a period: corrections, what is held of locked days, and the locked entries that its
 * books repeat as they were filed.
 *
 * @returns what late items would change that await a decision
 */
export const settleLocked = async (
  close: ToSettle,
  { settler, keeper, withExemptions, take, add }: Settling,
): Promise<readonly LateLine[]> => {
  const { ports, period, locks, late } = close;
  const frozen = frozenIn(locks, period);
  const held = heldIn(late, locks, period);
  const replaced = await replacedIn(frozen, locks, late, held);
  const added = [...correctionsIn(late, locks, period), ...held];
  for (const [day, statements] of Map.groupBy(added, ({ sale }) => sale.businessDate))
    await take(await settleBatch(settler, { day, sales: withExemptions(statements) }));
  for (const [index, locked] of frozen.entries())
    for await (const entry of frozenEntries(locked, (key) => replaced[index]?.(key) === true)) {
      await takeRecords(close, locked, entry, keeper);
      await add([lineOf(entry)]);
    }
  /** Returns the entries that sales would have that await a decision. They are calculated, and not recorded. */
  const foresee = async (statements: readonly Statement[]): Promise<readonly Entry[]> => {
    const all = withExemptions(statements);
    const posted = all.filter(({ sale }) => postingOf(sale) === 'posted');
    const calculations = new Map(await calculationsOf(settler, posted));
    return all.map((one): Entry => {
      const { sale, version } = one;
      const { row } = calculations.get(sale.key) ?? {};
      const figures = row && figuresOfSale(ports, one, period, row);
      return { sale, ...(version && { version }), ...(figures && { figures }) };
    });
  };
  return undecidedIn(late, locks, period, foresee);
};

/** What the service has of a locked entry is not a stray. */
const takeRecords = async (
  { period }: ToSettle,
  { content }: LockedPeriod,
  entry: Entry,
  { listed }: Keeper,
): Promise<void> => {
  const { businessDate } = entry.sale;
  for (const name of recordsOf(entry, providerIn(content.derivation, entry.sale))) {
    if (isWithin(period, businessDate)) await listed.until(name, businessDate);
    listed.take(name);
  }
};

import { type Entry, type EntryLine, lineOf } from '../evidence/entry.ts';
import type { LateLine } from '../figures/late-line.ts';
import type { doublesByDay } from '../judge/possible-doubles.ts';
import { isWithin } from '../kernel/period.ts';
import type { Statement } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { type Exempted, figuresOfSale } from './compare-sale.ts';
import { frozenEntries, frozenIn, replacedIn } from './frozen.ts';
import { correctionsIn, heldIn, lateNamesakes, undecidedIn } from './late.ts';
import { recordsOf } from './locked.ts';
import type { Close } from './reading.ts';
import type { recordKeeper } from './record.ts';
import { calculationsOf, type SettledBatch, type Settler, settleBatch } from './settle-batch.ts';

/** A period with what the exports say, and what is locked and late of it. */
export type ToSettle = Pick<Close, 'ports' | 'period' | 'exports' | 'locks' | 'late'>;

type Keeper = ReturnType<typeof recordKeeper>;

/** What settles the sales of a period, and what takes their entries. */
type Settling = {
  readonly settler: Settler;
  readonly keeper: Keeper;
  readonly doubles: ReturnType<typeof doublesByDay>;
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
  { settler, keeper, doubles, withExemptions, take, add }: Settling,
): Promise<readonly LateLine[]> => {
  const { ports, period, locks, late } = close;
  const frozen = frozenIn(locks, period);
  const held = heldIn(late, locks, period);
  const replaced = await replacedIn(frozen, locks, late, held);
  const added = [...correctionsIn(late, locks, period), ...held];
  const channels = ports.configuration.channels.map(({ name }) => name);
  for (const orders of await lateNamesakes(locks, added, channels)) doubles.seeLate(orders);
  for (const [day, statements] of Map.groupBy(added, ({ sale }) => sale.businessDate))
    await take(await settleBatch(settler, { day, sales: withExemptions(statements) }));
  for (const [index, locked] of frozen.entries())
    for await (const entry of frozenEntries(locked, (key) => replaced[index]?.(key) === true)) {
      await takeRecords(close, entry, keeper);
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
const takeRecords = async ({ ports, period }: ToSettle, entry: Entry, { listed }: Keeper): Promise<void> => {
  const { businessDate } = entry.sale;
  for (const name of recordsOf(ports, entry)) {
    if (isWithin(period, businessDate)) await listed.until(name, businessDate);
    listed.take(name);
  }
};

import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { providerOf } from '../configuration/parts.ts';
import { acceptTransaction } from '../contract/accept.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import type { NewTransaction, Order, Refund } from '../contract/transaction.ts';
import { askedOfRecord } from '../evidence/stray.ts';
import {
  adjustedRefund,
  adjustmentId,
  adjustmentOf,
  hasValueDifference,
  nextAdjustmentId,
  recordDifferences,
} from '../judge/compare-record.ts';
import type { Asked } from '../judge/finding.ts';
import type { Span } from '../judge/period-totals.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { formatMoney, moneyOfPrice } from '../kernel/money.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { inParallel } from '../runtime/batches.ts';
import type { Sale } from '../sales/sale.ts';
import { serviceId } from '../sales/sale-name.ts';
import { transactionOf } from '../sales/service-records.ts';
import { inLists, listing, type Named, recordName, type Shelf } from './listing.ts';

/** A sale as it is to be recorded. */
export type Wanted = {
  readonly sale: Sale;
  readonly shelf: Shelf;
  readonly sent: NewTransaction;
};

/** What the service has of a sale after all is done, and why it has nothing, or something else. */
export type Recorded = {
  readonly record: Order | Refund | undefined;
  readonly adjustments: readonly Refund[];
  /** `missing` where the service neither takes nor shows it. */
  readonly state: 'held' | 'refused' | 'conflict' | 'missing';
  readonly detail: string;
  /** The question about a record of its number that no export states. */
  readonly inUse?: Asked;
};

const nameOf = ({ shelf, sent }: Wanted): Named => ({ ...shelf, id: sent.transaction.transaction_id });

export const wantedOf = (
  { configuration }: ClosePorts,
  sale: Sale,
  result: TaxResult | undefined,
): Wanted => {
  const provider = providerOf(configuration, sale.channel);
  const transaction = transactionOf(sale, provider, configuration.shipFrom, result);
  const { kind } = sale;
  return {
    sale,
    shelf: { kind, provider },
    sent: { kind, transaction },
  };
};

const NO_COUNTS = {
  created: 0,
  updated: 0,
  adjusted: 0,
  unchanged: 0,
  refused: 0,
  conflicts: 0,
  /** Records of other sales that were deleted, because somebody answered so. */
  deleted: 0,
  /** Records that the service has shown of sales. */
  read: 0,
};
/** A refund is adjusted by so many further ones at most. */
const ADJUSTMENTS_MAX = 20;

/** Whether an export states a sale on a day, although another statement of it counts. */
export type IsStated = (key: string, day: CalendarDate) => boolean;

/** What the keepers of one run have in common. */
type Kept = {
  readonly counts: { -readonly [Name in keyof typeof NO_COUNTS]: number };
  readonly inUse: Set<string>;
};

/**
 * Brings records about: what the service lists is shown and compared, what it does not list is created, an order that
 * differs is updated, and what was written is shown again. Nothing is remembered of earlier runs, and nothing is deleted
 * but by an answer.
 */
export const recordKeeper = (
  ports: ClosePorts,
  period: Span,
  isStated: IsStated,
  { counts, inUse }: Kept = { counts: { ...NO_COUNTS }, inUse: new Set() },
) => {
  const { service } = ports;
  const { ofStated } = decisionIndexOf(ports.configuration);
  const listed = listing(ports, period);
  const lists = inLists(ports);
  const calendar = zoneCalendar(ports.configuration.timeZone);

  const show = async (names: readonly Named[]) => (names.length === 0 ? [] : service.showMany(names));

  /** Returns what became of a record that the service has: what it has of it now, unless it was written or is gone. */
  const settle = async (one: Wanted, record: Order | Refund): Promise<Recorded | 'written' | 'gone'> => {
    const day = calendar.dateAt(record.transaction_date);
    if (day !== one.sale.businessDate && !isStated(one.sale.key, day)) {
      const taken = await takenNumber(one, record, day);
      if (taken !== 'same') return taken;
    }
    return one.sent.kind === 'order' ? settleOrder(one, record) : settleRefund(one, record);
  };

  /** Returns what becomes of a record of a day that no export states for its number: a person answers. */
  const takenNumber = async (
    { shelf, sale }: Wanted,
    record: Order | Refund,
    day: CalendarDate,
  ): Promise<Recorded | 'same' | 'gone'> => {
    const id = record.transaction_id;
    const { kind, provider } = shelf;
    const asked = askedOfRecord({ ...shelf, id, record }, 'number-in-use');
    const answer = ofStated(asked.code, asked.key, asked.stated)?.verdict;
    if (answer === 'same') return 'same';
    if (answer === 'delete') {
      await service.remove(kind, id, { provider });
      counts.deleted += 1;
      return 'gone';
    }
    counts.conflicts += 1;
    inUse.add(asked.stated).add(recordName({ ...shelf, id }));
    const detail = `the service has ${kind} ${id} on ${day} with ${formatMoney(moneyOfPrice(record.sales_tax))} tax, and no export states it on that day, so nothing was sent for ${sale.kind} ${sale.id}`;
    return { ...nothing('conflict', detail), inUse: asked };
  };

  /**
   * Returns why a sale is not created whose number other sales have: the record under the bare number may be its own.
   * It is of the same day, and no sale has taken it.
   */
  const takenBare = async (one: Wanted): Promise<Recorded | undefined> => {
    const { sale, shelf } = one;
    const id = bareNumber(sale);
    if (id === undefined || !listed.has({ ...shelf, id })) return undefined;
    const [record] = await show([{ ...shelf, id }]);
    const day = record && calendar.dateAt(record.transaction_date);
    if (!record || day !== sale.businessDate) return undefined;
    const taken = await takenNumber(one, record, day);
    return typeof taken === 'string' ? undefined : taken;
  };

  const settleOrder = async (one: Wanted, record: Order): Promise<Recorded | 'written'> => {
    const order = acceptTransaction(one.sent);
    const differences = recordDifferences(one.sent, record, []);
    // A missing exemption is a difference in format alone, as a service need not keep it. It gets the exemption once.
    const isAsSent =
      !hasValueDifference(differences) && differences.every(({ field }) => field !== 'exemption_type');
    if (isAsSent) {
      counts.unchanged += 1;
      return held(record);
    }
    const hasLostExemption = order.exemption_type === undefined && record.exemption_type !== null;
    const changes = hasLostExemption ? { ...order, exemption_type: 'non_exempt' as const } : order;
    await service.update('order', order.transaction_id, changes);
    counts.updated += 1;
    return 'written';
  };

  const settleRefund = async (one: Wanted, record: Refund): Promise<Recorded | 'written'> => {
    const sent = acceptTransaction(one.sent);
    const adjustments = await adjustmentsOf(one);
    const differences = recordDifferences(one.sent, record, adjustments).filter(
      ({ kind }) => kind === 'value',
    );
    if (differences.length === 0) {
      counts.unchanged += 1;
      return held(record, adjustments);
    }
    const id = nextAdjustmentId(sent.transaction_id, adjustments);
    const further = adjustmentOf(sent, adjustedRefund(record, adjustments), { id, differences });
    const other = `the service holds this refund with another ${differences.map(({ field }) => field).join(', ')}`;
    const isReviewed = ports.configuration.policy.changedRefunds === 'review';
    if (isReviewed || !further) {
      counts.conflicts += 1;
      const detail = isReviewed ? other : `${other}, which a further refund cannot correct`;
      return { ...held(record, adjustments), state: 'conflict', detail };
    }
    const [outcome] = await service.createMany([{ kind: 'refund', transaction: further }]);
    if (outcome instanceof ServiceRefusal && !isDuplicate(outcome)) throw outcome;
    counts.adjusted += 1;
    const [created] = await show([{ ...one.shelf, id }]);
    return held(record, created ? [...adjustments, created] : adjustments);
  };

  /** The names of the further refunds that may adjust a refund. Their ids follow from its own, and they are of its day. */
  const furtherOf = ({ shelf, sent }: Wanted): readonly Named[] =>
    sent.kind === 'order'
      ? []
      : Array.from({ length: ADJUSTMENTS_MAX }, (_, index) => {
          return { ...shelf, id: adjustmentId(sent.transaction.transaction_id, index + 1) };
        });

  const adjustmentsOf = async (one: Wanted): Promise<readonly Refund[]> =>
    (await show(furtherOf(one).filter(listed.take))).flatMap((record) => record ?? []);

  const settleKnown = async (one: Wanted, record: Order | Refund): ReturnType<typeof settle> => {
    try {
      return await settle(one, record);
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error;
      counts.refused += 1;
      return { ...held(record), state: 'refused', detail: error.message };
    }
  };

  const recordList = async (list: readonly Wanted[]): Promise<readonly Recorded[]> => {
    const known: Wanted[] = [];
    const fresh: Wanted[] = [];
    const written: Wanted[] = [];
    const result = new Map<Wanted, Recorded>();
    for (const one of list) {
      if (listed.take(nameOf(one))) {
        known.push(one);
        continue;
      }
      const taken = await takenBare(one);
      if (taken) result.set(one, taken);
      else fresh.push(one);
    }
    /** Creates records, and returns the sales of those that are there already. */
    const create = async (some: readonly Wanted[]): Promise<readonly Wanted[]> => {
      const outcomes = some.length === 0 ? [] : await service.createMany(some.map(({ sent }) => sent));
      return some.filter((one, index) => {
        const outcome = outcomes[index];
        if (isDuplicate(outcome)) return true;
        if (outcome instanceof ServiceRefusal) {
          counts.refused += 1;
          result.set(one, nothing('refused', outcome.message));
        } else {
          counts.created += 1;
          // What adjusted a refund that was deleted counts with the one that takes its place.
          (furtherOf(one).some(listed.has) ? known : written).push(one);
        }
        return false;
      });
    };
    known.push(...(await create(fresh)));
    const records = await show(known.map(nameOf));
    const settled = await inParallel([...known.entries()], ports.callsAtOnce, async ([index, one]) => {
      const record = records[index];
      return record ? settleKnown(one, record) : MISSING;
    });
    const gone: Wanted[] = [];
    for (const [index, outcome] of settled.entries()) {
      const one = known[index] as Wanted;
      if (outcome === 'written') written.push(one);
      else if (outcome === 'gone') gone.push(one);
      else result.set(one, outcome);
    }
    await create(gone);
    const again = await show(written.map(nameOf));
    for (const [index, one] of written.entries()) {
      const record = again[index];
      result.set(one, record ? held(record) : nothing('missing', ''));
    }
    return list.map((one) => result.get(one) ?? MISSING);
  };

  return {
    listed,
    counts,
    /** Digests and names of the records that sales of their numbers ask about. */
    inUse,
    /** Records the sales of a day, in lists, and returns what became of each. */
    record: async (day: CalendarDate, wanted: readonly Wanted[]): Promise<readonly Recorded[]> => {
      for (const { shelf } of wanted) await listed.until(shelf, day);
      const recorded = await lists(wanted, recordList);
      for (const { record, adjustments } of recorded)
        counts.read += Number(record !== undefined) + adjustments.length;
      return recorded;
    },
  };
};

/** Returns the number of a sale that has its day behind it, because several sales have that number. */
const bareNumber = ({ id, origin }: Sale): string | undefined => {
  const bare = /^(?<bare>.+)-\d{8}(?:-\d+)?$/.exec(id)?.groups?.['bare'];
  return bare === serviceId(origin.record) ? bare : undefined;
};

const held = (record: Order | Refund, adjustments: readonly Refund[] = []): Recorded => ({
  record,
  adjustments,
  state: 'held',
  detail: '',
});

const nothing = (state: Recorded['state'], detail: string): Recorded => ({
  record: undefined,
  adjustments: [],
  state,
  detail,
});

/** A record that the service neither takes nor shows. */
const MISSING = nothing('missing', '');

const DUPLICATE = 422;

/** Whether the service refused to create a record because it already has one with that id. */
export const isDuplicate = (outcome: unknown): boolean =>
  outcome instanceof ServiceRefusal && outcome.status === DUPLICATE;

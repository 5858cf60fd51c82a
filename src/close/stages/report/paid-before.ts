import type { CalendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { add, atLeastZero, lesser, type Money, negate, subtract, sum, ZERO } from '../../../kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import type { GivenBackBeyond } from '../../figures/given-back-beyond.ts';
import type { Remittance } from '../../figures/remittance.ts';
import { closingOf } from '../../periods/closing.ts';
import { lastVersionOf } from '../../periods/last-version.ts';
import type { ReconciledSale } from '../../reconcile/reconciled-sale.ts';
import { orderKeyOf } from '../../reconcile/refund-link.ts';
import { entryOf, standing } from '../../sales/corrections.ts';
import { postingOf, type Sale } from '../../sales/sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { filedByKey } from '../../workspace/filed-pages.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { calculationCache } from '../recompute/calculation-cache.ts';
import { answersTo, nothingDue } from '../recompute/calculations.ts';
import { type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import { refundsBeforeOf } from './refund-links.ts';

/** Which tax is looked for: what was given back beyond what was due, or what was given back less. */
export type Way = {
  readonly isLess: boolean;
  /** Returns what a return paid of it: beyond the tax due, or beyond the tax charged. */
  readonly paid: (of: Remittance) => Money;
};

/** Returns such tax as a positive amount, and the other as a negative one; and back. */
const counted = ({ isLess }: Way, tax: Money): Money => (isLess ? negate(tax) : tax);

type Asked = {
  readonly state: string;
  /** Returns the label of the return of a month. */
  readonly labelOf: (month: FilingPeriod) => Promise<string>;
  readonly beyond: readonly GivenBackBeyond[];
  readonly way: Way;
};

/**
 * Returns what returns before this one paid of the tax that refunds and corrections gave back beyond what was due, or
 * less: of each order, no more than is left of what it was charged too much, or too little; of each return, no more than
 * it paid beyond the tax due, or the tax charged, where it was closed. What was due of an order when it was locked was
 * paid, whatever is due of it by the settings of now.
 */
export const paidBefore = async (ports: ClosePorts, period: FilingPeriod, asked: Asked): Promise<Money> => {
  const { state, labelOf, way } = asked;
  const byMonth = new Map<string, Noted>();
  const note = (day: CalendarDate, tax: Money, asDue = ZERO): void => {
    if (day >= period.first || tax <= ZERO) return;
    const month = day.slice(0, 7);
    byMonth.set(month, withMore(byMonth.get(month), { tax, asDue: lesser(asDue, tax) }));
  };
  const { refunds, orders } = netted(asked);
  for (const { soldOn, tax } of orders) note(soldOn, tax);
  const byOrder = Map.groupBy(refunds, orderKeyOf);
  for (const batch of batchesOf([...byOrder], ORDERS_AT_ONCE))
    for (const { order, left, asDue } of await chargesOf(ports, period, batch, way)) {
      const own = byOrder.get(order.key) ?? [];
      const tax = lesser(left, sum(own.map((each) => atLeastZero(counted(way, each.tax)))));
      note(order.businessDate, tax, asDue);
    }
  const byReturn = new Map<string, Noted>();
  for (const [name, tax] of byMonth) {
    const month = parsePeriod(name);
    if (!month) throw new DefectError(`${name} is not a month`);
    const label = await labelOf(month);
    byReturn.set(label, withMore(byReturn.get(label), tax));
  }
  const amounts: Money[] = [];
  for (const [label, { tax, asDue }] of byReturn) {
    const version = await lastVersionOf(ports.workspace, { label });
    const closed = (await closingOf(ports.workspace, version))?.report.remittances;
    const own = closed?.find((each) => each.state === state && each.kind === 'state');
    const paid = own ? add(asDue, lesser(subtract(tax, asDue), atLeastZero(way.paid(own)))) : ZERO;
    amounts.push(closed ? paid : tax);
  }
  return sum(amounts);
};

/** Tax that is looked for, and the part of it that was due when its return was locked and is not due now. */
type Noted = { readonly tax: Money; readonly asDue: Money };

const withMore = (known: Noted | undefined, { tax, asDue }: Noted): Noted => ({
  tax: add(known?.tax ?? ZERO, tax),
  asDue: add(known?.asDue ?? ZERO, asDue),
});

const ORDERS_AT_ONCE = 1_000;

/**
 * Returns the refunds, and the days of the orders that were taken back with what was given back of them. A correction
 * takes the filed record back and puts a new version beside it: only what is between the two is given back, or all of the
 * new version where the books have the filed refund, too. Of several corrections of one record, the first takes back what
 * was filed before, and the last one stands.
 */
const netted = ({ beyond, way }: Asked) => {
  const refunds: GivenBackBeyond[] = [];
  const orders: { readonly soldOn: CalendarDate; readonly tax: Money }[] = [];
  for (const [key, versions] of Map.groupBy(beyond, (each) => each.correction?.corrects ?? each.key)) {
    if (versions.some(({ correction }) => correction === undefined)) {
      refunds.push(...standingOf(versions));
      continue;
    }
    const net = counted(way, sum(versions.map(({ tax }) => tax)));
    const isOrder = nameOfKey(key).kind === 'order';
    const own = isOrder ? firstReversal(versions) : standingOf(versions)[0];
    if (!own) continue;
    const tax = atLeastZero(lesser(net, counted(way, own.tax)));
    const soldOn = own.correction?.soldOn;
    if (!isOrder) refunds.push({ ...own, tax: counted(way, tax) });
    else if (soldOn !== undefined) orders.push({ soldOn, tax });
  }
  return { refunds, orders };
};

const asEntries = (versions: readonly GivenBackBeyond[]) =>
  versions.map((each) => ({ ...each, ...entryOf(nameOfKey(each.key), each.correction?.corrects ?? '') }));

/** Returns what none of the reversals among the versions of a refund takes back. */
const standingOf = (versions: readonly GivenBackBeyond[]): readonly GivenBackBeyond[] =>
  standing(asEntries(versions));

/**
 * Returns what takes back the version of an order that was filed before. Pages do not have corrections by number. If the
 * order was filed right, taking it back left nothing to list, and a later reversal takes back a correction of this period.
 */
const firstReversal = (versions: readonly GivenBackBeyond[]): GivenBackBeyond | undefined => {
  const entries = asEntries(versions);
  const first = Math.min(...entries.map(({ number }) => number));
  return entries.find(({ isReversal, number }) => isReversal && number === first);
};

/** An order, and what refunds before the period left of what it was charged too much or too little. */
type Charge = {
  readonly order: Sale;
  readonly left: Money;
  /** What was due of it when it was locked, beyond what is due now. */
  readonly asDue: Money;
};

const chargesOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  batch: readonly (readonly [string, readonly GivenBackBeyond[]])[],
  way: Way,
): Promise<readonly Charge[]> => {
  const sales = await salesByKey(
    ports.workspace,
    batch.map(([key]) => key),
  );
  const wasDue = await dueAsFiled(ports.workspace, sales.keys());
  const owed = batch.flatMap(([key, [refund]]): readonly Sale[] => {
    const order = sales.get(key);
    const isFiledBefore = order && order.businessDate < period.first && postingOf(order) === 'posted';
    const asRefunded = isFiledBefore && refund && { ...order, exemptionType: refund.exemptionType };
    if (!asRefunded) return [];
    const reason = nothingDue(ports, asRefunded);
    return reason === undefined || (reason === 'no registration' && wasDue.has(key)) ? [asRefunded] : [];
  });
  const before = await refundsLike(ports, period, owed);
  // A remote service has answered these requests already, and is not asked for more.
  const budget = isEmbedded(ports) ? Number.MAX_SAFE_INTEGER : 0;
  const calls = { cache: calculationCache(ports, () => {}), asked: 0, left: budget };
  const isCalculated = (sale: Sale): boolean => nothingDue(ports, sale) === undefined;
  const answers = await answersTo(ports, [...owed, ...before.values()].flat().filter(isCalculated), calls);
  const dueOf = (sale: Sale): Money => {
    if (!isCalculated(sale)) return ZERO;
    const answer = answers.get(sale)?.answer;
    return answer && 'amount_to_collect' in answer ? answer.amount_to_collect : sale.salesTax;
  };
  const beyondOf = (sale: Sale): Money => subtract(sale.salesTax, dueOf(sale));
  const countedOf = (sale: Sale): Money => atLeastZero(counted(way, beyondOf(sale)));
  return owed.map((order) => {
    const refunds = before.get(order.key) ?? [];
    return {
      order,
      left: atLeastZero(subtract(countedOf(order), sum(refunds.map(countedOf)))),
      asDue: way.isLess ? ZERO : atLeastZero(subtract(wasDue.get(order.key) ?? ZERO, dueOf(order))),
    };
  });
};

/** Returns the tax that was due of the orders that are locked, where some was. */
const dueAsFiled = async (
  workspace: Workspace,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, Money>> => {
  const due = new Map<string, Money>();
  for (const [key, { figures }] of await filedByKey(workspace, keys)) {
    const { expected } = figures === null ? NOT_POSTED : (JSON.parse(figures) as ReconciledSale);
    if (expected !== null && expected > ZERO) due.set(key, expected);
  }
  return due;
};

const NOT_POSTED = { expected: null };

/** Returns the refunds of orders before the period, with the exemptions of the orders, by their keys. */
const refundsLike = async (
  { workspace }: ClosePorts,
  period: FilingPeriod,
  orders: readonly Sale[],
): Promise<ReadonlyMap<string, readonly Sale[]>> => {
  const exemptions = new Map(orders.map(({ key, exemptionType }) => [key, exemptionType]));
  const refunds = await refundsBeforeOf(workspace, period, [...exemptions.keys()]);
  return new Map(
    [...refunds].map(([key, own]) => [
      key,
      own.map((refund) => ({ ...refund, exemptionType: exemptions.get(key) ?? null })),
    ]),
  );
};

import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { refundedOrderOf } from '../judge/refund-link.ts';
import { add, sum, ZERO } from '../kernel/money.ts';
import { compareKeys } from '../kernel/text.ts';
import { utcDateOfOrder, withItsPart, withRefundedParts } from '../sales/refunded-part.ts';
import { type CountedRepayment, refundsOf, refundWithoutOrder, repaymentsBeside } from '../sales/refunds.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { nameInChannel, nameOfKey, saleKey } from '../sales/sale-name.ts';
import type { ChannelLoad } from './open-export.ts';
import { type ChannelReading, statementOf } from './read-channel.ts';
import { tellsRefunds } from './read-file.ts';
import { addSale, replaceSale, type StatedSale, type Stores, salesWith } from './read-stores.ts';
import type { RefundedOrderOf } from './shapes.ts';

/** Refunds in the order in which they were paid. */
const asPaid = (one: StatedSale, other: StatedSale): number =>
  one.sale.instant - other.sale.instant || compareKeys(one.key, other.key);

/** Yields the refunds with rows of their own of a channel, day by day. */
function* refundsWithRows(stores: Stores, channel: string): Generator<StatedSale> {
  if (!stores.refunding.has(channel)) return;
  const beginning = saleKey(channel, 'refund', '');
  for (const day of stores.sales.days()) {
    const found = stores.sales.find(day, (key) => key.startsWith(beginning));
    yield* found.filter(({ at, sale }) => at !== undefined && sale.reference !== null);
  }
}

/** Links the refunds of orders in several parts to the part that each gives back; holds those of which it is not known. */
export const findRefundedParts = ({ stores, channel, parts }: ChannelReading): void => {
  if (parts.size === 0) return;
  for (const refund of refundsWithRows(stores, channel.name)) {
    const keys = parts.get(orderKeyOf(refund));
    if (!keys) continue;
    const own = Array.from(salesWith(stores, keys), ({ sale }) => sale);
    own.sort((one, other) => one.instant - other.instant);
    replaceSale(stores, refund, withItsPart(refund.sale, own));
  }
};

/** Returns the key of the order that a refund names. */
const orderKeyOf = ({ sale: { channel, reference } }: StatedSale): string =>
  saleKey(channel, 'order', reference ?? '');

/** What the refunds of a channel are completed with. */
type Completing = {
  readonly reading: ChannelReading;
  /** Names of files whose orders do not state what was refunded. */
  readonly silent: ReadonlySet<string>;
  /** The orders that refunds name, by key. */
  readonly refunded: Map<string, RefundedOrderOf>;
};

/**
 * Completes the refunds of a channel with what their orders know, and derives those that have no rows of their own from
 * orders and repayments, a day of orders after the other.
 */
export const completeRefunds = async (
  reading: ChannelReading,
  refunded: Completing['refunded'],
): Promise<void> => {
  const { stores, files } = reading;
  const channel = reading.channel.name;
  const silent = new Set(
    files.flatMap(({ source, open }) => (tellsRefunds(open.profile, open.header) ? [] : source.name)),
  );
  const completing = { reading, silent, refunded };
  const refunds = stores.refunds();
  const days = new Map<string, Set<string>>();
  const want = (order: string): string => {
    const seen = stores.keys.get(order);
    const day = seen?.isSale ? seen.day : '';
    days.set(day, (days.get(day) ?? new Set()).add(order));
    return day;
  };
  for (const refund of refundsWithRows(stores, channel)) {
    const order = orderKeyOf(refund);
    refunds.add(want(order), { key: refund.key, order, refund });
  }
  const ofChannel = saleKey(channel, 'order', '');
  for (const key of stores.refundable) if (key.startsWith(ofChannel)) want(key);
  for (const id of reading.repayments.keys()) want(saleKey(channel, 'order', id));
  for (const [day, wanted] of days) {
    const ofOrders = Map.groupBy(refunds.take(day), ({ order }) => order);
    const orders = new Map(
      stores.sales.find(day, (key) => wanted.has(key)).map((order) => [order.key, order]),
    );
    const absent = [...wanted].filter((key) => !orders.has(key) && stores.locked.has(key));
    const locked = await stores.locked.named(new Set(absent));
    for (const key of wanted) {
      const own = (ofOrders.get(key) ?? []).map(({ refund }) => refund);
      const order = orders.get(key);
      const known = order ?? locked.get(key)?.find((record) => record.key === key);
      completeOrder(completing, { key, order, sale: known?.sale, refunds: own.sort(asPaid) });
    }
  }
  refunds.end();
};

type OneOrder = {
  readonly key: string;
  readonly order: StatedSale | undefined;
  /** The order as today's exports or, failing that, a locked folder has it. */
  readonly sale: Sale | undefined;
  readonly refunds: readonly StatedSale[];
};

const completeOrder = (completing: Completing, one: OneOrder): void => {
  const { reading, refunded } = completing;
  const { stores, sorted } = reading;
  const { key, order, sale, refunds } = one;
  const own = refunds.map((refund) => refund.sale);
  const completed = sale ? withOrder(own, sale) : own;
  if (sale)
    for (const [index, refund] of refunds.entries()) replaceSale(stores, refund, completed[index] as Sale);
  const derived = derivedRefunds(completing, one);
  const files = [...sorted.companions, ...sorted.sources];
  for (const refund of derived) {
    const file = files.find(({ name }) => name === refund.origin.file)?.sha256 ?? order?.file ?? '';
    const identity = { created: refund.instant };
    const stated = { ...statementOf(refund, file), identity };
    addSale(stores, { ...stated, refunded: ZERO, controls: [], at: undefined });
  }
  const all = [...completed, ...derived];
  if (all.length === 0) return;
  refunded.set(key, {
    order: sale && refundedOrderOf(sale),
    refunds: all
      .filter((refund) => postingOf(refund) === 'posted')
      .map(({ id, businessDate, amount, salesTax }) => ({ id, businessDate, amount, salesTax })),
  });
};

/**
 * Returns the refunds of an order that have no rows of their own. An order that does not state refunds, or that only a
 * locked folder has, may be older than its repayments: then these decide what was refunded, unless refunds with rows of
 * their own say otherwise.
 */
const derivedRefunds = (
  { reading, silent }: Completing,
  { key, order, sale, refunds }: OneOrder,
): readonly Sale[] => {
  const { id, channel } = nameOfKey(key);
  const { calendar } = reading;
  const dates = [...(reading.repayments.get(id)?.values() ?? [])].sort(inTime);
  const own = refunds.toSorted((one, other) => compareKeys(one.key, other.key));
  const seen = repaymentsBeside(
    dates,
    own.map((refund) => refund.sale),
  );
  if (!sale)
    return seen.repayments.map((date, index) => refundWithoutOrder(channel, date, index + 1, calendar));
  const told = add(order?.refunded ?? ZERO, seen.unpaid);
  const datesDecide = !order || silent.has(sale.origin.file);
  const paidBack = sum(seen.repayments.map(({ amount }) => amount));
  const amount = datesDecide && seen.unpaid === ZERO && paidBack > told ? paidBack : told;
  return refundsOf({ sale, refunded: amount }, seen.repayments, calendar, undividedIn(reading));
};

const inTime = (one: CountedRepayment, other: CountedRepayment): number =>
  one.instant - other.instant || one.amount - other.amount || one.copy - other.copy;

/** Returns the refunds of an order, in the order in which they were paid, completed with what it knows. */
const withOrder = (refunds: readonly Sale[], order: Sale): readonly Sale[] => {
  const own = refunds.map(({ partOf: _, orderUtcDate: __, ...refund }): Sale => {
    const { state, zip, city } = refund.shipTo;
    const isNowhere = [state, zip, city].every((part) => part === '');
    const isMarketplace = [refund, order].some(({ exemptionType }) => exemptionType === 'marketplace');
    return {
      ...refund,
      // If a source states the tax date separately from the day of the refund, that date takes precedence.
      taxDate: refund.taxDate === refund.businessDate ? order.taxDate : refund.taxDate,
      shipTo: isNowhere ? order.shipTo : refund.shipTo,
      customerId: order.customerId ?? refund.customerId,
      // A refund takes the exemption of its order, whatever its own row says, but for marketplace sales.
      exemptionType: isMarketplace ? refund.exemptionType : order.exemptionType,
      ...utcDateOfOrder(order),
    };
  });
  return withRefundedParts(own, order);
};

/**
 * Returns how a refund that is not split is treated: as the policy says, or prorated if a person decided so for this
 * one.
 */
const undividedIn = ({
  configuration,
}: Pick<ChannelLoad, 'configuration'>): Parameters<typeof refundsOf>[3] => {
  const { policy } = configuration;
  const decisions = decisionIndexOf(configuration);
  return ({ channel, id, businessDate }) => {
    const found = decisions.ofRecord([id, nameInChannel(channel, id)], ['refund-not-split'], businessDate);
    return found.some(({ verdict }) => verdict === 'split') ? 'prorate' : policy.undividedRefunds;
  };
};

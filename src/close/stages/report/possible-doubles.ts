import type { FilingPeriod } from '../../../kernel/period.ts';
import { batches, batchesOf } from '../../../runtime/batches.ts';
import type { InputFile } from '../../figures/period-report.ts';
import { lateSalesOf } from '../../period-sales/sales-of.ts';
import { alikeExceptions, type alikeOrders, sameBuyers } from '../../reconcile/alike-orders.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { type DoubleGatherer, doubleGatherer, type Namesakes } from '../../reconcile/possible-doubles.ts';
import { entryOf } from '../../sales/corrections.ts';
import { postingOf, type Sale } from '../../sales/sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { locksOf } from '../../workspace/locks.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { openKeys, zeroLedKeys } from '../../workspace/sale-index.ts';
import { beginning, compareKeys } from '../../workspace/sale-key.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Returns exceptions for channels whose orders of the period may be the same. Only numbers that two channels have on one
 * day are looked up, and in one channel those that may have lost leading zeros. Copies of one file are left out, since they have an exception of their own.
 */
export const possibleDoubles = async (
  { workspace, configuration }: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
  { inputs, alike }: { readonly inputs: readonly InputFile[]; readonly alike: AlikeOrders },
): Promise<readonly DraftException[]> => {
  const channels = configuration.channels.map(({ name }) => name);
  const locks = await locksOf(workspace);
  const doubles = await zeroLostIn(workspace, period, locks.length > 0, channels);
  if (channels.length < 2) return doubles.exceptions(period);
  const contents = new Map(inputs.map(({ channel, path, sha256 }) => [`${channel}/${path}`, sha256]));
  const contentOf = ({ channel, origin }: Sale): string | undefined =>
    contents.get(`${channel}/${origin.file}`);
  const isOfOneContent = (one: Sale, other: Sale): boolean =>
    contentOf(one) !== undefined && contentOf(one) === contentOf(other);
  const addPair = (one: Sale, other: Sale): void => {
    if (!isOfOneContent(one, other)) doubles.add([one, other]);
  };
  for await (const batch of batches(
    namesakesOf(workspace, period, locks.length > 0, channels),
    NAMESAKES_AT_ONCE,
  )) {
    const sales = await salesByKey(workspace, batch.flat());
    for (const keys of batch) {
      const namesakes = keys.flatMap((key) => sales.get(key) ?? []);
      namesakes.forEach((one, index) => {
        for (const other of namesakes.slice(index + 1)) addPair(one, other);
      });
    }
  }
  const seen = new Set<string>();
  for await (const page of lateSalesOf(workspace, period, locks)) {
    for (const [order, others] of await namesakesOfLate(workspace, page, channels)) {
      // Two late orders are a pair once.
      for (const other of others.filter(({ key }) => !seen.has(key)))
        if (compareKeys(order.key, other.key) < 0) addPair(order, other);
        else addPair(other, order);
      seen.add(order.key);
    }
  }
  const sameNumbers = doubles.exceptions(period);
  const buyers = await sameBuyersOf(workspace, alike);
  const sameOrders = alikeExceptions(
    buyers.filter(([one, other]) => !isOfOneContent(one, other)),
    alike.counts,
    period,
  );
  const asked = new Set(sameNumbers.map(({ origin }) => origin.record));
  return [...sameNumbers, ...sameOrders.filter(({ origin }) => !asked.has(origin.record))];
};

/**
 * Gathers orders of one channel of which one has the number of the other without its leading zeros, on one day and from
 * another file: a spreadsheet removes them when it saves an export.
 */
const zeroLostIn = async (
  workspace: Workspace,
  period: FilingPeriod,
  hasLocks: boolean,
  channels: readonly string[],
): Promise<DoubleGatherer> => {
  const doubles = doubleGatherer();
  for (const channel of channels)
    for await (const page of zeroLedKeys(workspace, period, hasLocks, channel))
      for (const keys of batchesOf(
        page.map(({ key }) => key),
        NAMESAKES_AT_ONCE,
      )) {
        const bareOf = new Map(keys.map((key) => [key, withoutZeros(key)]));
        const bares = await salesByKey(workspace, [...bareOf.values()]);
        const found = keys.filter((key) => bares.has(bareOf.get(key) ?? ''));
        const sales = await salesByKey(workspace, found);
        for (const key of found) {
          const [one, other] = [sales.get(key), bares.get(bareOf.get(key) ?? '')];
          if (one && other && isCopy(one, other)) doubles.add([one, other]);
        }
      }
  return doubles;
};

const withoutZeros = (key: string): string => {
  const { channel, kind, id } = nameOfKey(key);
  return `${beginning(channel, kind)}${id.replace(/^0+(?=\d+$)/, '')}`;
};

const isCopy = (one: Sale, other: Sale): boolean =>
  one.origin.file !== other.origin.file &&
  one.businessDate === other.businessDate &&
  postingOf(other) === 'posted';

type AlikeOrders = ReturnType<ReturnType<typeof alikeOrders>['found']>;

const sameBuyersOf = async (workspace: Workspace, { groups }: AlikeOrders): Promise<readonly Namesakes[]> => {
  const pairs: Namesakes[] = [];
  for (const batch of batchesOf(groups, GROUPS_AT_ONCE)) {
    const sales = await salesByKey(
      workspace,
      batch.flat().map(({ key }) => key),
    );
    for (const group of batch) pairs.push(...sameBuyers(group.flatMap(({ key }) => sales.get(key) ?? [])));
  }
  return pairs;
};

/** Groups are small as a rule. */
const GROUPS_AT_ONCE = 100;

/** Returns each late order of a page, and the orders of other channels with its number and day, filed or not. */
const namesakesOfLate = async (
  workspace: Workspace,
  { sales }: Pick<SalesPage, 'sales'>,
  channels: readonly string[],
): Promise<readonly (readonly [order: Sale, others: readonly Sale[]])[]> => {
  const orders = sales.flatMap(({ sale, late }) =>
    sale.kind === 'order' && late && !entryOf(sale, late.corrects).isReversal ? [sale] : [],
  );
  const keysOf = ({ channel, kind, id }: Sale): readonly string[] =>
    channels.filter((name) => name !== channel).map((name) => `${beginning(name, kind)}${id}`);
  const others = await salesByKey(workspace, orders.flatMap(keysOf));
  return orders.map((order) => [
    order,
    keysOf(order)
      .flatMap((key) => others.get(key) ?? [])
      .filter(({ businessDate }) => businessDate === order.businessDate),
  ]);
};

const NAMESAKES_AT_ONCE = 1_000;

/** Yields the keys of posted orders of different channels that have one number on one day. */
async function* namesakesOf(
  workspace: Workspace,
  period: FilingPeriod,
  hasLocks: boolean,
  channels: readonly string[],
): AsyncGenerator<readonly string[]> {
  let day = '';
  let keysOf = new Map<string, string[]>();
  const several = (): readonly string[][] => [...keysOf.values()].filter(({ length }) => length > 1);
  for await (const page of openKeys(workspace, period, hasLocks, { channels, kind: 'order' })) {
    for (const { key, business_date } of page) {
      if (business_date !== day) {
        yield* several();
        day = business_date;
        keysOf = new Map();
      }
      const { id } = nameOfKey(key);
      keysOf.set(id, [...(keysOf.get(id) ?? []), key]);
    }
  }
  yield* several();
}

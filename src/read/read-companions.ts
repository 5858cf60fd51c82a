import type { SaleFinding } from '../close/sales/sale.ts';
import { nameOfKey, saleKey } from '../close/sales/sale-name.ts';
import { reportOf, withReport } from '../close/sales/tax-report.ts';
import { compareKeys } from '../kernel/text.ts';
import { type LoadedCompanion, readCompanionFile } from './load-companion.ts';
import type { DayStore } from './partitions.ts';
import { addRepayment, type ChannelReading, type Repayments } from './read-channel.ts';
import type { ReadFile } from './read-file.ts';
import { addAside, replaceSale, type SaidOfOrder, type StatedSale, statedDigest } from './read-stores.ts';
import { orderAt } from './settle-numbers.ts';
import { isStateFee } from './state-law.ts';
import { reportTally } from './use-tax-reports.ts';

/** The companion files of a channel, with what they say of repayments; taxes are applied to the orders. */
export type Companions = {
  readonly files: readonly { readonly read: ReadFile; readonly outcomes: LoadedCompanion['outcomes'] }[];
  readonly repayments: Repayments;
  readonly haveDates: boolean;
};

/** Reads the companion files of a channel. Its sales are known, so that what is said of an order lies by its day. */
export const readCompanions = async (reading: ChannelReading): Promise<Companions> => {
  const { stores, load, sorted } = reading;
  const channel = load.channel.name;
  const repayments: Repayments = new Map();
  const taxes = stores.besides(`taxes of ${stores.files.length} files`);
  const loaded: LoadedCompanion[] = [];
  for (const file of sorted.companions)
    loaded.push(
      await readCompanionFile(load, file, async (batch) => {
        for (const date of batch.dates) addRepayment(repayments, ofItsOrder(reading, date));
        for (const reported of batch.taxes) {
          const order = saleKey(channel, 'order', reported.order);
          const { file: name, line } = reported.origin;
          taxes.add(dayOfOrder(reading, order), { key: `${name}:${line}`, order, reported });
        }
        for (const { aside, controls } of batch.asides)
          addAside(stores, { channel, aside, record: '', controls, at: undefined });
      }),
    );
  for (const [order, rows] of reading.repayments)
    for (const [identity, repayment] of rows) {
      const own = repayments.get(order) ?? new Map();
      repayments.set(order, own.set(identity, repayment));
    }
  const report = loaded.find(({ kind }) => kind === 'tax-report');
  const compared = report ? useTaxes(reading, taxes) : [];
  taxes.end();
  const files = loaded.map((one) => {
    const notices = [...one.file.notices, ...(one === report ? compared : [])];
    return { read: { ...one.file, notices }, outcomes: one.outcomes };
  });
  return { files, repayments, haveDates: loaded.some(({ kind }) => kind === 'refund-dates') };
};

/** Returns a repayment with the order that it is of, where several have its number. */
const ofItsOrder = <Repayment extends Parameters<typeof addRepayment>[1]>(
  { numbers }: ChannelReading,
  repayment: Repayment,
): Repayment => {
  const { order, instant } = repayment;
  const records = numbers.get(order);
  return records ? { ...repayment, order: orderAt(order, records, instant) } : repayment;
};

const dayOfOrder = ({ stores }: ChannelReading, key: string): string => {
  const seen = stores.keys.get(key);
  return seen?.isSale ? seen.day : '';
};

/** Adds the taxes by jurisdiction of tax reports to their orders, and compares the two. */
const useTaxes = ({ stores }: ChannelReading, taxes: DayStore<SaidOfOrder>): readonly SaleFinding[] => {
  const tally = reportTally();
  for (const day of taxes.days()) {
    const byOrder = Map.groupBy(taxes.take(day), ({ order }) => order);
    const orders = new Map<string, StatedSale>();
    for (const found of stores.sales.find(day, (key) => byOrder.has(key))) orders.set(found.key, found);
    for (const [key, items] of byOrder) {
      const rows = items.flatMap((item) => ('reported' in item ? item.reported : []));
      rows.sort(
        (one, other) =>
          compareKeys(one.origin.file, other.origin.file) || one.origin.line - other.origin.line,
      );
      const report = reportOf(rows);
      const found = orders.get(key);
      const used = found && withReport({ order: found.sale, refunded: found.refunded }, report, isStateFee);
      tally.reported(nameOfKey(key).id, report, used && { ...used, before: found.sale });
      if (used) replaceSale(stores, found, used.order, statedDigest(used.order));
    }
  }
  return tally.notices();
};

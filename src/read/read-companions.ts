import { readCompanion } from '../sales/companion-rows.ts';
import { isCompanionProfile } from '../sales/load-profiles.ts';
import { addRepayment, type CountedRepayment, type Repayments, repaymentCounter } from '../sales/refunds.ts';
import { columnMeter, fileTally, type OutcomeFigures } from './control-figures.ts';
import { noRowsNotice } from './file-notes.ts';
import { detected } from './open-export.ts';
import type { ChannelReading } from './read-channel.ts';
import { type ReadFile, readFile } from './read-file.ts';
import { addAside } from './read-stores.ts';
import { orderAt } from './settle-numbers.ts';
import type { SourceFile } from './source-file.ts';

/** The companion files of a channel, with the repayments that they and the orders tell. */
export type Companions = {
  readonly files: readonly CompanionFile[];
  readonly repayments: Repayments;
};

type CompanionFile = { readonly read: ReadFile; readonly outcomes: OutcomeFigures };

/** Reads the companion files of a channel. Its sales are known. */
export const readCompanions = async (reading: ChannelReading): Promise<Companions> => {
  const repayments: Repayments = new Map();
  const files: CompanionFile[] = [];
  for (const file of reading.sorted.companions) files.push(await readFileOf(reading, file, repayments));
  for (const [order, rows] of reading.repayments)
    for (const [identity, repayment] of rows) {
      const own = repayments.get(order) ?? new Map();
      repayments.set(order, own.set(identity, repayment));
    }
  return { files, repayments };
};

/** Returns a repayment with the order that it is of, where several have its number. */
const ofItsOrder = ({ numbers }: ChannelReading, repayment: CountedRepayment): CountedRepayment => {
  const { order, instant } = repayment;
  const records = numbers.get(order);
  return records ? { ...repayment, order: orderAt(order, records, instant) } : repayment;
};

/** Reads a companion file. Rows that cannot be read are set aside. */
const readFileOf = async (
  reading: ChannelReading,
  file: SourceFile,
  repayments: Repayments,
): Promise<CompanionFile> => {
  const { stores, load } = reading;
  const found = await detected(load, file, isCompanionProfile);
  const { profile, header, notices } = found;
  const { configuration, channel } = load;
  const zones = {
    timeZone: configuration.timeZone,
    channelZone: channel.timeZone ?? configuration.timeZone,
    statedZone: channel.timeZone,
  };
  const { amount } = profile.map;
  const controls = typeof amount === 'string' ? [amount] : [];
  const meter = columnMeter({ place: file.place, header, profile, controls });
  const tally = fileTally(meter.columns.length, file.place);
  const counted = repaymentCounter();
  const repaired = load.repaired.places.get(file.sha256);
  for await (const read of readCompanion(file, found, profile, zones)) {
    const { row, kind } = read;
    meter.pass(row);
    const own = meter.of([row]);
    const isRepaired = repaired?.has(row.line) ?? false;
    tally.count(isRepaired ? 'ignored' : kind, own, 1);
    if (isRepaired || kind === 'ignored') continue;
    if (kind === 'accepted') addRepayment(repayments, ofItsOrder(reading, counted(read.repayment)));
    else
      addAside(stores, {
        channel: channel.name,
        aside: read.aside,
        record: '',
        controls: own,
        at: undefined,
      });
  }
  const passed = { columns: meter.columns, ...meter.passed() };
  const all = [...notices, ...noRowsNotice(passed.whole.rows)];
  return { read: readFile(file, found, passed, all), outcomes: tally.outcomes() };
};

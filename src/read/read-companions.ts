import type { Origin } from '../kernel/finding.ts';
import { columnsOfText } from '../sales/expression.ts';
import { isCompanionProfile } from '../sales/load-profiles.ts';
import { repaymentReader } from '../sales/packed-lines.ts';
import type { CompanionProfile } from '../sales/profile.ts';
import { addRepayment, type CountedRepayment, type Repayments, repaymentCounter } from '../sales/refunds.ts';
import { isProblem, rowReader } from '../sales/row-reader.ts';
import type { SaleFinding } from '../sales/sale.ts';
import { isMangled, serviceId } from '../sales/sale-name.ts';
import { miscounted, rowByRow, type TableRow } from '../sales/table-row.ts';
import { columnMeter, fileTally } from './control-figures.ts';
import { noRowsNotice } from './file-notes.ts';
import { detected } from './open-export.ts';
import type { ChannelReading } from './read-channel.ts';
import { readFile, type SourceFileRow } from './read-file.ts';
import { lastCreatedBefore } from './read-refunds.ts';
import { addAside } from './read-stores.ts';
import type { SourceFile } from './source-file.ts';

/** The companion files of a channel, with the repayments that they and the orders tell. */
export type Companions = Awaited<ReturnType<typeof readCompanions>>;

/** Reads the companion files of a channel. Its sales are known. */
export const readCompanions = async (reading: ChannelReading) => {
  const repayments: Repayments = new Map();
  const files: SourceFileRow[] = [];
  for (const file of reading.sorted.companions) files.push(await readFileOf(reading, file, repayments));
  for (const [order, rows] of reading.repayments)
    for (const [identity, repayment] of rows) {
      const own = repayments.get(order) ?? new Map();
      repayments.set(order, own.set(identity, repayment));
    }
  return { files, repayments };
};

/** Returns a repayment with the order that it is of, where several have its number. */
const ofItsOrder = (numbers: ChannelReading['numbers'], repayment: CountedRepayment): CountedRepayment => {
  const { order, instant } = repayment;
  const records = numbers.get(order);
  if (!records) return repayment;
  return { ...repayment, order: lastCreatedBefore(records, instant)?.id ?? `${order}-unclear` };
};

/** Reads a companion file. Rows that cannot be read are set aside. */
const readFileOf = async (
  { stores, load, numbers }: ChannelReading,
  file: SourceFile,
  repayments: Repayments,
): Promise<SourceFileRow> => {
  const found = await detected(load, file, isCompanionProfile);
  const { profile, header, notices } = found;
  const { configuration, channel } = load;
  const cells = rowReader(header, { ...profile.file, money: profile.locale });
  const tests = profile.rows.map(cells.holds);
  const nameOf = cells.text(profile.map.order);
  const dateRule = { amount: profile.map.amount, date: profile.locale.date };
  const repaymentOf = repaymentReader(dateRule, cells, {
    timeZone: configuration.timeZone,
    channelZone: channel.timeZone ?? configuration.timeZone,
    statedZone: channel.timeZone,
  });
  const { amount } = profile.map;
  const controls = typeof amount === 'string' ? [amount] : [];
  const meter = columnMeter({ place: file.place, header, profile, controls });
  const tally = fileTally(meter.columns.length, file.place);
  const counted = repaymentCounter();
  const repaired = load.repaired.places.get(file.sha256);
  /** Reads a row that passes the tests: adds its repayment, or returns the reason why it cannot be read. */
  const problemOf = (row: TableRow, origin: Origin): SaleFinding | undefined => {
    if (row.cells.length !== header.length) return miscounted(row, header.length);
    const repayment = repaymentOf(row);
    if (isProblem(repayment)) {
      const { column, value, problem } = repayment;
      return { code: 'bad-cell', message: `"${value}" ${problem}`, column };
    }
    const problem = nameProblem(origin.record, profile);
    if (problem) return problem;
    addRepayment(
      repayments,
      ofItsOrder(numbers, counted({ ...repayment, order: serviceId(origin.record), origin })),
    );
    return undefined;
  };
  for await (const row of rowByRow(found.rows())) {
    meter.pass(row);
    const own = meter.of([row]);
    const isUsed = !repaired?.has(row.line) && !found.framingOf(row) && tests.every((test) => test(row));
    const origin = { file: file.name, line: row.line, record: nameOf(row) };
    const reason = isUsed ? problemOf(row, origin) : undefined;
    tally.count(reason ? 'rejected' : isUsed ? 'accepted' : 'ignored', own, 1);
    if (!reason) continue;
    const aside = { outcome: 'rejected', origin, rows: [row], reason, businessDate: null } as const;
    addAside(stores, { channel: channel.name, aside, record: '', controls: own, at: undefined });
  }
  const passed = meter.passed();
  const all = [...notices, ...noRowsNotice(passed.whole.rows)];
  return { ...readFile(channel.name, file, found, passed, all), outcomes: tally.outcomes() };
};

const nameProblem = (name: string, { map }: CompanionProfile): SaleFinding | undefined => {
  const column = columnsOfText(map.order);
  if (name === '') return { code: 'bad-cell', message: 'the row names no order', column };
  if (!isMangled(name)) return undefined;
  return { code: 'mangled-id', message: `"${name}" is what a spreadsheet left of an id`, column };
};

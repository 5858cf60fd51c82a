import { isCompanionProfile } from '../sales/detect-profile.ts';
import { columnsOfText } from '../sales/expression.ts';
import { repaymentReader } from '../sales/packed-lines.ts';
import type { CompanionProfile } from '../sales/profile.ts';
import { addRepayment, type CountedRepayment, repaymentCounter } from '../sales/refunds.ts';
import { isProblem, rowReader } from '../sales/row-reader.ts';
import type { Origin, SaleFinding } from '../sales/sale.ts';
import { isMangled, serviceId } from '../sales/sale-name.ts';
import { miscounted, rowByRow, type TableRow } from '../sales/table-row.ts';
import { columnMeter, fileTally, noRowsNotice } from './file-notes.ts';
import { detected } from './open-export.ts';
import { type ChannelReading, lastCreatedBefore } from './read-channel.ts';
import { readFile, type SourceFileRow } from './read-file.ts';
import { addAside } from './read-stores.ts';
import type { SourceFile } from './sort-sources.ts';

/** Reads the companion files of a channel, with the repayments that they tell. Its sales are known. */
export const readCompanions = (reading: ChannelReading): Promise<readonly SourceFileRow[]> =>
  Array.fromAsync(reading.sorted.companions, (file) => readFileOf(reading, file));

/** Returns a repayment with the order that it is of, where several have its number. */
const ofItsOrder = (numbers: ChannelReading['numbers'], repayment: CountedRepayment): CountedRepayment => {
  const { order, instant } = repayment;
  const records = numbers.get(order);
  if (!records) return repayment;
  return { ...repayment, order: lastCreatedBefore(records, instant)?.id ?? `${order}-unclear` };
};

/** Reads a companion file. Rows that cannot be read are set aside. */
const readFileOf = async (reading: ChannelReading, file: SourceFile): Promise<SourceFileRow> => {
  const { stores, configuration, channel, numbers, repayments } = reading;
  const found = await detected(reading, file, isCompanionProfile);
  const { profile, header, notices } = found;
  const { map, locale } = profile;
  const cells = rowReader(header, { ...profile.file, money: locale });
  const tests = profile.rows.map(cells.holds);
  const nameOf = cells.text(map.order);
  const repaymentOf = repaymentReader({ amount: map.amount, date: locale.date }, cells, {
    timeZone: configuration.timeZone,
    statedZone: channel.timeZone,
  });
  const controls = typeof map.amount === 'string' ? [map.amount] : [];
  const meter = columnMeter({ place: file.place, header, profile, controls });
  const tally = fileTally(meter);
  const counted = repaymentCounter();
  const repaired = reading.repaired.places.get(file.sha256);
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
    const aside = {
      outcome: 'rejected',
      origin,
      rows: [row],
      reason,
      businessDate: null,
    } as const;
    addAside(stores, {
      channel: channel.name,
      aside,
      record: '',
      controls: own,
      at: undefined,
    });
  }
  const all = [...notices, ...noRowsNotice(meter.whole.rows)];
  return { ...readFile(channel.name, file, found, meter, all), outcomes: tally.outcomes };
};

const nameProblem = (name: string, { map }: CompanionProfile): SaleFinding | undefined => {
  const column = columnsOfText(map.order);
  if (name === '') return { code: 'bad-cell', message: 'the row names no order', column };
  if (!isMangled(name)) return undefined;
  return { code: 'mangled-id', message: `"${name}" is what a spreadsheet left of an id`, column };
};

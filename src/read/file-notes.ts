import type { TableRow } from '../close/sales/files/table-row.ts';
import type { ReadGroup } from '../close/sales/read-export.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { ZERO } from '../kernel/money.ts';
import type { Passed } from './column-meter.ts';
import { exactSum, noFigures } from './figures.ts';
import type { FileDays } from './file-days.ts';
import { type Arithmetic, type LastRecord, lastRecordOf, UNEQUAL } from './file-notices.ts';
import { saleOfRecord } from './record-parts.ts';
import { addedOffsets, type CountedOffsets, type offsetReader } from './stated-offsets.ts';

/** Notes on a file from its rows. The notes of its parts, in order, add up to those of the whole. */
export type FileNotes = Passed &
  FileDays & {
    /** The places of business that its records name. */
    readonly places: readonly string[];
    /** The UTC offsets that its records state. */
    readonly offsets: readonly CountedOffsets[];
    readonly last?: LastRecord | undefined;
    readonly arithmetic: Arithmetic;
  };

/** Readers of row data that is not part of a record. */
export type RowsRead = {
  readonly placeOf: (row: TableRow) => string;
  readonly offsetsOf: ReturnType<typeof offsetReader>;
};

/** Returns the notes on some consecutive records. */
export const notesOf = (
  batch: readonly ReadGroup[],
  passed: Passed,
  { placeOf, offsetsOf }: RowsRead,
): FileNotes => {
  const days = new Set<CalendarDate>();
  const places = new Set<string>();
  const offsets: CountedOffsets[] = [];
  let [records, failed, first] = [0, 0, ''];
  let undated = 0;
  let last: ReadGroup | undefined;
  for (const read of batch) {
    const { group, record } = read;
    const line = group.rows[0]?.line ?? 0;
    if (!last || endOf(read) > endOf(last)) last = read;
    const sale = saleOfRecord(record);
    const unequal = sale?.findings.find(({ code }) => code === UNEQUAL);
    if (sale) records += 1;
    if (unequal) failed += 1;
    if (unequal) first ||= `${group.name} on line ${line}, where ${unequal.message}`;
    const stated = sale && group.rows[0] && offsetsOf(group.rows[0], sale.instant);
    if (stated) offsets.push({ ...stated, count: 1 });
    const day = sale?.businessDate ?? ('outcome' in record ? record.businessDate : null);
    if (day !== null) days.add(day);
    if ('order' in record && record.refunded !== ZERO && record.repayments === undefined) undated += 1;
    // A row of sums, or of something that is not a sale, may contain any name.
    if (!('outcome' in record)) for (const row of group.rows) places.add(placeOf(row));
  }
  places.delete('');
  const end = last && lastRecordOf(last);
  return {
    ...passed,
    days: [...days],
    undated,
    places: [...places],
    offsets: addedOffsets(offsets),
    last: end,
    arithmetic: { records, failed, first },
  };
};

const endOf = ({ group: { rows } }: ReadGroup): number => rows.at(-1)?.line ?? 0;

/** Returns the combined notes of several parts. */
export const addedNotes = (parts: readonly FileNotes[], columns: number, file: string): FileNotes => {
  const whole = noFigures(columns);
  for (const part of parts) {
    whole.rows += part.whole.rows;
    for (let index = 0; index < columns; index += 1) {
      whole.sums[index] = exactSum(whole.sums[index] ?? 0, part.whole.sums[index] ?? 0, file);
      whole.unreadable[index] = (whole.unreadable[index] ?? 0) + (part.whole.unreadable[index] ?? 0);
    }
  }
  const unreadable = Map.groupBy(
    parts.flatMap(({ firstUnreadable }) => firstUnreadable),
    ({ column }) => column,
  );
  const ends = parts.flatMap(({ last }) => last ?? []);
  return {
    whole,
    firstUnreadable: [...unreadable.values()].flatMap(([first]) => first ?? []),
    days: [...new Set(parts.flatMap(({ days }) => days))],
    undated: parts.reduce((sum, part) => sum + part.undated, 0),
    places: [...new Set(parts.flatMap(({ places }) => places))].sort(),
    offsets: addedOffsets(parts.flatMap(({ offsets }) => offsets)),
    last: ends.reduce<LastRecord | undefined>(
      (found, one) => (found && found.line >= one.line ? found : one),
      undefined,
    ),
    arithmetic: parts
      .map(({ arithmetic }) => arithmetic)
      .reduce(
        (all, one) => ({
          records: all.records + one.records,
          failed: all.failed + one.failed,
          first: all.first || one.first,
        }),
        { records: 0, failed: 0, first: '' },
      ),
  };
};

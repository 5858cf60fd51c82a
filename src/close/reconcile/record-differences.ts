import { joinSums } from '../../kernel/join-sums.ts';
import type { FieldDifference } from './compare-record.ts';
import type { DetailRow } from './detail-row.ts';

/** One field of one record that is not what was sent, or a field that many records write in another way. */
export type RecordDifference = FieldDifference & {
  /** The record; of a format difference, the first one that shows it. */
  readonly id: string;
  readonly record: 'order' | 'refund';
  readonly state: string;
  readonly file: string;
  readonly line: number;
  /** How many records differ so: 1 for another value, which stands by itself. */
  records: number;
};

/** The differences of some records as plain data: those that stand by themselves, and the formats by their names. */
export type KeptDifferences = {
  readonly values: readonly RecordDifference[];
  readonly formats: readonly (readonly [string, RecordDifference])[];
};

/**
 * Gather what differs between sent and recorded. Every other value stands by itself; of what is only written in
 * another way, such as a city in capitals, one example per field says enough.
 */
export const differenceGatherer = () => {
  const values: RecordDifference[] = [];
  const formats = new Map<string, RecordDifference>();
  return {
    add: (row: DetailRow, differences: readonly FieldDifference[]): void => {
      for (const difference of differences) {
        const { id, kind, state, file, line } = row;
        const found: RecordDifference = { ...difference, id, record: kind, state, file, line, records: 1 };
        const name = `${kind} ${difference.field.replace(/\[\d+\]/, '')}`;
        const known = formats.get(name);
        if (difference.kind === 'value') values.push(found);
        else if (known) known.records += 1;
        else formats.set(name, found);
      }
    },
    kept: (): KeptDifferences => ({ values, formats: [...formats] }),
    join: (others: KeptDifferences): void => {
      values.push(...others.values);
      joinSums(formats, others.formats, ['records']);
    },
    all: (): readonly RecordDifference[] => [...values, ...formats.values()],
  };
};

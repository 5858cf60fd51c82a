import { joinSums } from '../../kernel/join-sums.ts';
import type { FieldDifference } from './compare-record.ts';
import type { DetailRow } from './detail-row.ts';

/** A field of one record whose value differs from what was sent, or a field whose notation differs in many records. */
export type RecordDifference = FieldDifference & {
  /** The record; for a format difference, the first one affected. */
  readonly id: string;
  readonly record: 'order' | 'refund';
  readonly state: string;
  readonly file: string;
  readonly line: number;
  /** Number of records affected: 1 for a value difference, which is listed individually. */
  records: number;
};

/** The differences of some records as plain data: value differences individually, format differences by name. */
export type KeptDifferences = {
  readonly values: readonly RecordDifference[];
  readonly formats: readonly (readonly [string, RecordDifference])[];
};

/**
 * Collect differences between sent and recorded. Value differences are listed individually; format differences, such as
 * a city in capitals, with one example per field.
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

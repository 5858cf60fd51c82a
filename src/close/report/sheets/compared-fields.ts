import type { DifferentField } from '../../compare/compare-answers.ts';
import { defineSheet } from '../../workbook/sheet.ts';

export type ComparedField = DifferentField & {
  readonly record: string;
  readonly sales: number;
  /** Position of the sale in the sheet Sales. */
  readonly saleRow: number;
};

/** One row per field in which two answers about a sale differ. */
export const COMPARED_FIELDS = defineSheet<ComparedField>({
  name: 'Fields',
  table: 'Fields',
  title: 'Fields that differ',
  note: 'Every field of every answer in which the two services differ, as each of them has it. A dash: the answer does not have the field.',
  freeze: { columns: 2 },
  columns: [
    {
      title: 'Record',
      width: 14,
      format: 'id',
      value: ({ record }) => record,
      link: ({ saleRow }) => ({ sheet: 'Sales', row: saleRow }),
    },
    { title: 'Field', width: 30, format: 'text', value: ({ field }) => field },
    { title: 'Own service', width: 30, format: 'text', value: ({ own }) => own },
    { title: 'Other service', width: 30, format: 'text', value: ({ other }) => other },
    { title: 'Sales', width: 8, format: 'count', value: ({ sales }) => sales },
  ],
});

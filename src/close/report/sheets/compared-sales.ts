import type { Money } from '../../../kernel/money.ts';
import { shownNumber } from '../../../kernel/shown-figures.ts';
import type { AnswerDifference, DifferentField } from '../../answer-differences/compare-answers.ts';
import { LINKS_MAX } from '../../workbook/layout.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** A sale about which two services disagree, standing for all sales with the same request. */
export type ComparedSale = AnswerDifference & {
  /** The first sale with this request. */
  readonly record: string;
  readonly state: string;
  readonly date: string;
  readonly sales: number;
  /** The difference in tax over all of them: refunds count the other way, those of a part with their part. */
  readonly taxOfAll: Money;
};

/** One row per request that was answered differently, with the explanation of each side. */
export const COMPARED_SALES = defineSheet<ComparedSale>({
  name: 'Sales',
  table: 'Sales',
  title: 'Sales that are answered differently',
  note: 'Sales that ask the same are one row; in the difference of all of them refunds count the other way. A refused answer has no tax to compare. Difference = tax of the other service minus that of the own one. Reasons are those that only one side gives.',
  freeze: { columns: 1 },
  columns: [
    { title: 'Record', width: 14, format: 'id', value: ({ record }) => record },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'Day', width: 11, format: 'status', value: ({ date }) => date },
    { title: 'Sales', width: 8, format: 'count', value: ({ sales }) => sales, total: 'sum' },
    { title: 'Difference of one', width: 13, format: 'money', value: ({ tax }) => tax },
    {
      title: 'Difference of all',
      width: 13,
      format: 'money',
      value: ({ taxOfAll }) => taxOfAll,
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    {
      title: 'Own reasons',
      width: 56,
      format: 'text',
      value: ({ ownReasons }) => ownReasons.join('\n'),
      wrap: true,
    },
    {
      title: 'Other reasons',
      width: 56,
      format: 'text',
      value: ({ otherReasons }) => otherReasons.join('\n'),
      wrap: true,
    },
  ],
});

export type ComparedField = DifferentField & {
  readonly record: string;
  readonly sales: number;
  /** Position of the sale in the sheet Sales. */
  readonly saleRow: number;
};

/** One row per field in which two answers for a sale differ. */
export const COMPARED_FIELDS = defineSheet<ComparedField>({
  name: 'Fields',
  table: 'Fields',
  title: 'Fields that differ',
  note: `Every field of every answer in which the two services differ, as each of them has it. A dash: the answer does not have the field. The first ${shownNumber(LINKS_MAX, 'record')} lead to their sale in Sales.`,
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

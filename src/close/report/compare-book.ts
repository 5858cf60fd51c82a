import { startOfUtcDay } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { filled, textSheet } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { COMPARED_FIELDS, COMPARED_SALES, type ComparedSale } from './sheets/compared-sales.ts';

export type CompareReport = {
  readonly seller: string;
  readonly program: string;
  readonly period: FilingPeriod;
  readonly own: string;
  readonly other: string;
  readonly sales: number;
  readonly questions: number;
  readonly differences: readonly ComparedSale[];
};

/** Builds compare.xlsx: where two tax services answer differently for the sales of a period, field by field. */
export const compareBook = ({
  seller,
  program,
  period,
  own,
  other,
  sales,
  questions,
  differences,
}: CompareReport): WorkbookContent => {
  const title = `Two services ${period.label}: ${seller}`;
  const fields = differences.flatMap(({ record, sales: alike, fields: differing }, saleRow) =>
    differing.map((difference) => ({ ...difference, record, sales: alike, saleRow })),
  );
  return {
    properties: { title, creator: program, company: seller, created: startOfUtcDay(period.last) },
    sheets: [
      textSheet({
        name: 'README',
        title,
        blocks: [
          {
            lines: [
              { label: 'Seller', value: { format: 'text', value: seller } },
              { label: 'Period', value: { format: 'text', value: `${period.first} to ${period.last}` } },
              { label: 'Own service', value: { format: 'text', value: own } },
              { label: 'Other service', value: { format: 'text', value: other } },
              { label: 'Program', value: { format: 'text', value: program } },
              { label: 'Sales compared', value: { format: 'count', value: sales } },
              { label: 'Different questions', value: { format: 'count', value: questions } },
              { label: 'Answered differently', value: { format: 'count', value: differences.length } },
            ],
          },
          { heading: 'What this workbook shows' },
          {
            paragraph:
              'The sales of the period on which tax may be due were put to both services, each different question once. Sales lists those that are answered differently, the largest difference first; Fields has each field of them, as either side says it. Nothing was recorded with either service.',
          },
        ],
      }),
      filled(COMPARED_SALES, differences),
      filled(COMPARED_FIELDS, fields),
    ],
  };
};

import { shownNumber } from '../../../kernel/text.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';
import { word, words } from './columns.ts';

/** Something that an auditor asks for: whether the folder has it, and where it is. */
type Wanted = { readonly what: string; readonly has: '✓ here' | '○ keep'; readonly where: string };

const AUDITOR_LIST = defineSheet<Wanted>({
  name: 'Auditor list',
  table: 'Auditor_list',
  title: 'What an auditor will ask for',
  note: 'What is not in the folder has to be kept beside it.',
  columns: [
    word('Kept', 10, ({ has }) => has),
    words('What', 72, ({ what }) => what, { wrap: true }),
    words('Where', 40, ({ where }) => where, { wrap: true }),
  ],
});

/** Lists the papers behind the returns of a period, and which of them the folder holds. */
export const auditorList = ({ inputs, certificates }: PeriodReport): FilledSheet => {
  const documents = certificates.usages.filter(({ certificate }) => certificate?.document);
  const rows: readonly Wanted[] = [
    {
      what: 'Every order and refund, with the line of its export',
      has: '✓ here',
      where: 'variance.xlsx, Detail',
    },
    {
      what: 'Each answer of the tax service, and each record read back from it',
      has: '✓ here',
      where: 'evidence/',
    },
    {
      what: 'Each decision, with who made it, when and why',
      has: '✓ here',
      where: 'variance.xlsx, Decide and Exceptions',
    },
    {
      what: `The exports as they were read: ${shownNumber(inputs.length, 'file')}`,
      has: '○ keep',
      where: 'variance.xlsx, Inputs has the SHA-256 of each',
    },
    ...(certificates.usages.length === 0
      ? []
      : [
          {
            what: `The certificates of exempt customers: ${certificates.usages.length} of customers with exempt sales, ${documents.length} with a document`,
            has: '○ keep' as const,
            where: 'variance.xlsx, Certificates',
          },
        ]),
    { what: 'The returns as filed, with their confirmations', has: '○ keep', where: 'Portals of the states' },
    { what: 'The payments, on statements of the bank', has: '○ keep', where: 'Pay has the amounts' },
  ];
  return filled(AUDITOR_LIST, rows);
};

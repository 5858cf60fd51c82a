import { type CertificateDocument, statesText } from '../certificates/certificate.ts';
import type { CertificateReport, CertificateUsage } from '../certificates/certificate-report.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import type { References } from '../workbook/cell.ts';
import { defineSheet, type FilledSheet, filled } from '../workbook/sheet.ts';
import { count, counted, day, id, summed, word, words } from './parts.ts';

const leaning = (at: References) => ({ Certificate: at.cell('Certificate') });

/** The certificates for the period's exempt sales, with the sales and the tax that each covers. */
const CERTIFICATES = defineSheet<CertificateUsage>({
  name: 'Certificates',
  table: 'Certificates',
  title: 'Certificates: what the exempt sales rely on',
  note: 'Certificates of the customers with exempt sales in the period.',
  freeze: { columns: 1 },
  columns: [
    id('Certificate', 14, ({ name }) => name),
    id('Customer', 12, (row) => row.certificate?.customer),
    words('States', 16, (row) => (row.certificate ? statesText(row.certificate) : undefined), { wrap: true }),
    words('Reason', 12, (row) => row.certificate?.reason),
    day('Valid from', 11, (row) => row.certificate?.validFrom),
    day('Valid to', 11, (row) => row.certificate?.validTo ?? undefined, {
      note: 'Blank where it does not expire.',
    }),
    word('Status', 14, ({ status }) => status, {
      note: 'On the last day of the period.',
      flag: ({ status }) => (status === 'valid' ? undefined : 'attention'),
    }),
    counted('Sales', 9, ({ sales }) => sales, {
      formula: (at) => at.countIfs('Exempt_sales', leaning(at)),
      note: 'Rows below. A refund is one, and so is the reversal of a filed sale, which takes off its amount and tax.',
    }),
    summed('Amount exempted', 12, ({ amount }) => amount, {
      formula: (at) => at.sumIfs('Exempt_sales', 'Gross', leaning(at)),
    }),
    summed('Tax relieved', 14, ({ relieved }) => relieved, {
      formula: (at) => at.sumIfs('Exempt_sales', 'Tax relieved', leaning(at)),
      note: 'What the sales would have carried without their exemption.',
    }),
    counted('Tax not known', 10, ({ unknown }) => unknown, {
      note: 'Sales whose tax without the exemption was not calculated.',
    }),
    words('Document', 15, (row) => row.certificate?.document?.name, {
      note: 'Marked where it is not beside the register.',
      flag: (row) => (isMissing(row.certificate?.document) ? 'attention' : undefined),
    }),
    words('Document SHA-256', 15, (row) => row.certificate?.document?.found ?? undefined, {
      note: 'Of the file that lies beside the register.',
    }),
    words('Register', 15, (row) => row.certificate?.origin.file),
    count('Line', 8, (row) => row.certificate?.origin.line),
  ],
});

const isMissing = (document: CertificateDocument | null | undefined): boolean => document?.found === null;

export const certificatesSheet = (report: CertificateReport): FilledSheet => {
  const { isConfigured, certificates, exempt, usages } = report;
  const { sales, relieved } = exempt.unsupported;
  const register = isConfigured ? shownNumber(certificates, 'certificate') : 'none is configured';
  const without = `Without a certificate: ${shownNumber(sales, 'exempt sale')}, refunds and reversals among them, ${shownMoney(relieved)} of tax relieved; R08 in Exceptions where tax depends on it.`;
  return filled(
    {
      ...CERTIFICATES,
      note: [CERTIFICATES.note, `Register: ${register}.`, ...(sales === 0 ? [] : [without])].join('\n'),
      ...(sales !== 0 && { empty: 'No exempt sale of the period relies on a certificate.' }),
    },
    usages,
  );
};

/** Something that an auditor asks for: whether the folder has it, and where it is. */
type Wanted = readonly [has: '✓ here' | '○ keep', what: string];

const AUDITOR_LIST = defineSheet<Wanted>({
  name: 'Auditor list',
  table: 'Auditor_list',
  title: 'What an auditor will ask for',
  note: 'What is not in the folder has to be kept beside it.',
  columns: [word('Kept', 10, ([has]) => has), words('What', 50, ([, what]) => what, { wrap: true })],
});

/** Lists the papers behind the returns of a period, and which of them the folder holds. */
export const auditorList = (report: PeriodReport): FilledSheet => {
  const { inputs, decided } = report;
  const { usages } = report.certificates;
  const unsigned = decided.filter(({ by, on }) => by === '' || on === '').length;
  const documents = usages.filter(({ certificate }) => certificate?.document).length;
  const papers = `Certificates of ${usages.length} exempt customers, ${documents} with a document: Certificates of variance.xlsx`;
  const exports = `Exports, ${shownNumber(inputs.length, 'file')}: Inputs of variance.xlsx has the SHA-256 of each`;
  const rows: readonly Wanted[] = [
    ['✓ here', 'Orders and refunds with the lines of their exports: Detail of variance.xlsx'],
    ['✓ here', 'Answers of the tax service, and records read back: evidence/'],
    unsigned === 0
      ? ['✓ here', 'Decisions, by whom, when and why: Decide and Exceptions of variance.xlsx']
      : ['○ keep', `Who decided, and when: ${unsigned} of ${decided.length} lines of decisions.csv lack it`],
    ['○ keep', exports],
    ...(usages.length === 0 ? [] : [['○ keep', papers] as const]),
    [
      '○ keep',
      'Returns as filed, with confirmations: portals of the states; `tieout filed` notes the numbers',
    ],
    ['○ keep', 'Payments, on statements of the bank: filings.csv has what was paid and when'],
  ];
  return filled(AUDITOR_LIST, rows);
};

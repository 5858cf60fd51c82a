import { absolute, formatMoney, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { isAmendmentLabel } from '../kernel/period.ts';
import { amountOfLine, lineWithRole, type TaxReturn } from './tax-return.ts';
import { waTagged } from './upload-formats.ts';
import {
  type CsvCell,
  csvText,
  digitsOf,
  equalCheck,
  fileName,
  missingCodes,
  missingRates,
  number,
  repeatedCodes,
  scheduleNamed,
  text,
  type UploadFile,
  type WrittenFile,
  withAmountsByHand,
} from './upload-parts.ts';

/** Two letters of the jurisdiction, a blank, and the line code. */
const NY_CODE = /^[A-Z]{2} [A-Z0-9]+$/;

/**
 * Builds the jurisdictional upload of New York's Sales Tax Web File: eight fields, no header, whole dollars, no
 * negative amounts: a negative amount of a jurisdiction goes into the field for credits. A code such as `AL 0181` is
 * split into the jurisdiction and its line; any other text is not a code of the form.
 */
const nyCsv = (filed: TaxReturn): WrittenFile => {
  const rows = scheduleNamed(filed, 'jurisdictions').rows.map((row) => ({
    ...row,
    code: NY_CODE.test(row.code) ? row.code : '',
  }));
  const repeated = repeatedCodes(rows);
  const whole = (amount: Money): string => String(Math.abs(amount) / 100);
  const zero = number('0');
  const csv = csvText(
    rows.map(({ code, taxable }) => {
      const [jurisdiction = '', line = ''] = code.split(' ');
      const amount = number(whole(taxable));
      return taxable < 0
        ? [text(jurisdiction), text(line), zero, amount, zero, zero, zero, zero]
        : [text(jurisdiction), text(line), amount, zero, zero, zero, zero, zero];
    }),
  );
  const control = sum(rows.map(({ taxable }) => taxable));
  return {
    state: filed.figures.state,
    format: 'NY jurisdictional upload, 8 fields',
    name: fileName(filed, 'csv'),
    text: csv,
    rows: rows.length,
    comesTo: sum(rows.map(({ tax }) => tax)),
    control: { what: 'Taxable sales less credits', amount: control },
    checks: [
      equalCheck(
        'The rows of the file add up to the taxable sales of the return.',
        control,
        amountOfLine(filed, lineWithRole(filed.form, 'taxable')),
      ),
    ],
    toComplete: [
      ...missingRates(filed),
      ...missingCodes(rows, 'jurisdiction and line code'),
      ...(repeated.length === 0
        ? []
        : [`check how the form takes several rows of one code: ${repeated.join(', ')}`]),
      'check the last two of the eight fields, which are zero and not verified',
    ],
    notes: [
      ...(rows.some(({ taxable }) => taxable < 0)
        ? [
            `Refunds above sales, ${whole(absolute(negativePart(rows)))} dollars, are in the field for credits.`,
          ]
        : []),
    ],
  };
};

const negativePart = (rows: readonly { readonly taxable: Money }[]): Money =>
  sum(rows.map(({ taxable }) => taxable).filter((taxable) => taxable < 0));

const STATE_CODE = '00';

/** Builds the return file for Pennsylvania's myPATH: one row per code (00 state, 02 Allegheny, 51 Philadelphia). */
const paCsv = (filed: TaxReturn): WrittenFile => {
  const { registration, figures, credits } = filed;
  const locals = scheduleNamed(filed, 'locals');
  const { last } = figures.period;
  const periodEnd = `${Number(last.slice(5, 7))}/${Number(last.slice(8))}/${last.slice(2, 4)}`;
  const row = (
    code: string,
    gross: Money,
    taxable: Money,
    tax: Money,
    credit: Money,
    use: Money,
  ): CsvCell[] => [
    text(digitsOf(registration.account)),
    text(periodEnd),
    text(code),
    ...[gross, taxable, tax, credit].map((amount) => number(formatMoney(amount))),
    text('N'),
    text('N'),
    number(formatMoney(use)),
    number('0.00'),
    ...['', '', ''].map(text),
  ];
  const stateTax = amountOfLine(filed, '3 state');
  const csv = csvText([
    row(
      STATE_CODE,
      amountOfLine(filed, '1 state'),
      amountOfLine(filed, '2 state'),
      stateTax,
      credits.used,
      amountOfLine(filed, 'Use'),
    ),
    ...locals.rows.map(({ code, taxable, tax }) => row(code, taxable, taxable, tax, ZERO, ZERO)),
  ]);
  const control = sum([stateTax, ...locals.rows.map(({ tax }) => tax)]);
  return {
    state: figures.state,
    format: 'PA myPATH sales tax return, 14 columns',
    name: fileName(filed, 'csv'),
    text: csv,
    rows: 1 + locals.rows.length,
    comesTo: subtract(
      sum([control, amountOfLine(filed, 'Use')]),
      sum([credits.used, amountOfLine(filed, '4')]),
    ),
    control: { what: 'Sales tax', amount: control },
    checks: [
      equalCheck(
        'The tax of the rows is the tax of lines 3.',
        control,
        sum([stateTax, amountOfLine(filed, '3 local')]),
      ),
      equalCheck(
        'Tax and use tax of the file are the tax of the return.',
        sum([control, amountOfLine(filed, 'Use')]),
        amountOfLine(filed, 'Total'),
      ),
    ],
    toComplete: [
      ...missingRates(filed),
      ...missingCodes(locals.rows, 'code'),
      'add the entity id and its type in the last columns, which were not seen in full',
    ],
    notes: [
      'Gross sales of the local rows are their taxable amounts: what is not taxed is known for the whole state only.',
    ],
  };
};

const WRITERS = {
  'wa-tagged': waTagged,
  'ny-csv': nyCsv,
  'pa-csv': paCsv,
} as const;

const asAmendment = (file: WrittenFile): WrittenFile => ({
  ...file,
  toComplete: ['file it as an amended return, which it does not say', ...file.toComplete],
});

/** Builds the upload file of a return, where its state takes one. */
export const uploadFilesOf = (filed: TaxReturn, seller: string): readonly UploadFile[] => {
  const { upload } = filed.form;
  if (upload === undefined) return [];
  const file = WRITERS[upload](filed, seller);
  return [withAmountsByHand(filed, isAmendmentLabel(filed.figures.period.label) ? asAmendment(file) : file)];
};

import { formatMoney, type Money, sum, ZERO } from '../../../kernel/money.ts';
import { amountOfLine, type TaxReturn } from '../return/tax-return.ts';
import { type CsvCell, csvText, number, text } from './csv-text.ts';
import type { UploadFile } from './upload-file.ts';
import { digitsOf, equalCheck, fileName, missingCodes, missingRates, scheduleNamed } from './upload-parts.ts';

const STATE_CODE = '00';

/** The sales tax return file of Pennsylvania's myPATH: one row per code (00 state, 02 Allegheny, 51 Philadelphia). */
export const paCsv = (filed: TaxReturn): UploadFile => {
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
    text(''),
    text(''),
    text(''),
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
      ...missingCodes(locals.rows.filter(({ code }) => code === '').length, locals.rows.length, 'code'),
      'add the entity id and its type in the last columns, which were not seen in full',
    ],
    notes: [
      'Gross sales of the local rows are their taxable amounts: what is not taxed is known for the whole state only.',
    ],
  };
};

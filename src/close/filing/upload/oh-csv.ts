import { formatMoney, sum } from '../../../kernel/money.ts';
import { amountOfLine, type TaxReturn } from '../return/tax-return.ts';
import { csvText, number, text } from './csv-text.ts';
import type { UploadFile } from './upload-file.ts';
import { digitsOf, equalCheck, fileName, missingCodes, missingRates, scheduleNamed } from './upload-parts.ts';

const LINES = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];

/** The figures of Ohio's full UST-1 upload: the lines of the return, then taxable sales and tax by county. */
export const ohCsv = (filed: TaxReturn): UploadFile => {
  const { figures, registration } = filed;
  const { rows } = scheduleNamed(filed, 'counties');
  const csv = csvText([
    [text('Type'), text('Original')],
    [text('Account'), text(digitsOf(registration.account))],
    [text('Period'), text(figures.period.first), text(figures.period.last)],
    ...LINES.map((line) => [text(`Line ${line}`), number(formatMoney(amountOfLine(filed, line)))]),
    [text('County code'), text('County'), text('Taxable sales'), text('Tax')],
    ...rows.map(({ code, county, taxable, tax }) => [
      text(code),
      text(county),
      number(formatMoney(taxable)),
      number(formatMoney(tax)),
    ]),
  ]);
  const control = sum(rows.map(({ taxable }) => taxable));
  return {
    state: figures.state,
    format: 'OH UST-1 data',
    name: fileName(filed, 'csv'),
    text: csv,
    rows: LINES.length + rows.length,
    control: { what: 'Taxable sales of the counties', amount: control },
    checks: [
      equalCheck('The counties add up to the reportable taxable sales.', control, amountOfLine(filed, '5')),
    ],
    toComplete: [
      ...missingRates(filed),
      ...missingCodes(rows.filter(({ code }) => code === '').length, rows.length, 'county code'),
      'copy the figures into the department’s template, whose column order is not verified, and test it with the validator',
    ],
    notes: [],
  };
};

import { absolute, type Money, sum } from '../../../kernel/money.ts';
import { amountOfLine, lineWithRole, type TaxReturn } from '../return/tax-return.ts';
import { csvText, number, text } from './csv-text.ts';
import type { UploadFile } from './upload-file.ts';
import { equalCheck, fileName, missingCodes, missingRates, scheduleNamed } from './upload-parts.ts';

/**
 * The jurisdictional upload of New York's Sales Tax Web File: eight fields without a header, whole dollars, nothing
 * negative: what is negative in a jurisdiction goes into the field for credits. A code such as `AL 0181` is divided
 * into the jurisdiction and its line.
 */
export const nyCsv = (filed: TaxReturn): UploadFile => {
  const { rows } = scheduleNamed(filed, 'jurisdictions');
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
  const missing = rows.filter(({ code }) => code === '').length;
  return {
    state: filed.figures.state,
    format: 'NY jurisdictional upload, 8 fields',
    name: fileName(filed, 'csv'),
    text: csv,
    rows: rows.length,
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
      ...missingCodes(missing, rows.length, 'jurisdiction and line code'),
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

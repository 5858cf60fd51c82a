import { stringify } from 'csv-stringify/sync';
import { formatMoney, formatPercent, type Money, sum, ZERO } from '../kernel/money.ts';
import { isAmendmentLabel } from '../kernel/period.ts';
import { shownMoney, textsIn } from '../kernel/text.ts';
import { hasGap } from './state-figures.ts';
import { amountDue, amountOfLine, type ReturnCheck, scheduleNamed, type TaxReturn } from './tax-return.ts';

/** Returns the codes that several rows have, such as those of a place whose rate changed. */
const repeatedCodes = (rows: readonly { readonly code: string }[]): readonly string[] => {
  const codes = rows.map(({ code }) => code).filter((code) => code !== '');
  return [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))];
};

/** Text with any kind of line end is quoted; otherwise the text after it would begin a new cell, and could be a formula. */
const LINE_END = /[\r\n]/;
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/;

/** Puts an apostrophe before text that a spreadsheet would take for a formula. */
export const guarded = (value: string): string => (FORMULA_START.test(value) ? `'${value}` : value);

/** Writes rows as CSV. Text that comes from elsewhere is `guarded`. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  stringify([...rows], { record_delimiter: 'windows', quoted_match: LINE_END });

/** Lines of Washington's return. */
const WA = { retailing: '2', stateSales: '1', localSales: '45', stateUse: '5', localUse: '46' } as const;

/**
 * Builds the tagged file of the Washington Department of Revenue ("Upload data files to My DOR"): ACCOUNT, TAX and DED
 * lines. The portal skips lines that begin with #: rows without a known code are written that way, for a person to
 * complete. So are those of a location whose rate changed: the upload takes one rate of a location, the later one.
 */
const waTagged = (filed: TaxReturn, seller: string) => {
  const { figures, registration, values } = filed;
  const { purchases } = values;
  const { last } = figures.period;
  const hasPurchases = purchases !== ZERO;
  const { rows } = scheduleNamed(filed, 'local');
  const taxable = sum(rows.map((row) => row.taxable));
  const repeated = repeatedCodes(rows);
  const known = rows.filter(({ code }) => code !== '' && !repeated.includes(code));
  const missing = rows.filter(({ code }) => code === '').length;
  const deductions = amountOfLine(filed, '1 ded');
  const hasDeductions = deductions !== ZERO;
  const account = registration.account.replace(/\D/g, '') || '0';
  const period = `${last.slice(5, 7)}${last.slice(0, 4)}`;
  const tax = (line: string, location: string, amount: Money) => ['TAX', line, location, formatMoney(amount)];
  const lines = csvText([
    ['ACCOUNT', account, period, guarded(seller), '', ''],
    tax(WA.retailing, '0', amountOfLine(filed, '2')),
    tax(WA.stateSales, '0', amountOfLine(filed, '1 gross')),
    ...known.map((row) => tax(WA.localSales, guarded(row.code), row.taxable)),
    ...(hasPurchases ? [tax(WA.stateUse, '0', purchases)] : []),
  ]);
  const unknown = rows.filter((row) => !known.includes(row));
  const open = textsIn([
    ...unknown.map(({ code, name, rate, taxable: amount }) => {
      const place =
        code === '' ? `location code of ${plain(name)}` : `${plain(code)} at ${formatPercent(rate)}`;
      return `# TAX,${WA.localSales},${place},${formatMoney(amount)}`;
    }),
    hasPurchases && `# TAX,${WA.localUse},location code of the place of use,${formatMoney(purchases)}`,
    hasDeductions && `# DED,${WA.stateSales},deduction code,${formatMoney(deductions)},explanation`,
  ]);
  return {
    text: `${lines}${open.map((line) => `${line}\r\n`).join('')}`,
    /** The amount due by the amounts in the file alone. */
    comesTo: sum([amountOfLine(filed, '1 tax'), ...rows.map((row) => row.tax), amountOfLine(filed, 'Use')]),
    /** Totals of the file that must equal lines of the return to the cent. */
    ties: [
      ['The local lines of the file add up to line 45.', taxable, amountOfLine(filed, '45 taxable')],
      ['The local lines add up to the taxable retail sales.', taxable, amountOfLine(filed, '1 taxable')],
    ] as const,
    toComplete: textsIn([
      missing > 0 && `add the location code of ${missing} of ${rows.length} rows`,
      repeated.length > 0 &&
        `enter by hand on the return line 45 of the locations with several rows, which begin with #: ${repeated.join(', ')}`,
      hasPurchases && 'add the location code of the place of use in the line 46 that begins with #',
      hasDeductions && 'add the deduction codes in the lines that begin with #',
      hasDeductions &&
        'enter the deductions of the retailing line, if there are any; food is not deducted there',
      'add e-mail address and telephone number to the ACCOUNT line',
    ]),
  };
};

/** Cleans a name for a line that is not read as CSV. */
const plain = (name: string): string => name.replace(/[\r\n,]+/g, ' ');

/** Builds the upload file of a return, where its state takes one. */
export const uploadFilesOf = (filed: TaxReturn, seller: string) => {
  const { form, figures } = filed;
  if (form.upload === undefined) return [];
  const { text: content, ties, toComplete, comesTo } = waTagged(filed, seller);
  const due = amountDue(filed);
  const file = {
    state: figures.state,
    name: `${figures.state}-${form.form.replace(/[^A-Za-z0-9]+/g, '-')}-${figures.period.label}.txt`,
    text: content,
    /** The file's totals compared with lines of the return. */
    checks: ties.map(([test, left, right]): ReturnCheck => ({ test, left, right, tolerance: ZERO })),
    /** Steps to complete or check by hand before uploading the file: `add the location code of 3 of 3 rows`. */
    toComplete: textsIn([
      comesTo !== due &&
        `enter by hand what the file has no place for: it comes to ${shownMoney(comesTo)}, the return to ${shownMoney(due)}`,
      isAmendmentLabel(figures.period.label) && 'file it as an amended return, which it does not say',
      hasGap(figures) &&
        'check the rows of places whose local rate Tieout lacks: they carry the tax as it was collected',
      ...toComplete,
    ]),
  };
  return [file];
};

/** A file for a state's portal, with the checks that show whether to trust it. */
export type UploadFile = ReturnType<typeof uploadFilesOf>[number];

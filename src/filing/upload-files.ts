import { stringify } from 'csv-stringify/sync';
import {
  absolute,
  formatMoney,
  formatPercent,
  lesser,
  type Money,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { isAmendmentLabel } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { hasGap } from './state-figures.ts';
import {
  amountDue,
  amountOfLine,
  lateOf,
  lineWithRole,
  type ReturnCheck,
  scheduleNamed,
  type TaxReturn,
} from './tax-return.ts';

/** A file for a state's portal, with the checks that show whether to trust it. */
export type UploadFile = {
  readonly state: string;
  readonly format: string;
  readonly name: string;
  readonly text: string;
  /** Number of rows or elements with amounts. */
  readonly rows: number;
  readonly control: { readonly what: string; readonly amount: Money };
  /** The file's totals compared with lines of the return. */
  readonly checks: readonly ReturnCheck[];
  /** Steps to complete or check by hand before uploading the file: `add the location code of 3 of 3 rows`. */
  readonly toComplete: readonly string[];
  readonly notes: readonly string[];
};

/** Parts of the amount due that a file may have no place for. */
const BESIDE = {
  discount: ({ discount }: TaxReturn): Money => discount.claimed,
  prepayments: ({ prepayments }: TaxReturn): Money => prepayments.used,
  credits: ({ credits }: TaxReturn): Money => credits.used,
  'penalty and interest': ({ values }: TaxReturn): Money => lateOf(values),
  'tax collected in excess': ({ values }: TaxReturn): Money => values.excess,
} as const;
type Beside = keyof typeof BESIDE;
const ALL_BESIDE = Object.keys(BESIDE) as readonly Beside[];

/** The content of a file as the writer of its format makes it. */
type Written = Pick<UploadFile, 'text' | 'rows' | 'control' | 'toComplete'> & {
  /** The amount due by the amounts in the file alone, and what it leaves out. */
  readonly comesTo: Money;
  readonly leavesOut: readonly Beside[];
  /** Totals of the file that must equal lines of the return to the cent. */
  readonly ties: readonly (readonly [test: string, left: Money, right: Money])[];
  readonly notes?: readonly string[];
};

type Format = {
  readonly format: string;
  readonly ending: 'csv' | 'txt';
  readonly write: (filed: TaxReturn, seller: string) => Written;
};

/** Returns steps where there is a reason for them. */
const when = (isSo: boolean, ...steps: readonly string[]): readonly string[] => (isSo ? steps : []);

/** Lists what to add if rows have no code. */
const missingCodes = (rows: readonly { readonly code: string }[], what: string): readonly string[] => {
  const count = rows.filter(({ code }) => code === '').length;
  return when(count > 0, `add the ${what} of ${count} of ${rows.length} rows`);
};

/** Returns the codes that several rows have, such as those of a place whose rate changed. */
const repeatedCodes = (rows: readonly { readonly code: string }[]): readonly string[] => {
  const codes = rows.map(({ code }) => code).filter((code) => code !== '');
  return [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))];
};

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** A cell of a file for other programs: text, or a formatted number. */
type CsvCell = { readonly text: string } | { readonly number: string };

const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * Text with any kind of line end is quoted; otherwise the text after it would begin a new cell, and could be a formula.
 */
const LINE_END = /[\r\n]/;
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/;

export const text = (value: string): CsvCell => ({ text: value });
export const number = (value: string): CsvCell => ({ number: value });
const amountCell = (amount: Money): CsvCell => number(formatMoney(amount));

/**
 * Writes rows as CSV. Text that a spreadsheet would take for a formula gets an apostrophe. Numbers keep their sign;
 * they consist only of digits, a sign and a point.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  stringify(
    rows.map((row) => row.map(cellText)),
    { record_delimiter: 'windows', quoted_match: LINE_END },
  );

const cellText = (cell: CsvCell): string => {
  if ('text' in cell) return FORMULA_START.test(cell.text) ? `'${cell.text}` : cell.text;
  return NUMBER.test(cell.number) ? cell.number : `'${cell.number}`;
};

/** Lines of Washington's return. */
const WA = { retailing: '2', stateSales: '1', localSales: '45', stateUse: '5', localUse: '46' } as const;

/**
 * Builds the tagged file of the Washington Department of Revenue ("Upload data files to My DOR"): ACCOUNT, TAX and DED
 * lines. The portal skips lines that begin with #: rows without a known code are written that way, for a person to
 * complete. So are those of a location whose rate changed: the upload takes one rate of a location, the later one.
 */
const waTagged = (filed: TaxReturn, seller: string): Written => {
  const { figures, registration, values } = filed;
  const { purchases } = values;
  const { last } = figures.period;
  const hasPurchases = purchases !== ZERO;
  const { rows } = scheduleNamed(filed, 'local');
  const taxable = sum(rows.map((row) => row.taxable));
  const repeated = repeatedCodes(rows);
  const known = rows.filter(({ code }) => code !== '' && !repeated.includes(code));
  const deductions = amountOfLine(filed, '1 ded');
  const account = digitsOf(registration.account) || '0';
  const period = `${last.slice(5, 7)}${last.slice(0, 4)}`;
  const tax = (line: string, location: string, amount: Money): readonly CsvCell[] => [
    ...[text('TAX'), number(line), number(location)],
    amountCell(amount),
  ];
  const lines = csvText([
    [text('ACCOUNT'), number(account), number(period), ...[seller, '', ''].map(text)],
    tax(WA.retailing, '0', amountOfLine(filed, '2')),
    tax(WA.stateSales, '0', amountOfLine(filed, '1 gross')),
    ...known.map((row) => tax(WA.localSales, row.code, row.taxable)),
    ...(hasPurchases ? [tax(WA.stateUse, '0', purchases)] : []),
  ]);
  const unknown = rows.filter((row) => !known.includes(row));
  const open = [
    ...unknown.map(({ code, name, rate, taxable: amount }) => {
      const place =
        code === '' ? `location code of ${plain(name)}` : `${plain(code)} at ${formatPercent(rate)}`;
      return `# TAX,${WA.localSales},${place},${formatMoney(amount)}`;
    }),
    ...when(hasPurchases, `# TAX,${WA.localUse},location code of the place of use,${formatMoney(purchases)}`),
    ...when(
      deductions !== ZERO,
      `# DED,${WA.stateSales},deduction code,${formatMoney(deductions)},explanation`,
    ),
  ];
  return {
    text: `${lines}${open.map((line) => `${line}\r\n`).join('')}`,
    rows: 2 + rows.length + (hasPurchases ? 1 : 0),
    comesTo: sum([amountOfLine(filed, '1 tax'), ...rows.map((row) => row.tax), amountOfLine(filed, 'Use')]),
    leavesOut: ALL_BESIDE,
    control: { what: 'Local taxable amount', amount: taxable },
    ties: [
      ['The local lines of the file add up to line 45.', taxable, amountOfLine(filed, '45 taxable')],
      ['The local lines add up to the taxable retail sales.', taxable, amountOfLine(filed, '1 taxable')],
    ],
    toComplete: [
      ...missingCodes(rows, 'location code'),
      ...when(
        repeated.length > 0,
        `enter by hand on the return line 45 of the locations with several rows, which begin with #: ${repeated.join(', ')}`,
      ),
      ...when(hasPurchases, 'add the location code of the place of use in the line 46 that begins with #'),
      ...when(
        deductions !== ZERO,
        'add the deduction codes in the lines that begin with #',
        'enter the deductions of the retailing line, if there are any; food is not deducted there',
      ),
      ...when(
        registration.frequency !== 'monthly',
        'check how the period is written: of one longer than a month that is not verified',
      ),
      'add e-mail address and telephone number to the ACCOUNT line',
    ],
  };
};

/** Cleans a name for a line that is not read as CSV. */
const plain = (name: string): string => name.replace(/[\r\n,]+/g, ' ');

/** Two letters of the jurisdiction, a blank, and the line code. */
const NY_CODE = /^[A-Z]{2} [A-Z0-9]+$/;

/**
 * Builds the jurisdictional upload of New York's Sales Tax Web File: eight fields, no header, whole dollars, no
 * negative amounts: a negative amount of a jurisdiction goes into the field for credits. A code such as `AL 0181` is
 * split into the jurisdiction and its line; any other text is not a code of the form.
 */
const nyCsv = (filed: TaxReturn): Written => {
  const rows = scheduleNamed(filed, 'jurisdictions').rows.map((row) => ({
    ...row,
    code: NY_CODE.test(row.code) ? row.code : '',
  }));
  const repeated = repeatedCodes(rows);
  const whole = (amount: Money): string => String(Math.abs(amount) / 100);
  const taxed = sum(rows.map(({ taxable }) => taxable));
  const refunded = sum(rows.map(({ taxable }) => lesser(taxable, ZERO)));
  const cells = rows.map(({ code, taxable }) => {
    const [jurisdiction = '', line = ''] = code.split(' ');
    const amounts = taxable < ZERO ? ['0', whole(taxable)] : [whole(taxable), '0'];
    return [text(jurisdiction), text(line), ...[...amounts, '0', '0', '0', '0'].map(number)];
  });
  const taxableLine = lineWithRole(filed.form, 'taxable');
  return {
    text: csvText(cells),
    rows: rows.length,
    comesTo: sum(rows.map(({ tax }) => tax)),
    leavesOut: ALL_BESIDE,
    control: { what: 'Taxable sales less credits', amount: taxed },
    ties: [
      [
        'The rows of the file add up to the taxable sales of the return.',
        taxed,
        amountOfLine(filed, taxableLine),
      ],
    ],
    toComplete: [
      ...missingCodes(rows, 'jurisdiction and line code'),
      ...when(
        repeated.length > 0,
        `check how the form takes several rows of one code: ${repeated.join(', ')}`,
      ),
      'check the last two of the eight fields, which are zero and not verified',
    ],
    notes: when(
      refunded < ZERO,
      `Refunds above sales, ${whole(refunded)} dollars, are in the field for credits.`,
    ),
  };
};

const PA_STATE = '00';

/** Builds the return file for Pennsylvania's myPATH: one row per code (00 state, 02 Allegheny, 51 Philadelphia). */
const paCsv = (filed: TaxReturn): Written => {
  const { registration, figures, credits } = filed;
  const { last } = figures.period;
  const { rows } = scheduleNamed(filed, 'locals');
  const periodEnd = `${Number(last.slice(5, 7))}/${Number(last.slice(8))}/${last.slice(2, 4)}`;
  const stateTax = amountOfLine(filed, '3 state');
  const useTax = amountOfLine(filed, 'Use');
  const tax = sum([stateTax, ...rows.map((local) => local.tax)]);
  /** A row of 14 columns: sales, taxable amount, tax, credits, and use tax. */
  const row = (code: string, [use = ZERO, ...amounts]: readonly Money[]): readonly CsvCell[] => [
    ...[digitsOf(registration.account), periodEnd, code].map(text),
    ...amounts.map(amountCell),
    ...['N', 'N'].map(text),
    ...[use, ZERO].map(amountCell),
    ...['', '', ''].map(text),
  ];
  const sales = [amountOfLine(filed, '1 state'), amountOfLine(filed, '2 state')];
  return {
    text: csvText([
      row(PA_STATE, [useTax, ...sales, stateTax, credits.used]),
      ...rows.map((local) => row(local.code, [ZERO, local.taxable, local.taxable, local.tax, ZERO])),
    ]),
    rows: 1 + rows.length,
    comesTo: subtract(sum([tax, useTax]), sum([credits.used, amountOfLine(filed, '4')])),
    leavesOut: ['prepayments', 'penalty and interest'],
    control: { what: 'Sales tax', amount: tax },
    ties: [
      ['The tax of the rows is the tax of lines 3.', tax, sum([stateTax, amountOfLine(filed, '3 local')])],
      [
        'Tax and use tax of the file are the tax of the return.',
        sum([tax, useTax]),
        amountOfLine(filed, 'Total'),
      ],
    ],
    toComplete: [
      ...missingCodes(rows, 'code'),
      'add the entity id and its type in the last columns, which were not seen in full',
    ],
    notes: [
      'Gross sales of the local rows are their taxable amounts: what is not taxed is known for the whole state only.',
    ],
  };
};

const FORMATS: Readonly<Record<NonNullable<TaxReturn['form']['upload']>, Format>> = {
  'wa-tagged': { format: 'WA tagged file', ending: 'txt', write: waTagged },
  'ny-csv': { format: 'NY jurisdictional upload, 8 fields', ending: 'csv', write: nyCsv },
  'pa-csv': { format: 'PA myPATH sales tax return, 14 columns', ending: 'csv', write: paCsv },
};

/** Builds the upload file of a return, where its state takes one. */
export const uploadFilesOf = (filed: TaxReturn, seller: string): readonly UploadFile[] => {
  const { form, figures } = filed;
  if (form.upload === undefined) return [];
  const { format, ending, write } = FORMATS[form.upload];
  const { text: content, rows, control, ties, toComplete, notes = [], ...written } = write(filed, seller);
  const file: UploadFile = {
    state: figures.state,
    format,
    name: `${figures.state}-${form.form.replace(/[^A-Za-z0-9]+/g, '-')}-${figures.period.label}.${ending}`,
    text: content,
    rows,
    control,
    checks: ties.map(([test, left, right]) => ({ test, left, right, tolerance: ZERO })),
    toComplete: [
      ...byHand(filed, written),
      ...when(isAmendmentLabel(figures.period.label), 'file it as an amended return, which it does not say'),
      ...when(
        hasGap(figures),
        'check the rows of places whose local rate Tieout lacks: they carry the tax as it was collected',
      ),
      ...toComplete,
    ],
    notes,
  };
  return [file];
};

/** Says how far the amounts of a file are from the amount due: for lines of the return that it has no place for. */
const byHand = (
  filed: TaxReturn,
  { comesTo, leavesOut }: Pick<Written, 'comesTo' | 'leavesOut'>,
): readonly string[] => {
  const due = amountDue(filed);
  const named = leavesOut
    .map((name) => [name, BESIDE[name](filed)] as const)
    .filter(([, amount]) => amount !== ZERO)
    .map(([name, amount]) => `the ${name} of ${shownMoney(absolute(amount))}`);
  const what = named.length === 0 ? 'the lines' : named.join(' and ');
  return when(
    comesTo !== due,
    `enter by hand ${what} that the file has no place for: it comes to ${shownMoney(comesTo)}, the return to ${shownMoney(due)}`,
  );
};

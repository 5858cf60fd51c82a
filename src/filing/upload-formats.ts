import { formatMoney, formatPercent, sum, ZERO } from '../kernel/money.ts';
import { amountOfLine, type TaxReturn } from './tax-return.ts';
import {
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
  type WrittenFile,
} from './upload-parts.ts';

const RETAILING = '2';
const STATE_SALES = '1';
const LOCAL_SALES = '45';
/** Use tax and deferred sales tax of the state and of places, by the value of the articles. */
const STATE_USE = '5';
const LOCAL_USE = '46';

/**
 * Builds the tagged file of the Washington Department of Revenue ("Upload data files to My DOR"): ACCOUNT, TAX and DED
 * lines. The portal skips lines that begin with #: rows without a known code are written that way, for a person to
 * complete. So are those of a location whose rate changed: the upload takes one rate of a location, the later one.
 */
export const waTagged = (filed: TaxReturn, seller: string): WrittenFile => {
  const { figures, registration, values } = filed;
  const { purchases } = values;
  const local = scheduleNamed(filed, 'local');
  const repeated = repeatedCodes(local.rows);
  const known = local.rows.filter(({ code }) => code !== '' && !repeated.includes(code));
  const deductions = amountOfLine(filed, '1 ded');
  const gross = formatMoney(amountOfLine(filed, '1 gross'));
  const { last } = figures.period;
  const tax = (line: string, location: string, amount: string) =>
    [text('TAX'), number(line), number(location), number(amount)] as const;
  const lines = csvText([
    [
      text('ACCOUNT'),
      number(digitsOf(registration.account) || '0'),
      number(`${last.slice(5, 7)}${last.slice(0, 4)}`),
      text(seller),
      text(''),
      text(''),
    ],
    tax(RETAILING, '0', formatMoney(amountOfLine(filed, '2'))),
    tax(STATE_SALES, '0', gross),
    ...known.map(({ code, taxable }) => tax(LOCAL_SALES, code, formatMoney(taxable))),
    ...(purchases === ZERO ? [] : [tax(STATE_USE, '0', formatMoney(purchases))]),
  ]);
  const open = [
    ...local.rows
      .filter((row) => !known.includes(row))
      .map(({ code, name, rate, taxable }) => {
        const place =
          code === '' ? `location code of ${plain(name)}` : `${plain(code)} at ${formatPercent(rate)}`;
        return `# TAX,${LOCAL_SALES},${place},${formatMoney(taxable)}`;
      }),
    ...(purchases === ZERO
      ? []
      : [`# TAX,${LOCAL_USE},location code of the place of use,${formatMoney(purchases)}`]),
    ...(deductions === 0
      ? []
      : [`# DED,${STATE_SALES},deduction code,${formatMoney(deductions)},explanation`]),
  ];
  const control = sum(local.rows.map(({ taxable }) => taxable));
  return {
    state: figures.state,
    format: 'WA tagged file',
    name: fileName(filed, 'txt'),
    text: `${lines}${open.map((line) => `${line}\r\n`).join('')}`,
    rows: 2 + local.rows.length + (purchases === ZERO ? 0 : 1),
    comesTo: sum([
      amountOfLine(filed, '1 tax'),
      ...local.rows.map((row) => row.tax),
      amountOfLine(filed, 'Use'),
    ]),
    control: { what: 'Local taxable amount', amount: control },
    checks: [
      equalCheck(
        'The local lines of the file add up to line 45.',
        control,
        amountOfLine(filed, '45 taxable'),
      ),
      equalCheck(
        'The local lines add up to the taxable retail sales.',
        control,
        amountOfLine(filed, '1 taxable'),
      ),
    ],
    toComplete: [
      ...missingRates(filed),
      ...missingCodes(local.rows, 'location code'),
      ...(repeated.length === 0
        ? []
        : [
            `enter by hand on the return line 45 of the locations with several rows, which begin with #: ${repeated.join(', ')}`,
          ]),
      ...(purchases === ZERO
        ? []
        : ['add the location code of the place of use in the line 46 that begins with #']),
      ...(deductions === 0
        ? []
        : [
            'add the deduction codes in the lines that begin with #',
            'enter the deductions of the retailing line, if there are any; food is not deducted there',
          ]),
      ...(registration.frequency === 'monthly'
        ? []
        : ['check how the period is written: of one longer than a month that is not verified']),
      'add e-mail address and telephone number to the ACCOUNT line',
    ],
    notes: [],
  };
};

/** Cleans a name for a line that is not read as CSV. */
const plain = (name: string): string => name.replace(/[\r\n,]+/g, ' ');

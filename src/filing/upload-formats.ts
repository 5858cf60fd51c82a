import { formatMoney, formatPercent, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { isAmendmentLabel } from '../kernel/period.ts';
import { amountOfLine, type TaxReturn } from './tax-return.ts';
import {
  csvText,
  digitsOf,
  element,
  equalCheck,
  fileName,
  missingCodes,
  missingRates,
  number,
  repeatedCodes,
  scheduleNamed,
  text,
  type WrittenFile,
  type XmlElement,
  xmlText,
} from './upload-parts.ts';

/**
 * Returns the purpose of a file: an amended return has every figure of the period, so it takes the place of the original
 * and of earlier amendments (revenue.wi.gov, "Additional Detail Information of Schema Elements V2.0", read 2026-11-26).
 */
const purposeOf = ({ label }: TaxReturn['figures']['period']): string =>
  isAmendmentLabel(label) ? 'Replace' : 'Original';

/** Builds Form ST-12 for Wisconsin's file transmission: one return per XML file. */
export const wiXml = (filed: TaxReturn, seller: string): WrittenFile => {
  const { figures, registration, dueDate } = filed;
  const counties = scheduleNamed(filed, 'counties');
  const amount = (name: string, value: Money): XmlElement => element(name, formatMoney(value));
  const line = (name: string, number: string): XmlElement => amount(name, amountOfLine(filed, number));
  // What the amounts of the file add up to: it has no element for other lines of the return.
  const salesTax = sum([amountOfLine(filed, '8'), counties.tax]);
  const comesTo = subtract(salesTax, amountOfLine(filed, 'Discount'));
  const document = element(
    'SUTFiling',
    [
      element('FilerID', digitsOf(registration.account)),
      element('Name', seller),
      element('FilingPeriod', [
        element('PeriodStart', figures.period.first),
        element('PeriodEnd', figures.period.last),
        element('DueDate', dueDate),
      ]),
      element(
        'SUTReturn',
        [
          line('TotalSales', '1'),
          line('ExemptionCertificates', '2'),
          line('ExemptSales', '3'),
          line('ReturnsAllowancesBadDebts', '4'),
          line('OtherSubtractions', '5'),
          line('TotalSubtractions', '6'),
          line('SalesSubjectToTax', '7'),
          line('StateSalesTax', '8'),
          ...counties.rows.map(({ name, level, taxable, tax }) =>
            element('CountyDetail', [
              element('County', level === 'city' ? `City of ${name}` : name),
              amount('Sales', taxable),
              amount('Tax', tax),
            ]),
          ),
          amount('CountyTotal', counties.tax),
          amount('TotalSalesTax', salesTax),
          line('Discount', 'Discount'),
          amount('TotalAmountDue', comesTo),
        ],
        { Type: 'ST-12', Activity: 'true' },
      ),
    ],
    { Usage: 'Test', Purpose: purposeOf(figures.period), DefaultCurrency: 'USD' },
  );
  const control = sum(counties.rows.map(({ tax }) => tax));
  return {
    state: figures.state,
    format: 'WI ST-12 XML',
    namesAmendment: true,
    name: fileName(filed, 'xml'),
    text: xmlText(document),
    rows: counties.rows.length + 1,
    comesTo,
    control: { what: 'County and city tax', amount: control },
    checks: [equalCheck('The counties add up to line 9.', control, amountOfLine(filed, '9'))],
    toComplete: [
      ...missingRates(filed),
      'validate the file against the schema of the department: not all names of amounts are verified, and names of counties and cities must be those of the schema',
      'change Usage, which is "Test"',
    ],
    notes: [],
  };
};

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

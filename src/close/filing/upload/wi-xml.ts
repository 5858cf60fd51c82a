import { formatMoney, type Money, sum } from '../../../kernel/money.ts';
import { amountOfLine, type TaxReturn } from '../return/tax-return.ts';
import {
  digitsOf,
  element,
  equalCheck,
  fileName,
  missingRates,
  scheduleNamed,
  type UploadFile,
  type XmlElement,
  xmlText,
} from './upload-parts.ts';

/** Form ST-12 as Wisconsin's file transmission takes it: one return per XML file. */
export const wiXml = (filed: TaxReturn, seller: string): UploadFile => {
  const { figures, registration, dueDate } = filed;
  const counties = scheduleNamed(filed, 'counties');
  const amount = (name: string, value: Money): XmlElement => element(name, formatMoney(value));
  const line = (name: string, number: string): XmlElement => amount(name, amountOfLine(filed, number));
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
          ...counties.rows.map(({ name, taxable, tax }) =>
            element('CountyDetail', [element('County', name), amount('Sales', taxable), amount('Tax', tax)]),
          ),
          amount('CountyTotal', counties.tax),
          line('TotalSalesTax', 'Total'),
          line('Discount', 'Discount'),
          line('TotalAmountDue', 'Due'),
        ],
        { Type: 'ST-12', Activity: 'true' },
      ),
    ],
    { Usage: 'Test', Purpose: 'Original', DefaultCurrency: 'USD' },
  );
  const control = sum(counties.rows.map(({ tax }) => tax));
  return {
    state: figures.state,
    format: 'WI ST-12 XML',
    name: fileName(filed, 'xml'),
    text: xmlText(document),
    rows: counties.rows.length + 1,
    control: { what: 'County and city tax', amount: control },
    checks: [equalCheck('The counties add up to line 9.', control, amountOfLine(filed, '9'))],
    toComplete: [
      ...missingRates(filed),
      'validate the file against the schema of the department: not all names of amounts are verified, and county names must be those of the schema',
      'change Usage, which is "Test"',
    ],
    notes: [],
  };
};

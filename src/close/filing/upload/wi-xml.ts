import { formatMoney, type Money, subtract, sum } from '../../../kernel/money.ts';
import { isAmendmentLabel } from '../../../kernel/period.ts';
import { amountOfLine, type TaxReturn } from '../return/tax-return.ts';
import type { WrittenFile } from './entered-by-hand.ts';
import {
  digitsOf,
  element,
  equalCheck,
  fileName,
  missingRates,
  scheduleNamed,
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
    carries: ['8', '9', 'Discount'],
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

import { add, formatMoney, type Money, subtract, sum, ZERO } from '../../../kernel/money.ts';
import { isAmendmentLabel } from '../../../kernel/period.ts';
import { codeOf } from '../return/schedule-rows.ts';
import { amountOf, lineWithRole, type TaxReturn } from '../return/tax-return.ts';
import type { WrittenFile } from './entered-by-hand.ts';
import {
  element,
  equalCheck,
  fileName,
  missingCodes,
  missingRates,
  type XmlElement,
  xmlText,
} from './upload-parts.ts';

/** Version and names as in open implementations of the Simplified Electronic Return. */
const VERSION = 'SST2015V01';

/** Builds the Simplified Electronic Return of the Streamlined system: one document per state, with all its places. */
export const sstSer = (filed: TaxReturn, seller: string): WrittenFile => {
  const { figures, registration, values } = filed;
  const amount = (name: string, value: Money): XmlElement => element(name, formatMoney(value));
  const codes = registration.locationCodes ?? {};
  const places = localTaxes(filed)
    .filter(({ tax }) => tax !== 0)
    .map((place) => ({ code: codeOf(codes, place), tax: place.tax }));
  const localTax = sum(places.map(({ tax }) => tax));
  const salesTax = subtract(amountOf(filed.lines, 'tax'), filed.useTax);
  const stateTax = subtract(salesTax, localTax);
  const comesTo = sum([stateTax, localTax, filed.useTax]);
  const document = element(
    'SSTSimplifiedReturnTransmission',
    [
      element('TransmissionHeader', [
        element(
          'TransmissionId',
          `${registration.streamlinedId ?? ''}-${figures.state}-${figures.period.label}`,
        ),
        element('ProcessType', 'T'),
        element('DocumentCount', '1'),
      ]),
      element(
        'SimplifiedReturnDocument',
        [
          element('SSTPFilingHeader', [
            element('FilingType', 'SER'),
            element('TaxPeriodStartDate', figures.period.first),
            element('TaxPeriodEndDate', figures.period.last),
            element('SSTPID', registration.streamlinedId ?? ''),
            element('Filer', seller),
          ]),
          element('SimplifiedElectronicReturn', [
            element('ReturnType', 'O'),
            amount('TotalSales', values.sales),
            amount('ExemptionsDeductions', values.deductions),
            amount('TaxableSales', values.taxable),
            amount('StateTaxDueSalesInState', ZERO),
            amount('StateTaxDueSalesOrigOutOfState', stateTax),
            amount('StateTaxDueOwnPurchWithdraw', filed.useTax),
            amount('StateTaxDueFoodDrug', ZERO),
            ...places.map(({ code, tax }) =>
              element('JurisdictionDetail', [
                element('JurisdictionCode', code),
                amount('JurisTaxDueSalesInState', ZERO),
                amount('JurisTaxDueSalesOrigOutOfState', tax),
                amount('JurisTaxDueOwnPurchWithdraw', ZERO),
              ]),
            ),
            amount('TotalTaxDue', comesTo),
            amount('AmountDueOrRefund', comesTo),
          ]),
        ],
        { DocumentId: '1', DocumentType: 'SER' },
      ),
    ],
    { transmissionVersion: VERSION },
  );
  return {
    state: figures.state,
    format: 'SST simplified electronic return',
    namesAmendment: true,
    name: fileName(filed, 'ser.xml'),
    text: xmlText(document),
    rows: places.length + 1,
    carries: [lineWithRole(filed.form, 'tax')],
    comesTo,
    control: { what: 'Tax due on sales', amount: sum([stateTax, localTax]) },
    checks: [
      equalCheck(
        'State and local tax of the file are the tax of the return.',
        sum([stateTax, localTax]),
        salesTax,
      ),
    ],
    toComplete: [
      ...missingRates(filed),
      ...missingCodes(places, 'jurisdiction code'),
      'validate the file against the Streamlined schema',
      'change ProcessType, which is T for test',
      ...(isAmendmentLabel(figures.period.label)
        ? ['change ReturnType, which is O for an original return']
        : []),
    ],
    notes: [
      'All sales are taken for sales from outside the state, and jurisdiction codes come from the registration.',
    ],
  };
};

type LocalTax = {
  readonly name: string;
  readonly county: string;
  readonly city: string;
  readonly tax: Money;
};

/**
 * Returns the local tax of each place: by the form's own schedule of local parts, if it has one, or by the sales. A city
 * that only a district reaches has no part of its own.
 */
const localTaxes = ({ schedules, figures }: TaxReturn): readonly LocalTax[] =>
  schedules.find(({ schedule }) => schedule.rows === 'place-local')?.rows ??
  figures.places.map(({ county, city, isOfDistrict, localTax, gapTax }) => ({
    name: `${county} / ${city}`,
    county,
    city: isOfDistrict ? '' : city,
    tax: add(localTax, gapTax),
  }));

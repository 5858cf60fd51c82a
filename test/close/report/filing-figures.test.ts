import { describe, expect, test } from 'vitest';
import type { DetailRow } from '../../../src/close/reconcile/detail-row.ts';
import { filingFigures } from '../../../src/close/report/filing-figures.ts';
import type { Sale } from '../../../src/close/sales/sale.ts';
import { dollars, periodOf, rateOf } from '../filing/figures-of.ts';

const period = periodOf('2026-10');

type Given = {
  readonly kind?: 'order' | 'refund';
  readonly gross: string;
  readonly taxable?: string;
  readonly collected?: string;
  readonly expected?: string;
  readonly exemption?: Sale['exemptionType'];
  readonly posted?: boolean;
  readonly levels?: DetailRow['levels'];
};

const signed = (text: string) => (text.startsWith('-') ? (-dollars(text.slice(1)) as never) : dollars(text));

const add = (figures: ReturnType<typeof filingFigures>, given: Given): void => {
  const row = {
    state: 'TX',
    kind: given.kind ?? 'order',
    isPosted: given.posted ?? true,
    gross: signed(given.gross),
    taxable: signed(given.taxable ?? '0'),
    collected: signed(given.collected ?? '0'),
    expected: signed(given.expected ?? '0'),
    levels: given.levels ?? [],
  } as unknown as DetailRow;
  figures.add(row, { exemptionType: given.exemption ?? null } as Sale);
};

const level = (
  name: DetailRow['levels'][number]['level'],
  of: string,
  at: string,
  taxable: string,
  tax: string,
) => ({
  level: name,
  name: of,
  rate: rateOf(at),
  taxable: signed(taxable),
  tax: signed(tax),
  collected: signed(tax),
});

describe('the figures of a state’s return', () => {
  test('exempt, marketplace and returned sales are kept apart, refunds with their minus sign', () => {
    const figures = filingFigures();
    add(figures, { gross: '100.00', exemption: 'wholesale' });
    add(figures, { gross: '-30.00', exemption: 'wholesale', kind: 'refund' });
    add(figures, { gross: '40.00', exemption: 'government' });
    add(figures, { gross: '500.00', exemption: 'marketplace' });
    add(figures, { gross: '20.00', exemption: 'non_exempt', taxable: '20.00' });
    add(figures, { gross: '999.00', exemption: 'other', posted: false });
    expect(figures.of('TX', period, undefined, [])).toMatchObject({
      exempt: [
        { type: 'government', amount: dollars('40.00'), sales: 1 },
        { type: 'wholesale', amount: dollars('70.00'), sales: 2 },
      ],
      marketplace: dollars('500.00'),
      returns: dollars('30.00'),
    });
  });

  test('what was charged too much is added up sale by sale', () => {
    const figures = filingFigures();
    add(figures, { gross: '10.00', collected: '1.00', expected: '0.80' });
    add(figures, { gross: '10.00', collected: '0.50', expected: '0.80' });
    expect(figures.of('TX', period, undefined, []).excessCollected).toBe(dollars('0.20'));
  });

  test('a place has the rates of all its levels together, and its name from any of them', () => {
    const figures = filingFigures();
    const houston = [
      level('state', 'TX', '0.0625', '100.00', '6.25'),
      level('city', 'HOUSTON', '0.01', '100.00', '1.00'),
      level('special', 'HARRIS / HOUSTON', '0.01', '100.00', '1.00'),
    ];
    add(figures, { gross: '100.00', levels: houston });
    add(figures, { gross: '100.00', levels: houston });
    add(figures, {
      gross: '-100.00',
      kind: 'refund',
      levels: houston.map((each) => ({ ...each, taxable: signed('-50.00'), tax: signed('-1.00') })),
    });
    expect(figures.of('TX', period, undefined, []).places).toEqual([
      {
        county: 'HARRIS',
        city: 'HOUSTON',
        rate: rateOf('0.0825'),
        localRate: rateOf('0.02'),
        taxable: dollars('150.00'),
        tax: dollars('13.50'),
        localTax: dollars('2.00'),
      },
    ]);
  });

  test('a state without sales has none of anything', () => {
    expect(filingFigures().of('TX', period, undefined, [])).toMatchObject({
      gross: 0,
      exempt: [],
      places: [],
    });
  });
});

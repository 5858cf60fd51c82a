import { describe, expect, test } from 'vitest';
import type { DetailRow } from '../../../src/close/reconcile/detail-row.ts';
import type { ReasonCode } from '../../../src/close/reconcile/reason.ts';
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
  readonly reasons?: readonly (readonly [code: ReasonCode, amount: string])[];
  readonly shared?: DetailRow['shared'];
  readonly city?: string;
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
    reasons: (given.reasons ?? []).map(([code, amount]) => ({ code, amount: signed(amount), proof: '' })),
    shared: given.shared,
    city: given.city ?? 'Austin',
    zip: '78701',
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
        gapTax: 0,
        isGap: false,
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

  test('tax under rates that the content lacks is no excess and has rows of its own', () => {
    const figures = filingFigures();
    const state = level('state', 'Texas', '0.0625', '100.00', '6.25');
    const missing = (name: string, at: string, collected: string) => ({
      ...level('city', name, at, '0', '0'),
      collected: signed(collected),
    });
    const shared = { where: 'Anna', scope: 'place', shop: rateOf('0.0825'), own: rateOf('0.0625') } as never;
    const order = { gross: '100.00', taxable: '100.00', expected: '6.25', city: 'Anna', shared };
    add(figures, {
      ...order,
      collected: '8.26',
      levels: [state, missing('Anna', '0.015', '1.50'), missing('Transit', '0.005', '0.50')],
      reasons: [
        ['R26', '2.00'],
        ['R01', '0.01'],
      ],
    });
    add(figures, { ...order, collected: '8.25', levels: [state], reasons: [['R27', '2.00']] });
    add(figures, {
      gross: '100.00',
      taxable: '100.00',
      expected: '6.25',
      collected: '6.25',
      levels: [state],
    });
    const { gap, places, excessCollected } = figures.of('TX', period, undefined, []);
    expect(excessCollected).toBe(1);
    expect([gap.sales, gap.tax]).toEqual([2, 400]);
    expect(gap.jurisdictions.map(({ name, rate, taxable, tax }) => [name, rate, taxable, tax])).toEqual([
      ['Anna', rateOf('0.015'), 10_000, 150],
      ['Anna', rateOf('0.02'), 10_000, 200],
      ['Transit', rateOf('0.005'), 10_000, 50],
    ]);
    expect(
      places.map(({ city, isGap, taxable, tax, gapTax }) => [city, isGap, taxable, tax, gapTax]),
    ).toEqual([
      ['', false, 10_000, 625, 0],
      ['Anna', true, 20_000, 1250, 400],
    ]);
  });
});

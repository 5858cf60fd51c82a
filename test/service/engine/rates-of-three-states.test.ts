import { describe, expect, test } from 'vitest';
import { orderTo, taxOf } from './tax-of.ts';

const PLACES = {
  Chicago: ['IL', '60601'],
  Wheaton: ['IL', '60187'],
  Springfield: ['IL', '62701'],
  Benton: ['IL', '62812'],
  Champaign: ['IL', '61820'],
  Alhambra: ['IL', '62001'],
  Addison: ['IL', '60101'],
  Bannockburn: ['IL', '60015'],
  Evanston: ['IL', '60201'],
  Bloomington: ['IL', '61701'],
  Belleville: ['IL', '62220'],
  Seattle: ['WA', '98101'],
  Kent: ['WA', '98032'],
  Yakima: ['WA', '98908'],
  Carnation: ['WA', '98014'],
  Denver: ['CO', '80202'],
  Englewood: ['CO', '80110'],
  Boulder: ['CO', '80302'],
  Lakewood: ['CO', '80226'],
} as const;

const of = (city: keyof typeof PLACES, day: string, product_tax_code?: string) => {
  const [state, zip] = PLACES[city];
  const line_items = [{ id: '1', quantity: 1, unit_price: 100, product_tax_code }];
  const changes = { calculation_date: day, explain: true, line_items };
  const { amount_to_collect, explanation } = taxOf(orderTo(state, zip, city, changes));
  return [amount_to_collect, (explanation?.flags ?? []).join(' ')] as const;
};

describe('Illinois', () => {
  test.for([
    ['Chicago', '2026-07-31', 10.25],
    ['Chicago', '2026-08-01', 10.5],
    ['Chicago', '2017-01-01', 10.25],
    ['Wheaton', '2026-07-31', 7],
    ['Wheaton', '2026-08-01', 7.25],
    ['Champaign', '2025-12-31', 9],
    ['Champaign', '2026-01-01', 9.25],
    ['Springfield', '2026-06-30', 9.5],
    ['Springfield', '2026-07-01', 10],
    ['Benton', '2026-06-30', 8.25],
    ['Benton', '2026-07-01', 7.25],
    ['Addison', '2026-05-01', 8.75],
    ['Alhambra', '2026-05-01', 6.6],
  ] as const)('%s on %s: %d', ([city, day, tax]) => {
    expect(of(city, day)[0]).toBe(tax);
  });

  test('says where the newest file was compared, and flags other days after the last file', () => {
    expect(of('Chicago', '2026-10-01')).toEqual([10.5, '']);
    expect(of('Springfield', '2026-07-01')[1]).toContain('known until 2026-06-30');
    expect(of('Bannockburn', '2026-08-01')[1]).toContain('The rate of Bannockburn is weak.');
  });

  test.for([
    ['Chicago', '2025-06-01', '51020', 2.25, /^$/],
    ['Chicago', '2025-06-01', '51010', 2.25, /^$/],
    ['Chicago', '2026-06-01', '51020', 2.25, /^$/],
    ['Chicago', '2026-08-01', '51020', 2.25, /Regional transit \(Cook\) is weak/],
    ['Wheaton', '2025-06-01', '51020', 1.75, /not complete/],
    ['Springfield', '2025-06-01', '51020', 1, /Springfield was seen on 2026-05-04/],
    ['Belleville', '2025-06-01', '51020', 1.75, /Metro-East mass transit depends on the street/],
    ['Chicago', '2025-06-01', '40030', 2.25, /^$/],
    ['Chicago', '2026-06-01', '40030', 1.25, /^$/],
    ['Bloomington', '2026-06-01', '40030', 1, /not complete .* business districts/],
    ['Bloomington', '2026-08-01', '40030', 1, /Bloomington is weak/],
    ['Evanston', '2026-06-01', '40030', 2.25, /Local taxes on food differ by place .* 0.01 was applied/],
  ] as const)('%s on %s, category %s: %d', ([city, day, code, tax, flags]) => {
    const [amount, said] = of(city, day, code);
    expect(amount).toBe(tax);
    expect(said).toMatch(flags);
  });
});

describe('Washington, by quarter', () => {
  test.for([
    ['Seattle', '2022-01-01', 10.25],
    ['Seattle', '2024-03-31', 10.25],
    ['Seattle', '2024-04-01', 10.35],
    ['Seattle', '2026-01-01', 10.55],
    ['Yakima', '2025-11-01', 8.3],
  ] as const)('%s on %s: %d', ([city, day, tax]) => {
    expect(of(city, day)).toEqual([tax, '']);
  });

  test('has the city of Carnation, which the tables list as a place of its own kind', () => {
    expect(of('Carnation', '2026-05-01')).toEqual([8.9, 'Only a part of ZIP 98014 lies in Carnation.']);
  });

  test('flags a city on both sides of a transit border, and days before and after its tables', () => {
    expect(of('Kent', '2026-05-01')).toEqual([10.4, expect.stringContaining('Kent depends on the street')]);
    expect(of('Seattle', '2021-12-31')).toEqual([6.5, expect.stringContaining('known since 2022-01-01')]);
    expect(of('Seattle', '2026-07-01')).toEqual([10.55, expect.stringContaining('known until 2026-06-30')]);
  });
});

describe('Colorado, by year', () => {
  test.for([
    ['Denver', '2021-01-01', 8.81],
    ['Denver', '2024-12-31', 8.81],
    ['Denver', '2025-01-01', 9.15],
    ['Boulder', '2025-06-01', 9.05],
    ['Lakewood', '2022-12-31', 7.5],
    ['Englewood', '2023-12-31', 7.75],
    ['Englewood', '2024-07-01', 8.05],
  ] as const)('%s on %s: %d', ([city, day, tax]) => {
    expect(of(city, day)).toEqual([tax, '']);
  });

  test('flags a change whose day is not known, and days after its tables', () => {
    expect(of('Englewood', '2024-01-01')).toEqual([8.05, expect.stringContaining('Englewood is weak')]);
    expect(of('Denver', '2026-01-01')).toEqual([9.15, expect.stringContaining('known until 2025-12-31')]);
    expect(of('Denver', '2020-12-31')[1]).toContain('known since 2021-01-01');
  });
});

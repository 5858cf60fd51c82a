import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateForm } from '../../../../src/close/sales/normal/date-form.ts';

const year = fc.constantFrom('2026', '2024', '1900', '1899', '0000', '9999', '202x');
const pair = fc.oneof(
  fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0')),
  fc.constantFrom('01', '02', '12', '23', '28', '29', '30', '31', '59', '6 ', '-1', '٠١'),
);
const offset = fc.constantFrom('+0000', '-0700', '-07:00', '+1459', '+1500', '-0060', 'Z', 'UTC', '0700', '');
const mark = fc.constantFrom('-', '/', '.', ':', ' ', '  ', '\t', '\u00a0', 'T', '');

test.for([
  'yyyy-MM-dd HH:mm:ss ZZZ',
  'yyyy-MM-ddTHH:mm:ssZZZ',
  'MM/dd/yyyy HH:mm',
  'yyyy-MM-dd',
  'dd.MM.yyyy',
])('cells of %s are read by their places as they are by the pattern', (form) => {
  const [byPlaces, byPattern] = [dateForm(form), dateForm(`(${form})`)];
  const tokens = form.match(/yyyy|MM|dd|HH|mm|ss|ZZZ|./g) ?? [];
  const cell = fc.tuple(
    ...tokens.map((token) => {
      if (token === 'yyyy') return year;
      if (token === 'ZZZ') return offset;
      const usual = fc.constant(token);
      return token.length === 2 ? pair : fc.oneof({ weight: 20, arbitrary: usual }, mark);
    }),
  );
  let dates = 0;
  fc.assert(
    fc.property(cell, (parts) => {
      const text = parts.join('');
      const found = byPlaces(text);
      if (found) dates += 1;
      expect(found).toEqual(byPattern(text));
    }),
    { numRuns: 2_000, seed: 26 },
  );
  expect(dates).toBeGreaterThan(5);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant } from '../../src/kernel/calendar.ts';
import { formatPrice, parseExactPrice } from '../../src/kernel/money.ts';
import {
  type DateZones,
  dateForm,
  dateReader,
  provenProfile,
  withCellDates,
} from '../../src/sales/read-date.ts';
import { isProblem, moneyReader, rowReader } from '../../src/sales/row-reader.ts';
import type { MoneyForm } from '../../src/sales/sale-map.ts';
import { withoutEntities } from '../../src/sales/sale-words.ts';
import { rowsOf } from '../support/rows.ts';
import { shopify } from './shopify-export.ts';

const DOLLARS: MoneyForm = {
  decimal: '.',
  currencySymbols: ['$', 'USD', 'US$'],
};
describe('an amount in the form that a profile declares', () => {
  test.for(
    rowsOf(`
    12.5 | 12.50 | trailing zeros dropped
    $1,234.56 | 1234.56 | symbol and groups
    -$12.00 | -12.00 | the sign before the symbol
    $-12.00 | -12.00 | and behind it
    12.00- | -12.00 | or at the end
    (12.00) | -12.00 | parentheses
    ($1,012.00) | -1012.00 | parentheses around a symbol
    $ (1,012.00) | -1012.00 | parentheses behind a symbol, as in accounting
    $ - | 0.00 | a zero as a line, as in accounting
    USD 5 | 5.00 | a code for a symbol
    .5 | 0.50 | no digit before the point
  `),
  )('%s is %s: %s', ([text, amount]) => {
    const value = moneyReader(DOLLARS)(` ${text}  `);
    expect(value === undefined ? undefined : formatPrice(value)).toBe(amount);
  });

  test.for(
    rowsOf(`
    1,23.45 | a group of two digits
    12,34 | a decimal comma
    1.234,56 | the other way round
    -(5.00) | two signs
    3.3E+09 | an exponent
    ##### | a column that was too narrow
    €5.00 | a symbol no one declared
    5 5 | two numbers
  `),
  )('%s is damage: %s', ([text]) => {
    expect(moneyReader(DOLLARS)(text)).toBeUndefined();
  });

  test('that is nothing but digits is what the plain decimal is, however many they are', () => {
    const read = moneyReader(DOLLARS);
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{1,12}(\.\d{0,4})?$/), (text) => {
        expect(read(text)).toBe(parseExactPrice(text));
      }),
    );
  });
});

describe('a date in the form that a profile declares', () => {
  test.for([
    ['MMM d, yyyy h:mm:ss a zzz', 'Oct 31, 2026 11:59:59 PM PDT', '2026-10-31', 'a zone in letters'],
    ['MM/dd/yy', '09/03/26', '2026-09-03', 'a year of two digits'],
    ['yyyy-MM-dd+HH:mm:ss', '2021-10-28+16:04:45', '2021-10-28', 'a plus that is not an offset'],
    ['yyyy-MM-dd HH:mm(:ss)', '2026-10-31 23:30', '2026-10-31', 'seconds that may be missing'],
    ['MM/dd/yy', '13/03/26', undefined, 'no thirteenth month'],
    ['yyyy-MM-dd', '2026-10-01x', undefined, 'something behind it'],
    ['MMM d, yyyy h:mm:ss a zzz', 'Oct 31, 2026 1:00:00 PM XST', undefined, 'an unknown zone'],
  ] as const)('%s: "%s" is of %s (%s)', ([form, text, day]) => {
    expect(dateForm(form)(text)?.date).toBe(day);
  });

  const zones: DateZones = { timeZone: 'America/Los_Angeles', statedZone: 'America/New_York' };
  const instantOf = (zone: string, form: string, text: string) => {
    const read = rowReader(['At', 'Zone']);
    const map = { 'Eastern Time': 'America/New_York' };
    const own = zone === 'column' ? { column: 'Zone', map } : zone;
    const rule = { columns: ['At'], forms: [form], provenByFile: false, zone: own };
    const date = dateReader(rule, read, zones)({ line: 2, cells: [text, 'Eastern Time'] });
    return isProblem(date) ? date.problem : formatInstant(date.at);
  };

  const ABBREVIATED = 'MMM d, yyyy h:mm:ss a zzz';
  const TIMED = 'yyyy-MM-dd HH:mm:ss';
  test.for([
    ['cell-abbreviation', ABBREVIATED, 'Nov 1, 2026 12:00:16 AM PDT', '2026-11-01T07:00:16.000Z', 'midnight'],
    ['UTC', TIMED, '2026-10-31 23:30:00', '2026-10-31T23:30:00.000Z', 'a fixed zone'],
    ['UTC', 'yyyy-MM-dd', '2026-10-31', '2026-10-31T07:00:00.000Z', 'a day is a day where the seller is'],
    ['channel', TIMED, '2026-11-01 01:30:00', '2026-11-01T05:30:00.000Z', 'an hour twice is the first'],
    ['channel', TIMED, '2026-03-08 02:30:00', '2026-03-08T07:30:00.000Z', 'a skipped hour is the next'],
  ] as const)('in the zone %s, %s "%s" is %s: %s', ([zone, form, text, at]) => {
    expect(instantOf(zone, form, text)).toBe(at);
  });
});

describe('day and month in a file', () => {
  const prove = async (
    name: string,
    forms: readonly string[],
    provenByFile: boolean,
    cells: readonly string[],
  ) => {
    const date = { columns: ['At'], forms: [...forms], provenByFile, zone: 'channel' };
    const plain = { ...shopify, locale: { ...shopify.locale, date } };
    const isBook = name === 'orders.xlsx';
    async function* rows() {
      yield cells.map((cell, at) => ({ line: at + 2, cells: [cell] }));
    }
    const read = { header: ['At'], rows, isWorkbook: isBook };
    const profile = isBook ? (withCellDates(plain) as typeof plain) : plain;
    return (await provenProfile(profile, read, name)).locale.date.forms;
  };
  const US = ['MM/dd/yyyy'];
  const BOTH = ['MM/dd/yyyy', 'dd/MM/yyyy'];
  const REAL = ['yyyy-MM-dd', 'yyyy-MM-dd H:mm(:ss)', 'yyyy-MM-dd h:mm(:ss) a'];

  test.for([
    ['orders.csv', US, false, ['10/05/2026'], US, 'nothing contradicts the declared form'],
    ['orders.csv', US, false, ['10/25/2026', '25/10/2026'], US, 'one value contradicts it, one proves it'],
    ['orders.csv', BOTH, true, ['05/10/2026', '24/10/2026'], ['dd/MM/yyyy'], 'the file proves one of two'],
    ['orders.xlsx', US, false, ['2026-10-05'], [...US, ...REAL], 'a real date says which its month is'],
    [
      'orders.xlsx',
      BOTH,
      true,
      ['2026-10-05', '2026-10-06 09:00:00'],
      [...BOTH, ...REAL],
      'and proves itself',
    ],
  ] as const)(
    '%s of %j (proven by the file: %s) with %j is read by %j: %s',
    async ([name, forms, proven, cells, expected]) => {
      expect(await prove(name, forms, proven, cells)).toEqual(expected);
    },
  );

  test.for([
    ['orders.csv', US, false, ['10/05/2026', '25/10/2026'], 'no date of the file proves that form'],
    ['orders.csv', BOTH, true, ['05/10/2026', '06/10/2026'], 'proves whether the day or the month is first'],
    ['orders.csv', BOTH, true, ['25/10/2026', '10/25/2026'], 'such as 25/10/2026 and 10/25/2026'],
    ['orders.xlsx', BOTH, true, ['2026-05-10', '25/10/2026'], 'a spreadsheet made dates of some cells'],
  ] as const)(
    '%s of %j (proven by the file: %s) with %j is refused: %s',
    async ([name, forms, proven, cells, why]) => {
      await expect(prove(name, forms, proven, cells)).rejects.toMatchObject({
        code: 'E_EXPORT_DATES',
        message: expect.stringContaining(why),
      });
    },
  );

  test.for([
    ['channel', 'MMM d, yyyy h:mm a', '14:30', '', '2026-10-05T18:30:00.000Z'],
    ['cell-abbreviation', 'M/d/yyyy HH:mm:ss zzz', '14:30:00', 'PDT', '2026-10-05T21:30:00.000Z'],
  ] as const)('a real day and the time beside it are one date: %j', ([zone, form, time, named, at]) => {
    const date = { columns: ['Day', 'Time', 'Zone'], forms: [form], provenByFile: false, zone };
    const profile = withCellDates({ ...shopify, locale: { ...shopify.locale, date } }) as typeof shopify;
    const zones: DateZones = { timeZone: 'America/New_York', statedZone: 'America/New_York' };
    const read = dateReader(profile.locale.date, rowReader(['Day', 'Time', 'Zone']), zones);
    const found = read({ line: 2, cells: ['2026-10-05', time, named] });
    expect(isProblem(found) ? found.problem : formatInstant(found.at)).toBe(at);
  });
});

test.for([
  ['Salt &amp; Pepper', 'Salt & Pepper', 'the usual one'],
  ['&amp;amp;', '&amp;', 'what was encoded twice is decoded once'],
  ['&#0; &#xd800; &bogus;', '&#0; &#xd800; &bogus;', 'nor is what no text can hold'],
] as const)('%s is read as %s: %s', ([text, expected]) => {
  expect(withoutEntities(text)).toBe(expected);
});

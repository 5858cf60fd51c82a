import { describe, expect, test } from 'vitest';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { money, price, rate } from '../../src/kernel/money.ts';
import { FORMATS } from '../../src/workbook/format.ts';

describe('a figure', () => {
  test.for([
    [FORMATS.money.encode(money(-5)), '-0.05', 'cents as exact decimals'],
    [FORMATS.money.encode(money(Number.MAX_SAFE_INTEGER)), '90071992547409.91', 'however many'],
    [FORMATS.price.encode(price(1234)), '0.1234', 'a price to four places'],
    [FORMATS.rate.encode(rate(887_500)), '0.08875', 'a rate as a fraction'],
    [FORMATS.count.encode(1_048_576), '1048576', 'a count'],
    [FORMATS.date.encode(calendarDate('2026-10-31')), '46326', 'a day by its number'],
    [FORMATS.date.encode(calendarDate('1900-03-01')), '61', 'the first day after an imaginary one'],
    [FORMATS['yes-no'].encode(true), 'Yes', 'a word for true'],
  ] as const)('is stored as %s, which is %s: %s', ([stored, expected]) => {
    expect(stored).toBe(expected);
  });

  test.for([
    [FORMATS.date.asText?.(calendarDate('1900-01-01')), '1900-01-01', 'before the imaginary day'],
    [FORMATS.date.asText?.(calendarDate('1900-02-28')), '1900-02-28', 'on the last day before it'],
    [FORMATS.date.asText?.(calendarDate('1900-03-01')), undefined, 'after it'],
  ] as const)('that no serial number has is text: %s', ([text, expected]) => {
    expect(text).toBe(expected);
  });
});

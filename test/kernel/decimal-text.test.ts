import { describe, expect, test } from 'vitest';
import { fixedText, isFinerThan, scaled, shortText } from '../../src/kernel/decimal.ts';

describe('a scaled integer', () => {
  test.for([
    ['12.5', 2, 1250, 'missing places are zeros'],
    ['12.345', 2, 1235, 'cut places are rounded'],
    ['-12.345', 2, -1235, 'away from zero on either side'],
    ['12.3449999', 2, 1234, 'by all of the digits that are cut, not by the first'],
    ['0.004', 2, 0, 'less than half is nothing'],
    ['12.5', 0, 13, 'there may be no places at all'],
    ['9.999', 2, 1000, 'rounding can carry into the dollars'],
  ] as const)('of %s with %i places is %i: %s', ([text, places, value]) => {
    expect(scaled(text, places)).toBe(value);
  });

  test.for([
    [0, 2, '0.00', '0.0'],
    [-5, 2, '-0.05', '-0.05'],
    [1250, 2, '12.50', '12.5'],
    [1200, 2, '12.00', '12.0'],
    [7, 0, '7', '7'],
  ] as const)('%i with %i places is written %s at length and %s in short', ([value, places, long, short]) => {
    expect(fixedText(value, places)).toBe(long);
    expect(shortText(value, places, Math.min(places, 1))).toBe(short);
  });

  test('written in short loses its point when nothing stands behind it', () => {
    expect(shortText(1200, 2)).toBe('12');
    expect(shortText(0, 7)).toBe('0');
    expect(shortText(-1_000, 2)).toBe('-10');
  });

  test('zeros are never too fine', () => {
    expect(isFinerThan('1.2300', 2)).toBe(false);
    expect(isFinerThan('1.2301', 2)).toBe(true);
    expect(isFinerThan('123', 0)).toBe(false);
    expect(isFinerThan('123.4', 0)).toBe(true);
  });
});

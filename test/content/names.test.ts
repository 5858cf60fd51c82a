import { describe, expect, test } from 'vitest';
import { parseStreet } from '../../src/content/boundaries.ts';
import { parseZip } from '../../src/content/place-lookup.ts';
import { cityLabel, countyLabel, placeKey } from '../../src/content/region-names.ts';

describe('names of places', () => {
  test.for([
    ['St. Louis', 'Saint Louis', 'a short form'],
    ['Mt Vernon', 'MOUNT VERNON', 'another, in capitals'],
    ['Winston-Salem', 'winston salem', 'a dash'],
    ["Coeur d'Alene", 'Coeur dAlene', 'an apostrophe'],
    ['La Cañada Flintridge', 'La Canada  Flintridge', 'an accent and a blank too many'],
  ] as const)('%s is %s: %s', ([left, right]) => {
    expect(placeKey(left)).toBe(placeKey(right));
  });

  test.for([
    ['Los Angeles County', 'LOS ANGELES'],
    ['Orleans Parish', 'ORLEANS'],
    ['Juneau City and Borough', 'JUNEAU'],
    ['Bayamon Municipio', 'BAYAMON'],
    ['Richmond city', 'RICHMOND CITY'],
  ] as const)('%s is printed as %s', ([name, label]) => {
    expect(countyLabel(name)).toBe(label);
  });

  test('a city is printed in capitals, with single blanks', () => {
    expect(cityLabel('  New   York ')).toBe('NEW YORK');
  });
});

describe('postal codes and streets', () => {
  test.for([
    ['14604', '14604', undefined, 'five digits'],
    ['14604-0001', '14604', '0001', 'nine with a dash'],
    ['146040001', '14604', '0001', 'nine without'],
    ['1604', '01604', undefined, 'a leading zero was lost'],
    ['601', '00601', undefined, 'two were'],
  ] as const)('%s: %s', ([text, zip5, plus4]) => {
    expect(parseZip(text)).toEqual({ zip5, plus4 });
  });

  test.for(['', '12', '123456', 'ABCDE', '１４６０４'])('%j is not a ZIP', (text) => {
    expect(parseZip(text)).toBeUndefined();
  });

  test.for([
    ['1335 E 103rd St', 1335, 'E 103RD ST', 'as the post office writes it'],
    ['1335 East 103rd Street, Apt. 4', 1335, 'E 103RD ST', 'written out, with a flat'],
    ['221B Baker Street', 221, 'BAKER ST', 'a letter behind the number'],
    ['133 N Madeup St #4', 133, 'N MADEUP ST', 'a flat behind a number sign'],
    ['133 1/2 N Madeup St, Omaha, NE', 133, 'N MADEUP ST', 'half a number, and the city'],
    ['133, Madeup Turnpike', 133, 'MADEUP TPKE', 'a comma behind the number'],
  ] as const)('%s', ([line, number, street]) => {
    expect(parseStreet(line)).toEqual({ number, street });
  });

  test('a line without a house number is not a street address', () => {
    expect(parseStreet('PO Box 12')).toBeUndefined();
  });
});

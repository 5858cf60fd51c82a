import { describe, expect, test } from 'vitest';
import { normalPlace } from '../../src/sales/read-ship-to.ts';
import { rowsOf } from '../support/rows.ts';

const place = (country: string, state: string, zip: string) => ({
  country,
  state,
  zip,
  city: 'Springfield',
  street: '1 Main St',
});

const normal = (country: string, state: string, zip: string) => {
  const { place: found, findings, doubts } = normalPlace(place(country, state, zip));
  return {
    place: `${found.country} ${found.state} ${found.zip}`,
    findings: [...findings, ...doubts].map(({ code }) => code),
  };
};

describe('an address in the form the service takes', () => {
  test.for([
    ['United States', 'Illinois', '62701', 'US IL 62701', 'names for codes'],
    ['USA', 'US-NY', '10001-1234', 'US NY 10001-1234', 'the state as ISO has it; ZIP+4 stays'],
    ['US', 'MA', "'02139", 'US MA 02139', 'an apostrophe that saved the zero from a spreadsheet'],
    ['US', 'PR', '00901', 'US PR 00901', 'a territory'],
    ['ca', 'ON', 'M5V 2T6', 'CA ON M5V 2T6', 'another country keeps its own words'],
    ['US', 'Washington, D.C.', '20001', 'US DC 20001', 'the city with its district'],
    ['US', 'FM', '96941', 'US FM 96941', 'a freely associated state that is given as one of mail'],
    ['Korea, Republic of', '', '', 'KR  ', 'a name of ISO'],
    ['Cura\u00e7ao', '', '', 'CW  ', 'an accent'],
  ] as const)('%s %s %s is %s: %s', ([country, state, zip, expected]) => {
    expect(normal(country, state, zip)).toEqual({ place: expected, findings: [] });
  });

  test.for([
    ['CA', '', '94607', 'the state stands in the column of the country'],
    ['DE', 'Delaware', '19901', 'a name for the state'],
    ['MH', 'CA', '94610', 'a country whose mail has ZIP codes, but not this one'],
  ] as const)(
    'of country %s, state "%s" and ZIP %s may be in the United States: %s',
    ([country, state, zip]) => {
      expect(normal(country, state, zip).findings).toEqual(['zip-not-in-country']);
    },
  );

  test.for([
    ['NJ', '8540', '08540', 'four digits'],
    ['PR', '901', '00901', 'three digits'],
    ['PR', '9011234', '00901-1234', 'seven of nine digits'],
  ] as const)('gets the lost zero of a ZIP in %s back: %s is %s (%s)', ([state, zip, expected]) => {
    expect(normal('US', state, zip)).toEqual({
      place: `US ${state} ${expected}`,
      findings: ['zip-zero-restored'],
    });
  });

  test.for(
    rowsOf(`
    US | CA | 8540 | bad-zip | the zero is not put back where the state disagrees
    US | MA | 2139-4301 | bad-zip | ZIP+4 is never repaired
    US | CA |  | bad-zip | no ZIP
    US | NV | 90012 | zip-not-in-state | ZIP and state disagree
    US | ON | 90012 | unknown-state | a state of another country
     |  |  | no-country | an order without an address is not foreign
    Untied States | CA | 94610 | unknown-country | a misspelt country is not foreign
    US | California (NV) | 95814 | unknown-state | nor is a state with the code of another
  `),
  )('"%s" "%s" "%s" is in doubt as %s: %s', ([country, state, zip, code]) => {
    expect(normal(country, state, zip).findings).toEqual([code]);
  });
});

test('a country is known by the codes of mail, and a name of two by our own words', () => {
  const codeOf = (name: string) => normalPlace(place(name, '', ''), true).place.country;
  expect(['Congo', 'XKX'].map(codeOf)).toEqual(['CG', 'XK']);
});

test('an address of which only the state is known is the state as a whole, where its source leaves out the ZIP', () => {
  const { place: found, findings, doubts } = normalPlace(place('US', 'Massachusetts', ''), true);
  expect([found.state, found.zip, doubts, findings[0]?.code]).toEqual(['MA', '01000', [], 'state-only']);
  expect(normalPlace(place('US', 'MA', 'x'), true).doubts).toMatchObject([{ code: 'bad-zip' }]);
});

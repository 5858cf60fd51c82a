import { describe, expect, test } from 'vitest';
import { normalPlace } from '../../src/sales/read-ship-to.ts';

const place = (country: string, state: string, zip: string) => ({
  country,
  state,
  zip,
  city: 'Springfield',
  street: '1 Main St',
});

const normal = (country: string, state: string, zip: string) => {
  const { place: found, warnings, doubts } = normalPlace(place(country, state, zip));
  return {
    place: `${found.country} ${found.state} ${found.zip}`,
    findings: [...warnings, ...doubts].map(({ code }) => code),
  };
};

describe('an address in the form the service takes', () => {
  test.for([
    ['US', 'CA', '90012', 'US CA 90012', 'as it should be'],
    ['United States', 'Illinois', '62701', 'US IL 62701', 'names for codes'],
    ['USA', 'US-NY', '10001-1234', 'US NY 10001-1234', 'the state as ISO has it; ZIP+4 stays'],
    ['US', 'MA', "'02139", 'US MA 02139', 'an apostrophe that saved the zero from a spreadsheet'],
    ['US', 'DC', '20001', 'US DC 20001', 'no state, and a place all the same'],
    ['US', 'PR', '00901', 'US PR 00901', 'a territory'],
    ['DEU', 'DE-BE', '10115', 'DE DE-BE 10115', 'another country by three letters'],
    ['ca', 'ON', 'M5V 2T6', 'CA ON M5V 2T6', 'another country keeps its own words'],
    ['US', 'U.S. Virgin Islands', '00802', 'US VI 00802', 'points in a name'],
    ['US', 'Washington, D.C.', '20001', 'US DC 20001', 'the city with its district'],
    ['United States (US)', 'California (CA)', '95814', 'US CA 95814', 'names with their codes'],
    ['US', 'FM', '96941', 'US FM 96941', 'a freely associated state that is given as one of mail'],
    ['FM', '', '96941', 'FM  96941', 'and as the country that it is'],
    ['MH', 'GU', '96960', 'MH GU 96960', 'by its own ZIP, whatever the state'],
    ['Palau', 'Koror', '96940', 'PW Koror 96940', 'by its name'],
    ['XK', '', '10000', 'XK  10000', 'a code that mail uses and ISO leaves open'],
    ['Kosovo (XK)', '', '10000', 'XK  10000', 'with its name'],
    ['Korea, Republic of', '', '', 'KR  ', 'a name of ISO'],
    ['Cura\u00e7ao', '', '', 'CW  ', 'an accent'],
    ['Saint Lucia', '', '', 'LC  ', 'Saint for St.'],
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
    ['CA', 'ON', 'M5V 2T6', 'a postal code of Canada'],
    ['DE', '', '10115', 'a ZIP of Germany that lies in no such state'],
    ['CA', '', '', 'no ZIP'],
  ] as const)('of country %s, state "%s" and ZIP "%s" is abroad: %s', ([country, state, zip]) => {
    expect(normal(country, state, zip).findings).toEqual([]);
  });

  test.for([
    ['NJ', '8540', '08540', 'four digits'],
    ['PR', '901', '00901', 'three digits'],
    ['PR', '9011234', '00901-1234', 'seven of nine digits'],
  ] as const)('gets the lost zero of a ZIP in %s back: %s is %s (%s)', ([state, zip, expected]) => {
    const { place: found, warnings, doubts } = normalPlace(place('US', state, zip));
    expect(found.zip).toBe(expected);
    expect(doubts).toEqual([]);
    expect(warnings).toEqual([
      {
        code: 'zip-zero-restored',
        message: `ZIP "${zip}" lost its leading zero; read as ${expected}, which lies in ${state}`,
      },
    ]);
  });

  test.for([
    [
      'US',
      'CA',
      '8540',
      'bad-zip',
      '"8540" is not a US ZIP code',
      'the zero is not put back where the state disagrees',
    ],
    ['US', 'MA', '2139-4301', 'bad-zip', '"2139-4301" is not a US ZIP code', 'ZIP+4 is never repaired'],
    ['US', 'CA', '', 'bad-zip', 'the address has no ZIP code', 'no ZIP'],
    ['US', 'NV', '90012', 'zip-not-in-state', 'ZIP 90012 does not lie in NV', 'ZIP and state disagree'],
    [
      'US',
      'ON',
      '90012',
      'unknown-state',
      '"ON" is not a US state or territory',
      'a state of another country',
    ],
    ['US', '', '90012', 'unknown-state', 'the address names no state', 'no state'],
    ['', '', '', 'no-country', 'the address names no country', 'an order without an address is not foreign'],
    [
      'US',
      'California (NV)',
      '95814',
      'unknown-state',
      '"California (NV)" is not a US state or territory',
      'nor is a state with the code of another',
    ],
  ] as const)('"%s" "%s" "%s" is in doubt as %s, %s: %s', ([country, state, zip, code, message]) => {
    const { warnings, doubts } = normalPlace(place(country, state, zip));
    expect(doubts).toEqual([{ code, message }]);
    expect(warnings).toEqual([]);
  });
});

describe('an address of which only the state is known', () => {
  test('is the state as a whole, where its source is known to leave out the ZIP', () => {
    const { place: found, warnings, doubts } = normalPlace(place('US', 'Massachusetts', ''), true);
    expect([found.state, found.zip, doubts]).toEqual(['MA', '01000', []]);
    expect(warnings).toEqual([
      {
        code: 'state-only',
        message:
          'the address has no ZIP code: MA as a whole is meant, written as 01000, and the tax of its places is not known',
      },
    ]);
    expect(normalPlace(place('US', '', ''), true).doubts).toMatchObject([{ code: 'unknown-state' }]);
    expect(normalPlace(place('US', 'MA', 'x'), true).doubts).toMatchObject([{ code: 'bad-zip' }]);
  });
});

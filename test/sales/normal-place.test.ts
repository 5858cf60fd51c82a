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
    ['us', 'wa', '98101', 'US WA 98101', 'small letters'],
    ['United States', 'Illinois', '62701', 'US IL 62701', 'names for codes'],
    ['USA', 'US-NY', '10001-1234', 'US NY 10001-1234', 'the state as ISO has it; ZIP+4 stays'],
    ['US', 'MA', "'02139", 'US MA 02139', 'an apostrophe that saved the zero from a spreadsheet'],
    ['US', 'NY', '100011234', 'US NY 10001-1234', 'ZIP+4 without its dash'],
    ['US', 'DC', '20001', 'US DC 20001', 'no state, and a place all the same'],
    ['US', 'PR', '00901', 'US PR 00901', 'a territory'],
    ['Puerto Rico', 'PR', '00901', 'US PR 00901', 'by its name'],
    ['DEU', 'DE-BE', '10115', 'DE DE-BE 10115', 'another country by three letters'],
    ['US', 'AE', '09012', 'US AE 09012', 'military mail'],
    ['ca', 'ON', 'M5V 2T6', 'CA ON M5V 2T6', 'another country keeps its own words'],
    ['US', 'Armed Forces Middle East', '09012', 'US AE 09012', 'a name for mail of the armed forces'],
    ['US', 'Armed Forces (AA)', '34001', 'US AA 34001', 'another one'],
    ['US', 'U.S. Virgin Islands', '00802', 'US VI 00802', 'points in a name'],
    ['US', 'Virgin Islands', '00802', 'US VI 00802', 'the name that shops have'],
    ['US', 'Washington, D.C.', '20001', 'US DC 20001', 'the city with its district'],
    ['US', 'Hawai\u02bbi', '96813', 'US HI 96813', 'the spelling of the state itself'],
    ['United States (US)', 'California (CA)', '95814', 'US CA 95814', 'names with their codes'],
    ['US', 'FM', '96941', 'US FM 96941', 'a freely associated state that is given as one of mail'],
    ['FM', '', '96941', 'FM  96941', 'and as the country that it is'],
    ['MH', 'MH', '96960', 'MH MH 96960', 'with itself for a state'],
    ['MH', 'GU', '96960', 'MH GU 96960', 'by its own ZIP, whatever the state'],
    ['Palau', 'Koror', '96940', 'PW Koror 96940', 'by its name'],
    ['XK', '', '10000', 'XK  10000', 'a code that mail uses and ISO leaves open'],
    ['Kosovo (XK)', '', '10000', 'XK  10000', 'with its name'],
    ['Korea, Republic of', '', '', 'KR  ', 'a name of ISO'],
    ['Viet Nam', '', '', 'VN  ', 'another one'],
    ['Cura\u00e7ao', '', '', 'CW  ', 'an accent'],
    ['Curacao', '', '', 'CW  ', 'which may be left out'],
    ["Cote d'Ivoire", '', '', 'CI  ', 'as may an apostrophe'],
    ['Saint Lucia', '', '', 'LC  ', 'Saint for St.'],
    ['St Kitts and Nevis', '', '', 'KN  ', 'a word for &'],
  ] as const)('%s %s %s is %s: %s', ([country, state, zip, expected]) => {
    expect(normal(country, state, zip)).toEqual({ place: expected, findings: [] });
  });

  test.for([
    ['CA', '', '94607', 'the state stands in the column of the country'],
    ['CA', 'CA', '94607-1234', 'in both columns'],
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
    ['ID', 'JK', '83234', 'a province of Indonesia'],
    ['CA', '', '', 'no ZIP'],
  ] as const)('of country %s, state "%s" and ZIP "%s" is abroad: %s', ([country, state, zip]) => {
    expect(normal(country, state, zip).findings).toEqual([]);
  });

  test.for([
    ['NJ', '8540', '08540', 'four digits'],
    ['PR', '901', '00901', 'three digits'],
    ['MA', '21394301', '02139-4301', 'eight of nine digits'],
    ['PR', '9011234', '00901-1234', 'seven of nine digits'],
    ['MA', "'2139", '02139', 'an apostrophe that came too late'],
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
    ['US', 'CA', '21394301', 'bad-zip', '"21394301" is not a US ZIP code', 'nor to nine digits'],
    ['US', 'MA', '2139-4301', 'bad-zip', '"2139-4301" is not a US ZIP code', 'ZIP+4 is never repaired'],
    ['US', 'CA', '', 'bad-zip', 'the address has no ZIP code', 'no ZIP'],
    ['US', 'CA', '3.3E+09', 'bad-zip', '"3.3E+09" is not a US ZIP code', 'what a spreadsheet made of it'],
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
    ['', 'CA', '90012', 'no-country', 'the address names no country', 'nor is one without a country'],
    [
      'Kosovo (XX)',
      '',
      '',
      'unknown-country',
      '"Kosovo (XX)" is not a country by name or code',
      'nor are a name and a code that differ',
    ],
    [
      'US',
      'California (NV)',
      '95814',
      'unknown-state',
      '"California (NV)" is not a US state or territory',
      'nor is a state with the code of another',
    ],
    [
      'Untied States',
      'CA',
      '90012',
      'unknown-country',
      '"Untied States" is not a country by name or code',
      'nor is a slip',
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

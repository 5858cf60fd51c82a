import { describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/configuration/load-configuration.ts';
import { nearestName } from '../../src/kernel/text.ts';
import { configurationFolder, type Parts, yamlOf } from './configuration-file.ts';

/** What is wrong with a configuration, without the name of its file and without lines. */
const problemsOf = async (text: string): Promise<string> => {
  const { file } = await configurationFolder(text);
  const error: unknown = await loadConfiguration(file).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'E_CONFIG_INVALID',
    recovery: 'fix-config',
    nextStep: 'Correct these keys and run again.',
  });
  const lines = (error as Error).message.replace(file, '  line ').split('\n');
  return lines.map((line) => line.replace(/^ {2}(?:line :?\d+: )?/, '')).join('; ');
};

const place = (changes: string) =>
  `shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1201 K Street, ${changes} }`;
const other = 'name: retail, files: [b.csv]';

describe('a configuration with', () => {
  test.for([
    [{ more: 'timezone: UTC' }, 'unknown key "timezone"; did you mean "timeZone"?', 'a slip in a key'],
    [
      { channels: 'channels: [{ name: shopify, file: [a.csv], files: [a.csv] }]' },
      'channels[shopify]: unknown key "file"; did you mean "files"?',
      'a slip inside a list',
    ],
    [
      {
        channels: `channels: [{ name: shopify, files: [a.csv], expected: [{ period: 2026-10, orders: 3 }, { period: 2026-10, refunds: 1 }] }]`,
      },
      'channels[shopify].expected: must name each period once',
      'totals of the shop for one period in two entries',
    ],
    [{ entity: '' }, 'entity: is missing', 'a key that is missing'],
    [
      { entity: 'entity: Harbor & Pine' },
      'entity: must be lower-case letters, digits and dashes, not "Harbor & Pine"',
      'a name for folders',
    ],
    [
      { timeZone: 'timeZone: EST' },
      'timeZone: must be an IANA time zone such as America/New_York, not "EST"',
      'an abbreviation, which knows no summer time either',
    ],
    [
      { shipFrom: place('zip: 95814').replace('zip: "95814", ', '') },
      'shipFrom.zip: must be a text, so put it in quotes',
      'a ZIP without quotes',
    ],
    [
      { shipFrom: place('').replace('state: CA', 'state: NY') },
      'shipFrom.zip: must be a ZIP code of NY, and 95814 is in CA',
      'a ZIP code of another state',
    ],
    [
      { registrations: 'registrations: [{ state: CA, since: 2019-02-30 }]' },
      'registrations[CA].since: must be a date such as 2026-10-31, not "2019-02-30"',
      'a day that does not exist',
    ],
    [
      { channels: `channels: [{ name: web, files: [a.csv] }, { ${other}, provider: web }]` },
      'channels[retail].provider: "web" is that of the channel web already',
      'two channels that the service could not tell apart',
    ],
    [
      { more: 'service: { url: "ftp://me:secret@here" }' },
      'service.url: must be the base address of a service',
      'an address, which may hold a password',
    ],
    [
      { entity: 'entity: 7', timeZone: 'timeZone: here', more: 'zones: x' },
      'entity: must be a text, so put it in quotes; timeZone: must be an IANA time zone such as America/Los_Angeles, not "here"; unknown key "zones"',
      'several problems, which are all named',
    ],
  ] as const)('%j: %s (%s)', async ([parts, problems]) => {
    expect(await problemsOf(yamlOf(parts as Parts))).toBe(problems);
  });

  test('each problem has its line, that of the part around it where the key is missing', async () => {
    const { file } = await configurationFolder(
      'entity: shop\nname: Shop\ntimeZone: here\nshipFrom:\n  country: US\n  zip: 95814\nregistrations:\n  - state: CA\n    frequency: weekly\n',
    );
    const error: unknown = await loadConfiguration(file).catch((reason: unknown) => reason);
    expect((error as Error).message).toBe(
      [
        `${file}:1: channels: is missing`,
        '  line 3: timeZone: must be an IANA time zone such as America/Los_Angeles, not "here"',
        '  line 4: shipFrom.state: is missing',
        '  line 4: shipFrom.city: is missing',
        '  line 4: shipFrom.street: is missing',
        '  line 6: shipFrom.zip: must be a text, so put it in quotes',
        '  line 8: registrations[CA].since: is missing',
        '  line 9: registrations[CA].frequency: must be "monthly" or "quarterly" or "semiannual" or "annual" or a list, not "weekly"',
      ].join('\n'),
    );
  });

  test.for([['- a\n- b\n', 'the file: must be keys and values', 'a list']] as const)(
    '%j: %s (%s)',
    async ([text, problems]) => {
      expect(await problemsOf(text)).toBe(problems);
    },
  );
});

describe('the nearest known name', () => {
  const KNOWN = ['entity', 'timeZone', 'shipFrom', 'sku'];

  test.for([
    ['timezone', 'timeZone', 'one letter'],
    ['sk', 'sku', 'a short one'],
    ['', undefined, 'nothing'],
  ] as const)('to "%s" is %s: %s', ([given, nearest]) => {
    expect(nearestName(given, KNOWN)).toBe(nearest);
  });
});

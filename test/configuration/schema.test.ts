import { expect, test } from 'vitest';
import { loadConfiguration } from '../../src/configuration/load-configuration.ts';
import { rowsOf } from '../support/rows.ts';
import { configurationFolder, LEAST, type Parts, yamlOf } from './configuration-file.ts';

/** What is wrong with a configuration, a problem a line, without the name of its file. */
const problemsOf = async (text: string): Promise<readonly string[]> => {
  const { file } = await configurationFolder(text);
  const error: unknown = await loadConfiguration(file).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'E_CONFIG_INVALID', nextStep: 'Correct these keys and run again.' });
  return (error as Error).message.replace(`${file}:`, '  line ').split('\n  line ');
};

const isPart = (key: string): key is keyof typeof LEAST => key in LEAST;

/** One line of the least configuration replaced, or one more. */
const changed = (line: string): Parts => {
  const key = line.split(':')[0] ?? '';
  return isPart(key) ? { [key]: line } : { more: line };
};

const web = 'name: web, files: [a.csv]';
const shipped = LEAST.shipFrom;

test.for([
  ...rowsOf(`
    timezone: UTC                 | unknown key "timezone"; did you mean "timeZone"?
    entity: Harbor & Pine         | entity: must be lower-case letters, digits and dashes, not "Harbor & Pine"
    timeZone: EST                 | timeZone: must be an IANA time zone such as America/New_York, not "EST"
    service: { url: "ftp://me:secret@here" } | service.url: must be the base address of a service
    channels: [{ file: [a.csv], ${web} }] | channels[web]: unknown key "file"; did you mean "files"?
    channels: [{ ${web} }, { name: retail, files: [b.csv], provider: web }] | channels[retail].provider: "web" is that of the channel web already
    channels: [{ ${web}, expected: [{ period: 2026-10, orders: 3 }, { period: 2026-10, refunds: 1 }] }] | channels[web].expected: must name each period once
    channels: [{ ${web}, expected: [{ period: 2026-10 }] }] | channels[web].expected[2026-10]: must have orders, refunds, gross or tax to compare with
    registrations: [{ state: CA, since: 2019-02-30 }] | registrations[CA].since: must be a date such as 2026-10-31, not "2019-02-30"
    ${shipped.replace('"95814"', '95814')} | shipFrom.zip: must be a text, so put it in quotes
    ${shipped.replace('state: CA', 'state: NY')} | shipFrom.zip: must be a ZIP code of NY, and 95814 is in CA`),
])('a configuration with %s: %s', async ([line, problem]) => {
  const [first = '', ...others] = await problemsOf(yamlOf(changed(line)));
  expect([first.replace(/^ *(?:line )?\d+: /, ''), others]).toEqual([problem, []]);
});

test('each problem has its line, that of the part around it where the key is missing', async () => {
  expect((await problemsOf('- a\n')).join('')).toContain('the file: must be keys and values');
  const text =
    'entity: shop\nname: Shop\ntimeZone: here\nshipFrom:\n  country: US\n  zip: 95814\nregistrations:\n  - state: CA\n    frequency: weekly\n';
  const [first = '', ...others] = await problemsOf(text);
  expect([first.trim().replace('line ', ''), ...others]).toEqual([
    '1: channels: is missing',
    '3: timeZone: must be an IANA time zone such as America/New_York, not "here"',
    '4: shipFrom.state: is missing',
    '4: shipFrom.city: is missing',
    '4: shipFrom.street: is missing',
    '6: shipFrom.zip: must be a text, so put it in quotes',
    '8: registrations[CA].since: is missing',
    '9: registrations[CA].frequency: must be "monthly" or "quarterly" or "semiannual" or "annual" or a list, not "weekly"',
  ]);
});

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ordersExport } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));
const SHOPIFY = ['orders_export.csv', 'payment_transactions_export.csv'];
const DESK = 'Order,Taken at,State,ZIP,Total,Tax\nD-1,2026-10-02,CA,94610,21.00,1.00\n';

/** What init makes of the exports of a Shopify store and of further files. */
const init = async (files: Readonly<Record<string, string>>) => {
  const folder = await temporaryFolder();
  for (const name of SHOPIFY) await cp(join(SAMPLES, 'harbor-and-pine', name), join(folder, name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const ran = await tieout(['init', folder, '--yes', '--ship-from', '97209']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const config = join(folder, 'tieout.yaml');
  return { folder, config, stdout: ran.stdout, text: await readFile(config, 'utf8') };
};

test('a folder without an export of sales is refused, and read once one is there', async () => {
  const folder = await temporaryFolder();
  const args = ['init', folder, '--yes', '--ship-from', '97209'];
  expect((await tieout(args)).stderr).toMatch(/^E_INIT_NO_EXPORTS: /);
  await writeFile(join(folder, 'orders.csv'), ordersExport([{ name: '#1' }]));
  expect(await tieout(args)).toMatchObject({ code: 0, stderr: '' });
});

describe('a profile of one’s own in the folder of init', () => {
  const OWN = 'schema: 1\nextends: shopify.orders\nid: shopify.our-store\n';

  test('that extends a shipped one reads its exports, with their companions', async () => {
    const { stdout, text } = await init({ 'our-store.yaml': OWN });
    expect(stdout).toContain('  our-store.yaml                   source profile shopify.our-store\n');
    expect(text).toContain('    profile: our-store.yaml\n');
    expect(text).toContain('    refundDates: [payment_transactions_export*.csv]\n');
  });

  test.for([
    ['our-store.yaml', `${OWN}map: { salesTaxes: Taxes }\n`, 'map: unknown key "salesTaxes"'],
    [
      'our-store.yaml',
      'schema: 1\nextends: shopify.order\n',
      'it extends "shopify.order", which does not exist',
    ],
    ['our-store.yaml', 'schema: 1\ncapability: sales\nid: [\n', 'E_PROFILE_INVALID'],
    ['our-store.json', '{"schema":1,"extends":"shopify.orders","title":7}', 'title: must be a text'],
  ] as const)('is marked where it is wrong: %s, %j', async ([name, profile, rule]) => {
    const { stdout, text } = await init({ [name]: profile });
    expect(stdout).toMatch(new RegExp(`^ {2}${name} .*E_PROFILE_`, 'm'));
    const [line] = text.split('\n').filter((one) => one.includes(`# CHECK ${name} is not read: `));
    expect(line).toContain(rule);
    expect(line).toContain('Correct it, and run init again');
  });

  test('leaves the companions to the shipped profile whose exports lie beside its own', async () => {
    const [header] = ordersExport([]).split('\n');
    const [, row = ''] = ordersExport([{ name: '#L1' }]).split('\n');
    const { text } = await init({
      'our-store.yaml': `${OWN}optionalColumns: [Loyalty]\ndetect: { required: [Name, Loyalty] }\n`,
      'ours.csv': `${header},Loyalty\n${row},x\n`,
    });
    expect(text).toContain('    profile: our-store.yaml\n');
    expect(text).toContain('    profile: shopify.orders\n');
    expect(text.match(/refundDates: \[payment_transactions_export\*\.csv\]/g)).toHaveLength(1);
  });

  test('is what to correct where nothing else can be read', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'desk.csv'), DESK);
    await writeFile(join(folder, 'desk.yaml'), 'schema: 1\ncapability: sales\nid: own.desk\n');
    const ran = await tieout(['init', folder, '--yes', '--ship-from', '97209']);
    expect(ran.code).toBe(65);
    expect(ran.stderr).toContain('desk.yaml: Correct it, and run init again');
  });

  test('may also be a file of data that has nothing to do with it', async () => {
    const { text } = await init({
      'other.yaml': 'name: x\n',
      'data.json': '{"orders":[]}',
      'openapi.yaml': 'schema: 1\nid: a\n',
      'tsconfig.json': '{ "extends": "x", "compilerOptions": {} }',
      'preset.json': '{ "extends": "./base.json", "files": [] }',
    });
    expect(text).not.toMatch(/is not read/);
  });
});

test('no registration is proposed where the ship-from state has no sales tax and nothing was taxed', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'orders.csv'), ordersExport([{ name: '#1', tax: '0.00' }]));
  const textFrom = async (zip: string) => {
    const config = join(folder, `${zip}.yaml`);
    const ran = await tieout(['init', folder, '--yes', '--ship-from', zip, '--output', config]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    return readFile(config, 'utf8');
  };
  expect(await textFrom('97209')).toMatch(
    /the exports show no state in which you charge tax.*\n(.*\n)*registrations: \[\]\n/,
  );
  expect(await textFrom('95814')).toContain(
    '  - { state: CA, since: "2000-01-01" } # no tax in the exports\n',
  );
});

describe('a file whose name does not call it a table', () => {
  const ENDINGS = ['desk.psv', 'desk.txt', 'desk', 'desk.2026-10'];

  test.for(ENDINGS)('is judged by what it holds: %s', async (name) => {
    const { config, stdout, text } = await init({ [name]: DESK, 'notes.log': 'call the accountant\n' });
    expect(stdout).toMatch(new RegExp(`^ {2}${name} +its columns fit no known export`, 'm'));
    expect(text).toContain(`# CHECK ${name} is not read: its columns fit no known export`);
    expect(text).not.toContain('notes.log');
    const doctor = await tieout(['doctor', '--config', config]);
    expect(doctor.stdout).toContain(`${name} is not read, so every amount may lack its sales`);
    expect(doctor.stdout).not.toContain('notes.log');
  });

  test('is read where it is an export that is known', async () => {
    const orders = await readFile(
      join(SAMPLES, 'exports/square.transactions/transactions-2026-10-01-2026-10-31.csv'),
      'utf8',
    );
    const { stdout } = await init({ 'square.dat': orders });
    expect(stdout).toMatch(/^ {2}square\.dat +Square transactions export$/m);
  });

  test('is named where it is a spreadsheet of a kind that is not read, and passed over where it is no spreadsheet', async () => {
    const { config, stdout, text } = await init({ 'desk.ods': 'PK', 'desk.numbers': 'PK', 'logo.png': DESK });
    const said =
      'is not read: a spreadsheet of a kind that is not read. If it has sales, save it as XLSX or CSV';
    expect(text).toContain(`# CHECK desk.ods ${said}`);
    expect(text).toContain(`# CHECK desk.numbers ${said}`);
    const doctor = await tieout(['doctor', '--config', config]);
    expect(doctor.stdout).toMatch(/^! +exports +desk\.ods is not read: it lies beside the exports/m);
    expect(stdout).toMatch(/^ {2}logo\.png +not a table of sales$/m);
  });
});

import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ordersExport } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));
const SHOPIFY = ['orders_export.csv', 'payment_transactions_export.csv'];
const HARBOR = [...SHOPIFY, 'desk_orders.csv', 'desk.yaml', 'certificates.csv'];
const SQUARE = 'exports/square.transactions/transactions-2026-10-01-2026-10-31.csv';

/** A folder with files of the samples, by their names there, and further files. */
const folderOf = async (
  samples: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const folder = await temporaryFolder();
  for (const [to, from] of Object.entries(samples)) await cp(join(SAMPLES, from), join(folder, to));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};

const harbor = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `harbor-and-pine/${name}`]));

/** What init makes of a folder. */
const init = async (folder: string, zip = '97209', more: readonly string[] = []) => {
  const ran = await tieout(['init', folder, '--yes', '--ship-from', zip, ...more]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const config = join(folder, 'tieout.yaml');
  return { config, stdout: ran.stdout, text: await readFile(config, 'utf8') };
};

describe('tieout init', () => {
  test('leads from a folder of exports to the first books', async () => {
    const folder = await folderOf(harbor(HARBOR), { 'notes.md': 'call the accountant\n' });
    const { config, stdout, text } = await init(folder, '97209', ['--name', 'Harbor & Pine']);
    for (const line of [
      '  orders_export.csv                Shopify orders export\n',
      '  payment_transactions_export.csv  Shopify payment transactions export (dates the refunds)\n',
      '  certificates.csv                 register of exemption certificates\n',
      '  desk.yaml                        source profile harbor-and-pine.desk\n',
      '  notes.md                         its columns fit no known export (E_EXPORT_UNKNOWN)\n',
    ])
      expect(stdout).toContain(line);
    for (const line of [
      'entity: harbor-pine',
      'timeZone: America/Los_Angeles',
      '    profile: desk.yaml',
      '    refundDates: [payment_transactions_export*.csv]',
      'certificates: [certificates.csv]',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).toMatch(/ {2}- \{ state: CA, since: "2026-09-01" \} # 71 of \d+ taxed\n/);
    expect(text).not.toContain('{ state: OR');
    expect((await tieout(['doctor', '--config', config])).code).toBe(0);
    const closed = await tieout(['close', '2026-10', '--config', config]);
    expect(closed).toMatchObject({ code: 1, stderr: '' });
    expect(closed.stdout).toMatch(/submit: [23]\d\d /);
  });

  test('names every line that rests on an assumption, and the month to close', async () => {
    const folder = await folderOf({ 'transactions.csv': SQUARE });
    const { stdout } = await tieout(['init', folder, '--ship-from', '95814']);
    const told = [...stdout.matchAll(/tieout\.yaml:(\d+) {2}(.+)$/gm)].map(
      ([, line, what]) => `${line} ${what}`,
    );
    const lines = (await readFile(join(folder, 'tieout.yaml'), 'utf8')).split('\n');
    const marked = lines.flatMap((line, index) => {
      const [, what] = /# CHECK (.+)\.$/.exec(line) ?? [];
      return what === undefined ? [] : `${index + 1} ${what}`;
    });
    expect(told).toEqual(marked);
    expect(lines).toContain('shipFrom: { country: US, state: CA, zip: "95814", city: "", street: "" }');
    expect(stdout).toContain('tieout close 2026-10');
  });

  test('assumes no registration where marketplaces collect the tax of all sales, or nothing was taxed', async () => {
    const etsy = 'EtsySoldOrders2026-10.csv';
    const marketplace = await init(await folderOf({ [etsy]: `exports/etsy.orders/${etsy}` }), '94607');
    expect(marketplace.stdout).toContain('etsy with 6 orders and 1 refund; registered in no state.\n');
    const untaxed = ordersExport([{ name: '#1', tax: '0.00' }]);
    for (const { config, text } of [
      marketplace,
      await init(await folderOf({}, { 'orders.csv': untaxed }), '97209'),
    ]) {
      expect(text).toMatch(/# CHECK registrations: none assumed, .*\nregistrations: \[\]\n/);
      expect((await tieout(['doctor', '--config', config])).code).toBe(0);
    }
    const home = await init(await folderOf({}, { 'orders.csv': untaxed }), '95814');
    expect(home.text).toContain('  - { state: CA, since: "2000-01-01" } # 0 of 1 taxed\n');
  });

  test('marks every table that fits no export, passes over notes, and stops at an export that is damaged', async () => {
    const orders = await readFile(join(SAMPLES, 'harbor-and-pine/orders_export.csv'), 'utf8');
    const folder = await folderOf(
      { 'square.dat': SQUARE },
      {
        'broken.csv': `${orders.slice(0, orders.indexOf('\n', 3_000) + 1)}#1,"open\n`,
        'strange.csv': 'a,b,c\n1,2,3\n',
        'desk.ods': 'PK',
        ...{ 'notes.txt': 'call the accountant\n', NOTES: 'call the accountant, "today\n' },
        ...{ 'wrong.yaml': 'schema: 1\ncapability: sales\nid: [\n', 'data.json': '{"orders":[]}' },
      },
    );
    expect(await tieout(['init', folder, '--ship-from', '94607'])).toMatchObject({
      code: 65,
      stderr: expect.stringMatching(/^E_EXPORT_DAMAGED: .*broken\.csv: .*the file ends inside quotes/),
    });
    await rm(join(folder, 'broken.csv'));
    const { stdout, text } = await init(folder, '94607');
    const draft = `tieout profile init ${join(folder, 'strange.csv')} --output ${join(folder, 'strange.yaml')}`;
    expect(stdout).toContain(
      `its columns fit no known export (E_EXPORT_UNKNOWN). If it has sales, describe it: \`${draft}\`. Answer each DECIDE in the draft, then run init again\n`,
    );
    expect(stdout).toMatch(/^ {2}wrong\.yaml +no source profile: .*\(E_PROFILE_INVALID\)$/m);
    expect(stdout).toMatch(/^ {2}square\.dat +Square transactions export$/m);
    expect(text).not.toMatch(/notes|data\.json|strange/i);
  });

  test('takes of two exports of the same sales the one that has the refunds, and says what it left out', async () => {
    const orders = { 'orders.csv': 'exports/ebay.orders/eBay-OrdersReport-Oct-2026.csv' };
    const transactions = { 'transactions.csv': 'exports/ebay.transactions/transaction-report.csv' };
    const { text } = await init(await folderOf({ ...orders, ...transactions }), '40202');
    expect(text).toContain('    profile: ebay.transactions\n');
    expect(text).toMatch(
      / {2}# CHECK orders\*\.csv: eBay orders report with \d+ orders and 0 refunds; left out, because two kinds of export of one shop count its sales twice, and eBay transaction report has as many refunds or more\./,
    );
    const alone = await init(await folderOf(orders), '40202');
    expect(alone.stdout).toContain(
      'ebay: eBay orders report has no refunds; where something was given back, take an export that has them (docs/channels.md)\n',
    );
  });

  test('finds a profile of one’s own, with the companions of the one that it extends', async () => {
    const own = { 'our-store.yaml': 'schema: 1\nextends: shopify.orders\nid: shopify.our-store\n' };
    const { text } = await init(await folderOf(harbor(SHOPIFY), own));
    expect(text).toContain('    profile: our-store.yaml\n');
    expect(text).toContain('    refundDates: [payment_transactions_export*.csv]\n');
  });

  test.for([
    ['95814', 'America/Los_Angeles', true],
    ['75201', 'America/Chicago', false],
    ['46204', 'America/New_York', false],
    ['AZ 86515', 'America/Phoenix', false],
    ['96813', 'Pacific/Honolulu', true],
    ['09012', 'America/New_York', false],
  ] as const)('takes the time zone from the ship-from address: %s is %s', async ([zip, zone, isSure]) => {
    const { stdout, text } = await init(await folderOf({ 'transactions.csv': SQUARE }), zip);
    expect(text).toContain(`\ntimeZone: ${zone}\n`);
    expect(stdout.includes(`time zone ${zone} is assumed`)).toBe(!isSure);
  });

  test.for([
    [
      '1201 K Street, Sacramento, CA 95814',
      'state: CA, zip: "95814", city: "Sacramento", street: "1201 K Street"',
    ],
    [
      '500 Main St, Suite 4, Buffalo NY 14202-1234, USA',
      'state: NY, zip: "14202-1234", city: "Buffalo", street: "500 Main St, Suite 4"',
    ],
    ['NY 10001', 'state: NY, zip: "10001", city: "", street: ""'],
  ])('takes an address to ship from: %s', async ([address = '', written]) => {
    const { text } = await init(await folderOf({ 'transactions.csv': SQUARE }), address);
    expect(text).toContain(`\nshipFrom: { country: US, ${written} }\n`);
  });

  test.for([
    [['--ship-from', '1201 K Street, Sacramento'], 'does not end in a ZIP code'],
    [['--ship-from', '1201 K Street, Sacramento, NY 95814'], '95814 is in CA, not in NY'],
    [['--ship-from', '86515'], '86515 may be in AZ or NM or UT, and no state is named'],
    [['--ship-from', '00000'], '"00000" is not a ZIP code in use'],
    [['--yes'], '--ship-from 95814'],
  ] as const)('says what is wrong with its options: %j', async ([options, wrong]) => {
    const ran = await tieout(['init', '.', ...options]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(wrong)]);
  });

  test('writes nothing where there is no export, and never over a configuration', async () => {
    const empty = await temporaryFolder();
    const args = ['--yes', '--ship-from', '94607'];
    expect(await tieout(['init', empty, ...args])).toMatchObject({
      code: 65,
      stderr: expect.stringMatching(/^E_INIT_NO_EXPORTS: .*the folder has no files/),
    });
    await writeFile(join(empty, 'invoice.pdf'), '%PDF-1.7');
    expect((await tieout(['init', empty, ...args])).stderr).toContain(
      'invoice.pdf: its columns fit no known export',
    );
    await writeFile(join(empty, 'orders.csv'), ordersExport([{ name: '#1' }]));
    await init(empty);
    const folder = await folderOf({ 'transactions.csv': SQUARE }, { 'tieout.yaml': 'mine\n' });
    expect((await tieout(['init', folder, ...args])).stderr).toMatch(/^E_CONFIG_EXISTS: /);
    expect(await readFile(join(folder, 'tieout.yaml'), 'utf8')).toBe('mine\n');
    const beside = join(folder, 'new.yaml');
    const ran = await tieout(['init', folder, ...args, '--output', beside]);
    expect(ran.stdout).toContain(`  tieout doctor --config ${beside}\n`);
  });
});

describe('the pattern of a file reads the next month’s download, too', () => {
  test.for([
    ['orders_export.csv', 'orders_export (1).csv', 'orders_export*.csv'],
    ['orders_export (1).csv', 'orders_export (2).csv', 'orders_export*.csv'],
    ['orders_export_1.csv', 'orders_export_12.csv', '"orders_export_[0-9]*.csv"'],
    ['orders 2026-10-01 to 2026-10-31.csv', 'orders 2026-11-01 to 2026-11-30.csv', undefined],
    ['october-orders.csv', 'november-orders.csv', '"*-orders.csv"'],
    ['2026-10.csv', '2026-11.csv', '"[0-9]*-[0-9]*.csv"'],
  ] as const)('%s: %s', async ([october, november, pattern]) => {
    const order = (day: string, name: string) => ordersExport([{ name, at: `${day} 09:00:00 -0700` }]);
    const folder = await folderOf({}, { [october]: order('2026-10-05', '#1') });
    const { config, text } = await init(folder, '95814');
    if (pattern !== undefined) expect(text).toContain(`    files: [${pattern}]\n`);
    await writeFile(join(folder, november), order('2026-11-05', '#2'));
    const closed = await tieout(['close', '2026-11', '--config', config, '--json']);
    const { inputs } = JSON.parse(closed.stdout) as { inputs: { path: string; used: number }[] };
    expect(inputs.filter(({ used }) => used > 0).map(({ path }) => basename(path))).toContain(november);
  });
});

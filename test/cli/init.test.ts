import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ordersExport } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

/** A folder with files of the samples, each `[from, to]`. */
const folderOf = async (...files: readonly (readonly [string, string])[]): Promise<string> => {
  const folder = await temporaryFolder();
  for (const [from, to] of files) await cp(join(SAMPLES, from), join(folder, to));
  return folder;
};

const HARBOR = [
  ['harbor-and-pine/orders_export.csv', 'orders_export.csv'],
  ['harbor-and-pine/payment_transactions_export.csv', 'payment_transactions_export.csv'],
  ['harbor-and-pine/desk_orders.csv', 'desk_orders.csv'],
  ['harbor-and-pine/desk.yaml', 'desk.yaml'],
  ['harbor-and-pine/certificates.csv', 'certificates.csv'],
] as const;

const SQUARE = [
  'exports/square.transactions/transactions-2026-10-01-2026-10-31.csv',
  'transactions.csv',
] as const;

describe('tieout init', () => {
  test('leads from a folder of exports to the first books', async () => {
    const folder = await folderOf(...HARBOR);
    await writeFile(join(folder, 'notes.md'), 'call the accountant\n');
    const ran = await tieout(['init', folder, '--yes', '--name', 'Harbor & Pine', '--ship-from', '97209']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    for (const line of [
      '  orders_export.csv                Shopify orders export\n',
      '  payment_transactions_export.csv  Shopify payment transactions export (dates the refunds)\n',
      '  certificates.csv                 register of exemption certificates\n',
      '  desk.yaml                        source profile harbor-and-pine.desk\n',
      '  notes.md                         not a table of sales\n',
    ])
      expect(ran.stdout).toContain(line);

    const config = join(folder, 'tieout.yaml');
    const text = await readFile(config, 'utf8');
    for (const line of [
      'entity: harbor-pine',
      'timeZone: America/Los_Angeles',
      '    profile: desk.yaml',
      '    refundDates: [payment_transactions_export*.csv]',
      'certificates: [certificates.csv]',
      'policy: { undividedRefunds: prorate }',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).toMatch(
      / {2}- \{ state: CA, since: "2026-09-01" \} # tax of \$1,104\.01 on 71 of \d+ sales/,
    );
    expect(text).toMatch(/ {2}# CHECK VA: 4 sales of \$[\d.]+, tax of \$[\d.]+ on 1 of 4 sales/);
    expect(text).toMatch(
      / {2}# CHECK WI: 1 sale of \$54\.95, tax of \$3\.02 .*\n {2}# - \{ state: WI, since: "2026-10-01" \}/,
    );

    expect((await tieout(['doctor', '--config', config])).code).toBe(0);
    const closed = await tieout(['close', '2026-10', '--config', config]);
    expect(closed).toMatchObject({ code: 1, stderr: '' });
    expect(closed.stdout).toContain('submit: 3');
  });

  test('finds exports whose names have no ending, and leaves notes without one alone', async () => {
    const folder = await folderOf(['harbor-and-pine/orders_export.csv', 'orders_export']);
    await writeFile(join(folder, 'NOTES'), 'call the accountant, "today\n');
    const ran = await tieout(['init', folder, '--yes', '--ship-from', '97209']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('  orders_export  Shopify orders export\n');
    const config = join(folder, 'tieout.yaml');
    expect(await readFile(config, 'utf8')).not.toContain('NOTES');
    expect((await tieout(['close', '2026-10', '--config', config])).stdout).toMatch(
      /extract: \d+ rows: [1-9]/,
    );
  });

  test('assumes no registration where marketplaces collect the tax of all sales', async () => {
    const folder = await folderOf([
      'exports/etsy.orders/EtsySoldOrders2026-10.csv',
      'EtsySoldOrders2026-10.csv',
    ]);
    const ran = await tieout(['init', folder, '--yes', '--ship-from', '94607']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('etsy with 6 orders and 1 refund; registered in no state.\n');
    expect(ran.stdout).toContain(
      'registrations: none assumed, because the exports show no state in which you charge tax; add the states in which you hold a permit\n',
    );
    const config = join(folder, 'tieout.yaml');
    expect(await readFile(config, 'utf8')).toContain('\nregistrations: []\n');
    expect((await tieout(['doctor', '--config', config])).code).toBe(0);
    expect((await tieout(['close', '2026-10', '--config', config])).stdout).toContain(
      'variance 0.00: collected equals expected\n',
    );
  });

  test('names the lines that rest on an assumption', async () => {
    const folder = await folderOf(SQUARE);
    const { stdout } = await tieout(['init', folder, '--yes', '--json', '--ship-from', '94607']);
    const told = JSON.parse(stdout) as { decisions: { line: number; what: string }[]; period: string };
    const lines = (await readFile(join(folder, 'tieout.yaml'), 'utf8')).split('\n');
    const placed = told.decisions.map(({ line, what }) => [lines[line - 1], what]);
    expect(placed).toContainEqual([
      '    # CHECK sales in person are held until each place of business has its address:',
      'square: give each place of business that is named above its address',
    ]);
    expect(lines).toContain(
      "  # CHECK transactions.csv: its places of business: Ferry Plaza (not among the channel's locations), Pier 9 (not among the channel's locations), Pop-up (not among the channel's locations).",
    );
    expect(lines).toContain('    #   NAME: { country: US, state: .., zip: ".....", city: "", street: "" }');
    expect(lines).toContain('shipFrom: { country: US, state: CA, zip: "94607", city: "", street: "" }');
    expect(told.period).toMatch(/^2026-10$/);
  });

  test('names an export that is cut off, and one whose dates state the clock of no American zone', async () => {
    const folder = await temporaryFolder();
    const abroad = ordersExport([{ name: '#1', at: '2026-10-05 09:00:00 +0200' }, { name: '#2' }]);
    await writeFile(join(folder, 'orders.csv'), abroad.replaceAll('-0700', '+0200').trimEnd().slice(0, -40));
    const { stdout } = await tieout(['init', folder, '--yes', '--ship-from', '97209']);
    expect(stdout).toMatch(
      /shopify: orders\.csv: the file ends in the middle of line 3 \(#\d\): export it again/,
    );
    expect(stdout).toMatch(
      /shopify: orders\.csv: 1 of 1 record states another offset than America\/\S+ has, such as \+02:00 in place of -/,
    );
  });

  test('marks every table that cannot be read, and doctor stops at one that is damaged', async () => {
    const folder = await folderOf(SQUARE, ['harbor-and-pine/orders_export.csv', 'orders_export.csv']);
    const orders = await readFile(join(folder, 'orders_export.csv'), 'utf8');
    await writeFile(
      join(folder, 'broken.csv'),
      `${orders.slice(0, orders.indexOf('\n', 3_000) + 1)}#1,"open\n`,
    );
    await writeFile(join(folder, 'strange.csv'), 'a,b,c\n1,2,3\n');
    await writeFile(join(folder, 'notes.txt'), 'call the accountant\n');
    const ran = await tieout(['init', folder, '--yes', '--ship-from', '94607']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const draft = `tieout profile init ${join(folder, 'strange.csv')} --output ${join(folder, 'strange.yaml')}`;
    expect(ran.stdout).toContain(
      `its columns fit no known export (E_EXPORT_UNKNOWN). If it has sales, describe it: \`${draft}\`. Answer each DECIDE in the draft, then run init again\n`,
    );
    const text = await readFile(join(folder, 'tieout.yaml'), 'utf8');
    expect(text).toMatch(
      / {2}# CHECK broken\.csv cannot be read: the record that starts on line \d+ is damaged/,
    );
    expect(text).toMatch(/ {2}# CHECK strange\.csv is not read: its columns fit no known export/);
    expect(text).not.toContain('notes.txt');
    expect(text).toContain('    files: [broken*.csv, orders_export*.csv]\n');

    const doctor = await tieout(['doctor', '--config', join(folder, 'tieout.yaml')]);
    expect(doctor.code).toBe(65);
    expect(doctor.stdout).toMatch(
      /^!! exports {7}E_EXPORT_DAMAGED: .*broken\.csv: .*the file ends inside quotes/m,
    );
    expect(doctor.stdout).toMatch(/1 problem found \(exit code 65\)\n$/);
  });

  test('asks on a terminal for the ship-from address alone, once more where the answer cannot be read', async () => {
    const folder = await folderOf(SQUARE);
    const answers = ['', 'nowhere', '94607'];
    const asked: string[] = [];
    const ran = await tieout(['init', folder, '--name', 'Ferry Goods', '--time-zone', 'America/Denver'], {
      ask: async (question) => {
        asked.push(question);
        return answers.shift() ?? '';
      },
    });
    expect(ran.code).toBe(0);
    expect(asked).toEqual(Array(3).fill('ZIP code or address that orders are sent from: '));
    const text = await readFile(join(folder, 'tieout.yaml'), 'utf8');
    expect(text).toContain('\nentity: ferry-goods\nname: Ferry Goods\n');
    expect(text).toContain('\nshipFrom: { country: US, state: CA, zip: "94607", city: "", street: "" }\n');
    expect(text).toContain('\ntimeZone: America/Denver\n');
  });

  test('is told apart which of two exports of the same sales is read, and where the configuration lies', async () => {
    const folder = await folderOf(SQUARE, [
      'exports/square.items/items-2026-10-18-2026-10-19.csv',
      'items.csv',
    ]);
    const config = join(folder, '..', `${Date.now()}-init.yaml`);
    const ran = await tieout(['init', folder, '--yes', '--output', config, '--ship-from', '94607']);
    expect(ran.stdout).toContain(`  tieout doctor --config ${config}\n`);
    expect(ran.stdout).toContain(
      'items.csv: Square item sales export with 2 orders and 1 refund; left out, because two kinds of export of one shop count its sales twice, and Square transactions export says as much of refunds or more. Check that it has these sales\n',
    );
    expect((await tieout(['doctor', '--config', config])).code).toBe(0);
  });

  test('takes of two exports of the same sales the one that has the refunds, and says what it left out', async () => {
    const folder = await temporaryFolder();
    const ship = 'Ship to city,Ship to province/region/state,Ship to zip,Ship to country';
    await writeFile(
      join(folder, 'orders.csv'),
      [
        'Sales Record Number,Order Number,Item Number,Item Title,Custom Label,Quantity,Sold For,Shipping And Handling,Seller Collected Tax,eBay Collected Tax,Total Price,Sale Date,Paid On Date,Ship To City,Ship To State,Ship To Zip,Ship To Country',
        ...[1, 2].map(
          (n) =>
            `${n},03-${n},55${n},Mug,MUG,1,$100.00,$0.00,$6.00,$0.00,$106.00,Oct-0${n}-26,Oct-0${n}-26,Louisville,KY,40202,United States`,
        ),
        '',
      ].join('\n'),
    );
    await writeFile(
      join(folder, 'transactions.csv'),
      [
        '"Transaction report"\n',
        `Transaction creation date,Type,Order number,${ship},Item ID,Item title,Custom label,Quantity,Item subtotal,Shipping and handling,Seller collected tax,eBay collected tax,Gross transaction amount,Transaction currency`,
        ...[
          ['Oct 1', 'Order', 1, ''],
          ['Oct 2', 'Order', 2, ''],
          ['Oct 20', 'Refund', 2, '-'],
        ].map(
          ([day, type, n, sign]) =>
            `"${day}, 2026",${type},03-${n},Louisville,KY,40202,US,55${n},Mug,MUG,1,${sign}$100.00,$0.00,${sign}$6.00,$0.00,${sign}$106.00,USD`,
        ),
        '',
      ].join('\n'),
    );
    const { stdout } = await tieout(['init', folder, '--yes', '--ship-from', '40202']);
    const why =
      'orders.csv: eBay orders report with 2 orders and 0 refunds; left out, because two kinds of export of one shop count its sales twice, and eBay transaction report says as much of refunds or more. Check that it has these sales';
    expect(stdout).toContain(`${why}\n`);
    const config = join(folder, 'tieout.yaml');
    const text = await readFile(config, 'utf8');
    expect(text).toContain('    profile: ebay.transactions\n');
    expect(text).toContain(`  # CHECK ${why}.\n`);
    const closed = await tieout(['close', '2026-10', '--config', config]);
    expect(closed.stdout).toMatch(/^due: 1 return, 6\.00 in all/m);
  });

  test('prefers an export that dates its refunds to one with more orders, and marks one that has none', async () => {
    const woo = await folderOf(
      ['exports/woo.advanced-order-export/orders-2026-10.csv', 'orders.csv'],
      ['exports/woo.webtoffee/order_export_2026-10.csv', 'order_export.csv'],
    );
    const both = await tieout(['init', woo, '--yes', '--ship-from', '94607']);
    expect(both.stdout).toMatch(/orders\.csv: WooCommerce Advanced Order Export with .*; left out, /);
    const alone = await folderOf(['exports/ebay.orders/eBay-OrdersReport-Oct-2026.csv', 'orders.csv']);
    const { stdout } = await tieout(['init', alone, '--yes', '--ship-from', '94607']);
    expect(stdout).toContain(
      'ebay: eBay orders report has no refunds; where something was given back, take an export that has them (docs/channels.md)\n',
    );
  });

  test.for([
    ['95814', 'America/Los_Angeles', true],
    ['60601', 'America/Chicago', true],
    ['75201', 'America/Chicago', false],
    ['79901', 'America/Chicago', false],
    ['46204', 'America/New_York', false],
    ['86515', 'America/Phoenix', false],
    ['96813', 'Pacific/Honolulu', true],
    ['09012', 'America/New_York', false],
  ] as const)('takes the time zone from the ship-from address: %s is %s', async ([zip, zone, isSure]) => {
    const folder = await folderOf(SQUARE);
    const ran = await tieout(['init', folder, '--yes', '--ship-from', zip]);
    expect(await readFile(join(folder, 'tieout.yaml'), 'utf8')).toContain(`\ntimeZone: ${zone}\n`);
    expect(ran.stdout.includes(`time zone ${zone} is assumed`)).toBe(!isSure);
  });

  test('says where the dates of the exports have another clock than the ship-from address', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'orders.csv'), ordersExport([{ name: '#1' }]));
    const ran = await tieout(['init', folder, '--yes', '--ship-from', '10001']);
    expect(ran.stdout).toMatch(
      /shopify: orders\.csv: 1 of 1 record states another offset than America\/New_York has, such as -07:00 in place of -0[45]:00/,
    );
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
    const folder = await folderOf(SQUARE);
    expect((await tieout(['init', folder, '--yes', '--ship-from', address])).code).toBe(0);
    const text = await readFile(join(folder, 'tieout.yaml'), 'utf8');
    expect(text).toContain(`\nshipFrom: { country: US, ${written} }\n`);
  });

  test.for([
    ['1201 K Street, Sacramento', 'does not end in a ZIP code'],
    ['1201 K Street, Sacramento, NY 95814', '95814 is in CA, not in NY'],
  ])('says what is wrong with an address: %s', async ([address = '', wrong]) => {
    const ran = await tieout(['init', '.', '--yes', '--ship-from', address]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(wrong ?? '')]);
  });

  test('names records and fees that will keep a month from being READY', async () => {
    const { stdout } = await tieout(['init', await folderOf(...HARBOR), '--yes', '--ship-from', '95814']);
    expect(stdout).toMatch(/:\d+ {2}CO: say with `deliveryFee` whether you owe the Retail Delivery Fee/);
    expect(stdout).toMatch(
      /:\d+ {2}records of these exports that keep their months from being READY .*: 1 bad-cell/,
    );
  });

  test('needs --ship-from where no one can answer, and reads its options before it reads files', async () => {
    const folder = await folderOf(SQUARE);
    const zip = await tieout(['init', folder, '--yes', '--ship-from', '00000']);
    expect([zip.code, zip.stderr]).toEqual([
      2,
      expect.stringMatching(/^E_USAGE: "00000" is not a ZIP code in use/),
    ]);
    for (const quiet of [[], ['--yes'], ['--json']]) {
      const none = await tieout(['init', folder, ...quiet]);
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--ship-from 95814')]);
    }
  });

  test('writes nothing where there is no export, and never over a configuration', async () => {
    const empty = await temporaryFolder();
    expect(await tieout(['init', empty, '--yes', '--ship-from', '94607'])).toMatchObject({
      code: 65,
      stderr: expect.stringContaining('the folder has no files'),
    });
    await writeFile(join(empty, 'invoice.pdf'), '%PDF-1.7');
    expect((await tieout(['init', empty, '--yes', '--ship-from', '94607'])).stderr).toContain(
      'invoice.pdf: not a table of sales',
    );
    const folder = await folderOf(SQUARE);
    await writeFile(join(folder, 'tieout.yaml'), 'mine\n');
    expect((await tieout(['init', folder, '--yes', '--ship-from', '94607'])).stderr).toMatch(
      /^E_CONFIG_EXISTS: /,
    );
    expect(await readFile(join(folder, 'tieout.yaml'), 'utf8')).toBe('mine\n');
  });
});

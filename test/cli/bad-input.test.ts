import { mkdirSync } from 'node:fs';
import { appendFile, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { filesOf, type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';

type Case = {
  readonly what: string;
  readonly spoil: (merchant: Merchant) => Promise<unknown> | unknown;
  readonly args?: readonly string[];
  readonly code: number;
  readonly stderr: (merchant: Merchant) => string;
};

const replaceIn = async (path: string, from: string, to: string) => {
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
  await writeFile(path, text.replace(from, to));
};

const orders = ({ folder }: Merchant) => join(folder, 'orders_export.csv');

const CASES: readonly Case[] = [
  {
    what: 'a missing export',
    spoil: (merchant) => rm(orders(merchant)),
    code: 65,
    stderr: (merchant) =>
      `E_EXPORT_MISSING: ${orders(merchant)}: there is no such file.\nPut the export there, or correct \`files\` of the channel shopify in the configuration.\n`,
  },
  {
    what: 'an empty export',
    spoil: (merchant) => writeFile(orders(merchant), ''),
    code: 65,
    stderr: (merchant) =>
      `E_EXPORT_EMPTY: ${orders(merchant)}: the file is empty.\nExport it again; even a month without sales has a header.\n`,
  },
  {
    what: 'a picture for an export',
    spoil: (merchant) =>
      writeFile(orders(merchant), Buffer.from('89504e470d0a1a0a0000000d49484452ff', 'hex')),
    code: 65,
    stderr: (merchant) =>
      `E_EXPORT_ENCODING: ${orders(merchant)}: it has zero bytes, so it is not text.\nExport it as CSV in UTF-8, or as an XLSX workbook.\n`,
  },
  {
    what: 'columns that fit no profile',
    spoil: (merchant) => replaceIn(orders(merchant), 'Lineitem price', 'Zeilenpreis'),
    code: 65,
    stderr: (merchant) =>
      `E_EXPORT_UNKNOWN: ${orders(merchant)}: its columns fit no known export; the nearest is shopify.orders (Shopify orders export), which needs "Lineitem price" as well.\nCheck that the right file is configured, and that it was exported with all columns; its header is looked for in the first 30 lines. \`tieout profile init\` drafts a profile for another export.\n`,
  },
  {
    what: 'the companion file in place of the export',
    spoil: ({ config }) =>
      replaceIn(config, 'files: [orders_export.csv]', 'files: [payment_transactions_export.csv]'),
    code: 65,
    stderr: ({ folder }) =>
      `E_EXPORT_PROFILE: ${join(folder, 'payment_transactions_export.csv')}: it is a Shopify payment transactions export (shopify.payments), but \`files\` of the channel wants sales.\nIt says what was paid and when, and nothing of ship-to and tax. Export the orders, and name this file under \`refundDates\`.\n`,
  },
  {
    what: 'a broken quote',
    spoil: (merchant) => appendFile(orders(merchant), '"#9999,never closed\n'),
    code: 65,
    stderr: (merchant) =>
      `E_EXPORT_DAMAGED: ${orders(merchant)}: the record that starts on line 643 is damaged (the file ends inside quotes: it was cut off, or a closing quote is missing).\nExport the file again and do not edit it.\n`,
  },
  {
    what: 'no configuration',
    spoil: ({ config }) => rm(config),
    code: 78,
    stderr: ({ config }) =>
      `E_CONFIG_MISSING: ${config}: the configuration cannot be read: it is not there (ENOENT).\nName one with --config, or run where tieout.yaml is. From a folder of exports, \`tieout init FOLDER\` makes one.\n`,
  },
  {
    what: 'a configuration that is not a YAML',
    spoil: ({ config }) => writeFile(config, 'entity: harbor-and-pine\nname: [Harbor\n'),
    code: 78,
    stderr: ({ config }) =>
      `E_CONFIG_SYNTAX: ${config}:3:1: a [ or { before this place is not closed, or the line is indented less than what it belongs to.\nCorrect the YAML at that place.\n`,
  },
  {
    what: 'an unknown key',
    spoil: ({ config }) => replaceIn(config, 'timeZone:', 'timezone:'),
    code: 78,
    stderr: ({ config }) =>
      `E_CONFIG_INVALID: ${config}:2: timeZone: is missing\n  line 4: unknown key "timezone"; did you mean "timeZone"?\nCorrect these keys and run again.\n`,
  },
  {
    what: 'an unknown key deep inside',
    spoil: ({ config }) => replaceIn(config, 'state: CA, since', 'state: CA, sinse'),
    code: 78,
    stderr: ({ config }) =>
      `E_CONFIG_INVALID: ${config}:9: registrations[CA].since: is missing\n  line 9: registrations[CA]: unknown key "sinse"; did you mean "since"?\nCorrect these keys and run again.\n`,
  },
  {
    what: 'a period that is none',
    spoil: () => {},
    args: ['2026-13'],
    code: 2,
    stderr: () =>
      'E_PERIOD: "2026-13" is not a filing period.\nWrite a month as 2026-10, a quarter as 2026-Q4, a half as 2026-H2, a year as 2026, or a range as 2026-10..2026-12.\n',
  },
  {
    what: 'records in a file that is not a database',
    spoil: async ({ folder }) => {
      mkdirSync(join(folder, '.tieout'));
      await writeFile(
        join(folder, '.tieout', 'ledger.db'),
        'not a database at all, but long enough to look at',
      );
    },
    code: 78,
    stderr: ({ folder }) =>
      `E_DATABASE_FOREIGN: ${join(folder, '.tieout', 'ledger.db')} is not a database of Tieout; it was left untouched.\nName another file in the database address, or move this one away. If it was one before, docs/cron.md says how to put a backup back.\n`,
  },
];

describe('bad input stops the close with one clear sentence and its own exit code', () => {
  test.for(CASES.map((one) => [one.what, one] as const))('%s', async ([, { spoil, args, code, stderr }]) => {
    const merchant = await sampleMerchant();
    await spoil(merchant);
    const ran = await merchant.close(args ?? ['2026-10']);
    const command = `tieout close ${(args ?? ['2026-10'])[0]}`;
    const told = `${stderr(merchant)}This was \`${command}\` with ${merchant.config}.\n`;
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr: told });
    expect([...(await filesOf(merchant.output)).keys()]).toEqual([]);
  });

  test('a shop on which another run is at work', async () => {
    const merchant = await sampleMerchant();
    expect((await merchant.close()).code).toBe(0);
    const before = await filesOf(merchant.output);
    const holder = new DatabaseSync(join(merchant.folder, '.tieout', 'run.lock'));
    holder.exec('begin exclusive');
    const ran = await merchant.close();
    holder.close();
    expect(ran.code).toBe(75);
    expect(ran.stderr).toMatch(
      /^E_RUN_LOCKED: Another run is working on .*\.tieout\/run \(process \d+\)\.\nWait until it has finished/,
    );
    expect(await filesOf(merchant.output)).toEqual(before);
    expect((await merchant.close()).code).toBe(0);
  });

  test('a usage error says how the command is used', async () => {
    const merchant = await sampleMerchant();
    const ran = await merchant.close(['2026-10', '--no-such-option']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toBe(
      'E_USAGE: unknown option "--no-such-option".\nRun `tieout close --help` to see how it is used.\n',
    );
  });

  test('with --json the error is the one object on standard output', async () => {
    const merchant = await sampleMerchant();
    await rm(orders(merchant));
    const ran = await merchant.close(['2026-10', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'E_EXPORT_MISSING', exit_code: 65 } });
  });

  test('an output folder that cannot be written leaves no half of a month', async () => {
    const merchant = await sampleMerchant();
    await writeFile(merchant.output, 'a file where the folder should be');
    const ran = await merchant.close();
    expect(ran.code).toBe(78);
    expect(ran.stderr).toMatch(/^E_OUTPUT_UNWRITABLE: /);
    await chmod(merchant.output, 0o600);
  });

  test('an output folder that can never be is refused before anything is read', async () => {
    const merchant = await sampleMerchant();
    await rm(orders(merchant));
    const ran = await tieout(['close', '2026-10', '--config', merchant.config, '--output', '/proc/nowhere']);
    expect(ran.code).toBe(78);
    expect(ran.stderr).toMatch(/^E_OUTPUT_UNWRITABLE: \/proc\/nowhere\/harbor-and-pine cannot be written/);
  });
});

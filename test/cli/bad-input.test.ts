import { mkdirSync } from 'node:fs';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { filesOf, type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';

const orders = ({ folder }: Merchant) => join(folder, 'orders_export.csv');

/** What is wrong of a month, and the code; `samples/errors` has the words of each code. */
const CASES: readonly (readonly [string, (merchant: Merchant) => unknown, string, number])[] = [
  ['a missing export', (merchant) => rm(orders(merchant)), 'E_EXPORT_MISSING', 65],
  ['an empty export', (merchant) => writeFile(orders(merchant), ''), 'E_EXPORT_EMPTY', 65],
  [
    'an export that was cut off',
    (merchant) => appendFile(orders(merchant), '"#9999,never closed\n'),
    'E_EXPORT_DAMAGED',
    65,
  ],
  ['no configuration', ({ config }) => rm(config), 'E_CONFIG_MISSING', 78],
  ['a configuration that is no YAML', ({ config }) => writeFile(config, 'a: [b\n'), 'E_CONFIG_SYNTAX', 78],
  [
    'records in a file that is not a database',
    ({ folder }) => {
      mkdirSync(join(folder, '.tieout'));
      return writeFile(join(folder, '.tieout', 'ledger.db'), 'not a database at all, but long enough');
    },
    'E_DATABASE_FOREIGN',
    78,
  ],
];

describe('bad input stops the close with one clear sentence and its own exit code', () => {
  test.for(CASES)('%s', async ([, spoil, error, code]) => {
    const merchant = await sampleMerchant();
    await spoil(merchant);
    const ran = await merchant.close(['2026-10']);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(new RegExp(`^${error}: .*\\n.*\\.\\n$`));
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
      /^E_RUN_LOCKED: Another run is working on .*\.tieout\/run\.\nWait until it has finished/,
    );
    expect(await filesOf(merchant.output)).toEqual(before);
    expect((await merchant.close()).code).toBe(0);
  });

  test('a text that is no period', async () => {
    expect((await tieout(['backfill', '2026-13'])).stderr).toMatch(/^E_PERIOD: /);
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
  });

  test('an output folder that can never be is refused before anything is read', async () => {
    const merchant = await sampleMerchant();
    await rm(orders(merchant));
    const ran = await tieout(['close', '2026-10', '--config', merchant.config, '--output', '/proc/nowhere']);
    expect(ran.code).toBe(78);
    expect(ran.stderr).toMatch(/^E_OUTPUT_UNWRITABLE: \/proc\/nowhere\/harbor-and-pine cannot be written/);
  });
});

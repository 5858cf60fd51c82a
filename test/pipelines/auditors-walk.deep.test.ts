import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { tableRows } from '../support/sheets.ts';
import { type Merchant, sampleMerchant, sharedFolder } from '../support/tieout.ts';

const SCRIPT = fileURLToPath(new URL('../../docs/check-books.py', import.meta.url));

/** How the exports name the record of a row: a refund by its order. */
const recordOf = (row: Readonly<Record<string, unknown>>): string =>
  String(row['Transaction'] ?? row['Record']).replace(/-refund.*/, '');

describe('an auditor’s walk through the sample month', () => {
  const folder = sharedFolder();
  let merchant: Merchant;
  const pack = (name: string) => join(merchant.output, 'harbor-and-pine', '2026-10', name);
  beforeAll(async () => {
    merchant = await sampleMerchant(folder);
    await merchant.close();
  });

  // What the figures of all other sheets add up is Detail: equal-totals.deep.test.ts and recalculated-books.long.test.ts.
  test.for(['Detail', 'Not posted', 'Exceptions'])(
    'each row of %s names a line of an export that holds its record',
    async (table) => {
      let walked = 0;
      for (const row of await tableRows(pack('variance.xlsx'), table)) {
        const [, file, line = ''] = /^(.*):(\d+)$/.exec(String(row['File and line'])) ?? [];
        if (file === undefined) continue;
        walked += 1;
        const text = readFileSync(join(folder, file), 'utf8').split('\n')[Number(line) - 1];
        expect(text, `${row['File and line']}`).toContain(recordOf(row));
      }
      expect(walked).toBeGreaterThan(5);
    },
  );

  test.skipIf(spawnSync('python3', ['--version']).status !== 0)(
    'the script for auditors comes to the same books, and finds each cent that is changed',
    async () => {
      const check = (): string => {
        const { status, stdout } = spawnSync('python3', [SCRIPT, pack(''), folder], { encoding: 'utf8' });
        return `${status} ${stdout}`;
      };
      expect(check()).toBe('0 334 entries, 0 differences\n');
      const path = pack('evidence/entries.ndjson.gz');
      const whole = gunzipSync(readFileSync(path)).toString();
      for (const [from, to, problem] of [
        ['"salesTax":1000,', '"salesTax":1001,', 'tax of its row: computed 1000, stated 1001'],
        [
          '"tax":581,"collected":581',
          '"tax":582,"collected":581',
          'tax of its levels: computed 1001, stated 1000',
        ],
        [/("name":"CA","rate":)625000/, '$1725000', 'has 581 of tax, and its rate gives 674.18'],
        [/.*"shopify\/order\/5010".*\n/, '', 'Return CA: Gross sales: computed 1199102, stated 1209196'],
      ] as const) {
        const changed = whole.replace(from, to);
        expect(changed).not.toBe(whole);
        writeFileSync(path, gzipSync(changed));
        expect(check()).toMatch(new RegExp(`^1 [^]*${problem}`));
      }
      writeFileSync(path, gzipSync(whole));
      expect(check()).toMatch(/^0 /);
    },
  );
});

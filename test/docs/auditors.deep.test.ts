import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { tableRows } from '../support/sheets.ts';
import { sampleMerchant, sharedFolder } from '../support/tieout.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/auditors.md', import.meta.url), 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const program = fileURLToPath(new URL('../../dist/tieout.js', import.meta.url));

const SCRIPT = fileURLToPath(new URL('../../docs/check-books.py', import.meta.url));

/** How the exports name the record of a row: a refund by its order. */
const recordOf = (row: Readonly<Record<string, unknown>>): string =>
  String(row['Transaction'] ?? row['Record']).replace(/-refund.*/, '');

/** The command of the page that begins like this, to the end of its line, or of its quotation over several lines. */
const commandOf = (start: string): string => {
  const found = page.slice(page.indexOf(`    ${start}`)).match(/^ {4}[^'\n]*(?:'[^']*'[^'\n]*)*/);
  expect(found?.[0], start).toBeDefined();
  return found?.[0] ?? '';
};

const afterWords = (words: string, start: string): string => {
  const from = page.indexOf(words);
  expect(from, words).toBeGreaterThan(0);
  return commandOf(page.slice(page.indexOf(start, from)).split('\n')[0] ?? '');
};

describe('the page for auditors, on the sample month', () => {
  const place = sharedFolder();
  let folder = '';
  beforeAll(async () => {
    const merchant = await sampleMerchant(place);
    await merchant.close();
    folder = join(merchant.output, 'harbor-and-pine', '2026-10');
  });

  const bash = async (command: string): Promise<readonly (readonly string[])[]> => {
    const script = `set -eo pipefail; tieout() { ${process.execPath} ${program} "$@"; }\n${command}`;
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
  };
  const rowsOf = async (sheet: string, ...titles: readonly string[]) =>
    (await tableRows(join(folder, 'variance.xlsx'), sheet)).map((row) =>
      titles.map((title) => String(row[title] ?? '')),
    );

  test('leads from a cell to the line of the export', async () => {
    const [texas] = (await rowsOf('By state', 'State', 'Collected', 'Expected', 'Main reason')).filter(
      ([state]) => state === 'TX',
    );
    expect(texas).toEqual(['TX', '369.56', '384.89', 'R11 Nexus but not collected']);
    const detail = await rowsOf('Detail', 'State', 'Reason', 'Transaction', 'File and line');
    const own = detail.filter(([state]) => state === 'TX');
    expect(own).toHaveLength(26);
    expect(own.filter(([, reason]) => reason === 'R11')).toEqual([
      ['TX', 'R11', '5084', 'orders_export.csv:461'],
    ]);
    const gross = (await rowsOf('Detail', 'State', 'Gross')).filter(([state]) => state === 'TX');
    const cents = gross.reduce((sum, [, amount]) => sum + Math.round(Number(amount) * 100), 0);
    expect(page).toContain(`Gross ${(cents / 100).toLocaleString('en-US')} in the row of totals`);
    const [answer] = await bash(`${afterWords('4. The proof.', 'zgrep')} | tr -d '\\n '`);
    expect(answer?.[0]).toContain('"rate":625000,"taxable":18585,"tax":1161');
    expect(answer?.[0]).toContain('15.33wasdue');
  });

  test.skipIf(!hasPython)('has a script that reads each cell where it stands', async () => {
    const script = join(place, 'cells.py');
    const [, code = ''] = /\n\n((?: {4}.*\n|\n)+?)\n## Which sales/.exec(page) ?? [];
    await writeFile(script, code.replace(/^ {4}/gm, ''));
    const printed = await bash(`python3 ${script} variance.xlsx Detail`);
    const [titles = [], ...rows] = printed.slice(printed.findIndex(([first]) => first === 'Transaction'));
    const at = (title: string) => titles.indexOf(title);
    const texas = rows.filter((row) => row[at('State')] === 'TX');
    const collected = texas.map((row) => Math.round(Number(row[at('Collected')]) * 100));
    expect([texas.length, collected.reduce((sum, cents) => sum + cents, 0)]).toEqual([26, 36_956]);
    const [proved] = rows.filter((row) => row[at('Transaction')] === '5084');
    expect(proved?.[at('File and line')]).toBe('orders_export.csv:461');
  });

  test('adds up the logs to the sheets By state and Tie-out', async () => {
    const sums = await bash(afterWords('tax by state, as By state', 'zcat'));
    // The sheet has the largest variance first.
    const byState = await rowsOf('By state', 'State', 'Collected', 'Expected', 'Recorded');
    expect([...sums].sort()).toEqual(byState.sort());
    const reasons = await bash(afterWords('variance by reason, as Tie-out', 'zcat'));
    expect(reasons.map(([code, , net]) => [code, net])).toEqual(await rowsOf('By reason', 'Code', 'Net'));
  });

  // What the figures of all other sheets add up is Detail: whole-months.deep.test.ts and recalculated-books.long.test.ts.
  test.for(['Detail', 'Not posted', 'Exceptions'])(
    'each row of %s names a line of an export that holds its record',
    async (table) => {
      let walked = 0;
      for (const row of await tableRows(join(folder, 'variance.xlsx'), table)) {
        const [, file, line = ''] = /^(.*):(\d+)$/.exec(String(row['File and line'])) ?? [];
        if (file === undefined) continue;
        walked += 1;
        const text = readFileSync(join(place, file), 'utf8').split('\n')[Number(line) - 1];
        expect(text, `${row['File and line']}`).toContain(recordOf(row));
      }
      expect(walked).toBeGreaterThan(5);
    },
  );

  test.skipIf(!hasPython)(
    'the script for auditors comes to the same books, and finds each cent that is changed',
    async () => {
      const check = (): string => {
        const { status, stdout } = spawnSync('python3', [SCRIPT, folder, place], { encoding: 'utf8' });
        return `${status} ${stdout}`;
      };
      expect(check()).toBe('0 334 entries, 0 differences\n');
      const path = join(folder, 'evidence/entries.ndjson.gz');
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

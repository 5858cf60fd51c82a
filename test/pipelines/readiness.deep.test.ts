import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReadinessFigures } from '../../src/judge/readiness.ts';
import { accepting } from '../support/accepting.ts';
import { sheetText, tableRows } from '../support/sheets.ts';
import { tieout } from '../support/tieout.ts';
import { workbookTables } from '../support/workbook-tables.ts';
import { contentWithGaps } from './gap-month.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/cedar-and-slate', import.meta.url));

type Closed = {
  readonly exit_code: number;
  readonly readiness: ReadinessFigures;
  readonly exceptions: readonly { readonly code: string; readonly record: string }[];
};

/** What a close prints, and the books that it writes. */
const shown = async (folder: string) => {
  const place = ['--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')];
  const ran = await tieout(['close', '2026-10', ...place, '--json']);
  const own = join(folder, 'out/cedar-and-slate/2026-10');
  return {
    code: ran.code,
    closed: JSON.parse(ran.stdout) as Closed,
    books: ['variance.xlsx', 'filing-summary.xlsx'].map((name) => join(own, name)),
    again: await tieout(['close', '2026-10', ...place]),
  };
};

const sample = async (decisions = ''): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-readiness-'));
  for (const file of ['tieout.yaml', 'orders_export.csv', 'market_orders.csv'])
    await cp(join(SAMPLE, file), join(folder, file));
  const config = join(folder, 'tieout.yaml');
  await writeFile(config, `${await readFile(config, 'utf8')}\ncontent: ${await contentWithGaps()}\n`);
  if (decisions !== '') await writeFile(join(folder, 'decisions.csv'), decisions);
  return folder;
};

const WHY = 'Looked up at the state on 2026-11-03';

describe('a right shop whose places lack rates in Tieout', () => {
  const folders: string[] = [];
  let before: Awaited<ReturnType<typeof shown>>;

  beforeAll(async () => {
    const folder = await sample();
    folders.push(folder);
    before = await shown(folder);
  }, 240_000);

  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  test('has returns that remit the tax of those places as collected, and call none of it excess', async () => {
    const [, filing = ''] = before.books;
    const returns = await tableRows(filing, 'Returns');
    const amounts = (title: string, ...states: readonly string[]) =>
      states.map((state) => returns.find(({ State }) => State === state)?.[title]);
    expect(amounts('Missing rates', 'LA', 'MO', 'NY', 'TX')).toEqual([1.61, 6.8, 0, 0]);
    // Two cents of rounding in Louisiana are all that is above the tax due there.
    expect(amounts('Remittance rule', 'LA', 'MO')).toEqual([0.02, 0]);
    const louisiana = returns.find(({ State }) => State === 'LA');
    const remitted = ['Expected', 'Missing rates', 'Remittance rule'].map((title) =>
      Number(louisiana?.[title]),
    );
    expect(remitted.reduce((total, amount) => total + amount, 0)).toBeCloseTo(54.01, 6);
    expect(await sheetText(filing, 'LA General')).toMatch(
      /Rates \| Local rates of LA are missing in Tieout: 1\.61 was collected under them on 1 sale\./,
    );
    expect(await sheetText(filing, 'NY ST-809')).not.toContain('missing in Tieout');
    expect(await sheetText(filing, 'NY ST-809')).toMatch(/Rates \| ERIE, .*: rates from secondary sources/);
    const tables = await workbookTables(filing);
    const rows = [...tables]
      .filter(([name]) => name.startsWith('Schedule_LA_'))
      .flatMap(([, { rows }]) => rows);
    const gaps = rows.filter((row) =>
      String(row['Place or body']?.value).includes('local rate not in Tieout'),
    );
    expect(gaps.map((row) => row['Tax']?.value)).toEqual([1.61]);
  });

  test('is ready where every place is accepted, and says which', async () => {
    const places = before.closed.readiness.reasons.map(({ what, state }) => ({
      ...{ record: `${what.split(':')[0]}, ${state} 2026-10`, code: 'R26', why: WHY },
    }));
    const folder = await sample(accepting('2026-10', ...places));
    folders.push(folder);
    const after = await shown(folder);
    expect(after.code).toBe(0);
    const { ready, reasons, accepted } = after.closed.readiness;
    expect([ready, reasons, accepted.map(({ why }) => why)]).toEqual([true, [], Array(3).fill(WHY)]);
    for (const book of after.books)
      for (const { Result } of await tableRows(book, 'Checks')) expect(Result).toBe('PASS');
    expect((await sheetText(after.books[0] ?? '', 'Decide')).split(WHY)).toHaveLength(4);
    expect(after.again.stdout).toContain('READY: 3 gaps of Tieout’s rates are accepted (13.55)');
    expect(after.again.stdout).toContain(`accepted R26 MO: Warrensburg`);
  }, 240_000);
});

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sheetText, tableRows, workbookTables } from '../support/sheets.ts';
import { isGiven, temporaryFolder, tieout } from '../support/tieout.ts';
import { contentWithGaps } from './gap-month.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/cedar-and-slate', import.meta.url));

test('a right shop whose places lack rates in Tieout has returns that remit their tax as collected, and call none of it excess', async () => {
  const folder = await temporaryFolder();
  await cp(SAMPLE, folder, { recursive: true, filter: isGiven });
  const config = join(folder, 'tieout.yaml');
  await writeFile(config, `${await readFile(config, 'utf8')}\ncontent: ${await contentWithGaps()}\n`);
  await tieout(['close', '2026-10', '--config', config, '--output', join(folder, 'out')]);
  const filing = join(folder, 'out/cedar-and-slate/2026-10/filing-summary.xlsx');
  const returns = await tableRows(filing, 'Returns');
  const amounts = (title: string, ...states: readonly string[]) =>
    states.map((state) => returns.find(({ State }) => State === state)?.[title]);
  expect(amounts('Missing rates', 'LA', 'MO', 'NY', 'TX')).toEqual([1.61, 6.8, 0, 0]);
  // Two cents of rounding in Louisiana are all that is above the tax due there.
  expect(amounts('Remittance rule', 'LA', 'MO')).toEqual([0.02, 0]);
  expect(amounts('Expected', 'LA')).toEqual([52.38]);
  expect(await sheetText(filing, 'LA General')).toMatch(
    /Rates \| Local rates of LA are missing in Tieout: 1\.61 was collected under them on 1 sale\./,
  );
  expect(await sheetText(filing, 'NY ST-809')).not.toContain('missing in Tieout');
  expect(await sheetText(filing, 'NY ST-809')).toMatch(/Rates \| ERIE, .*: from secondary sources/);
  const schedules = [...(await workbookTables(filing))].filter(([name]) => name.startsWith('Schedule_LA_'));
  const gaps = schedules
    .flatMap(([, { rows }]) => rows)
    .filter((row) => String(row['Place or body']?.value).includes('local rate not in Tieout'));
  expect(gaps.map((row) => row['Tax']?.value)).toEqual([1.61]);
});

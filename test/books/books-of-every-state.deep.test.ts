import { join } from 'node:path';
import { expect } from 'vitest';
import { recalculate, testWithLibreOffice, unconfirmed } from '../support/libreoffice.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';
import { writeShopOfEveryState } from './every-state.ts';

testWithLibreOffice('every line of every return of every state recalculates to the cent', async () => {
  const folder = await temporaryFolder();
  await writeShopOfEveryState(folder);
  const args = ['--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')];
  for (const period of ['2026-09', '2026-10'])
    expect(await tieout(['close', period, ...args])).toMatchObject({ code: 1, stderr: '' });
  const cells = await recalculate(join(folder, 'out/shop/2026-10/filing-summary.xlsx'));
  expect(cells.length).toBeGreaterThan(600);
  expect(unconfirmed(cells)).toEqual([]);
});

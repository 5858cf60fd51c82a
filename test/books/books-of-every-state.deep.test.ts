import { join } from 'node:path';
import { expect } from 'vitest';
import { recalculate, testWithLibreOffice, unconfirmed } from '../support/libreoffice.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { closeShopOfEveryState } from './every-state.ts';

testWithLibreOffice('every line of every return of every state recalculates to the cent', async () => {
  const pack = await closeShopOfEveryState(await temporaryFolder());
  const cells = await recalculate(join(pack, 'filing-summary.xlsx'));
  expect(cells.length).toBeGreaterThan(600);
  expect(unconfirmed(cells)).toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow } from '../../src/runtime/publish-folder.ts';
import { tableRows } from '../support/sheets.ts';
import { closeShopOfEveryState, EMPTY_STATE, isQuarterly, STATES } from './every-state.ts';

type Row = Awaited<ReturnType<typeof tableRows>>[number];

/** The monthly form of New Jersey is not required of so little tax, but is while a decision is open. */
const isHandedIn = (state: string): boolean => !isQuarterly(state);

describe('the books of a month with sales in every state', () => {
  let folder = '';
  let pack = '';
  let filing = '';
  let returns: readonly Row[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tieout-states-'));
    pack = await closeShopOfEveryState(folder);
    filing = join(pack, 'filing-summary.xlsx');
    returns = await tableRows(filing, 'Returns');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('have a return for every registration, and every check of the returns passes', async () => {
    expect(returns.map((row) => row['State'])).toEqual([...STATES, EMPTY_STATE].sort());
    expect(returns.filter((row) => row['Adds up'] !== 'yes')).toEqual([]);
    const checks = await tableRows(filing, 'Checks');
    expect(checks.length).toBeGreaterThanOrEqual(6);
    expect(checks.filter((row) => row['Result'] !== 'PASS')).toEqual([]);
  });

  test('hand in no return of a quarter of which only a month was closed', async () => {
    const journal = await tableRows(filing, 'Journal');
    expect([...new Set(journal.map((row) => row['State']))]).toEqual(STATES.filter(isHandedIn));
    const pay = await tableRows(filing, 'Pay');
    expect(pay.filter((row) => !isHandedIn(String(row['State'])))).toEqual([]);
    const uploads = pay.map((row) => row['Portal file']).filter((file) => file !== 'Enter on the portal');
    expect(uploads.length).toBe(1);
    const written = (await filesBelow(pack)).filter((name) => name.startsWith('upload/'));
    expect(written.map((name) => name.slice('upload/'.length)).sort()).toEqual(
      uploads.map((file) => String(file).replace('Draft: ', '')).sort(),
    );
  });

  test('keep exempt, marketplace and returned sales apart, refunds with their minus sign', async () => {
    const deductions = await tableRows(filing, 'Deductions');
    for (const state of STATES) {
      const own = deductions.filter((row) => row['State'] === state);
      const amounts = Object.fromEntries(own.map((row) => [row['Reason'], [row['Sales'], row['Amount']]]));
      expect([state, amounts]).toEqual([
        state,
        {
          'Exempt buyer: government': [1, 20.2],
          'Exempt buyer: resale': [2, 270.1],
          'Marketplace remits': [null, 1000.4],
        },
      ]);
    }
  });
});

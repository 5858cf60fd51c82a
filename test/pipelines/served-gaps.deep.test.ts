import { expect, test } from 'vitest';
import type { Figures } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { ownContent } from '../support/own-content.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { temporaryFolder } from '../support/tieout.ts';
import type { Settings } from '../support/write-month.ts';
import { LIBERAL, sold, taxAt } from './gap-month.ts';

const STATES = ['CA', 'KS'];
const AMOUNTS = [4_999, 7_301, 12_345, 20_001, 33_330, 41_009, 5_555, 8_642, 9_999, 15_015];
/** Ten sales to a city of which the content has no rate, taxed with the right one. */
const ORDERS = AMOUNTS.map((cents, index) => sold(index, LIBERAL, cents, taxAt(cents, 9_570)));

const figuresOf = async (settings: Settings, key = ''): Promise<Figures> => {
  const registrations = STATES.map((state) => ({ state, since: '2019-01-01' }));
  const shop = await month({ orders: ORDERS, settings: { registrations, ...settings } });
  const { stdout } = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: key } }, 'close', '2026-10', '--json');
  return JSON.parse(stdout) as Figures;
};

test('a gap of the content is a gap also where a served Tieout calculates, and never the shop’s mistake', async () => {
  const { url, key } = await servedLedger(await temporaryFolder(), STATES);
  const embedded = await figuresOf({});
  expect(embedded.reasons.map(({ code }) => code)).toEqual(['R27']);
  expect(embedded.readiness.reasons).toHaveLength(1);

  const served = await figuresOf({ service: { url } }, key);
  expect([served.reasons, served.readiness]).toEqual([embedded.reasons, embedded.readiness]);

  // With another content than the one served, it is still known where rates are missing.
  const own = await ownContent(await temporaryFolder());
  await own.raiseCalifornia();
  const other = await figuresOf({ service: { url }, content: own.content }, key);
  expect([other.reasons, other.readiness]).toEqual([embedded.reasons, embedded.readiness]);
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { errorsOf, type Figures, messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';
import { LIBERAL, sold } from './gap-month.ts';

const CA = { country: 'US', state: 'CA' };
const KS = { country: 'US', state: 'KS' };

/** The content has no rate of this city, so the second opinion does not speak. */
const ORDERS = [
  sold(0, LIBERAL, 10_000, 957),
  { ...sold(1, LIBERAL, 20_000, 1_914), at: '2026-10-14' },
  { ...sold(2, LIBERAL, 20_000, 1_914), at: '2026-10-20' },
  // Of a state in which the seller is not registered.
  sold(3, { city: 'Reno', zip: '89501', state: 'NV' }, 10_000, 827),
];

/** A shop registered in both states whose account with a served service has this nexus. */
const shopServedWith = async (nexus: readonly object[]) => {
  const folder = await temporaryFolder();
  const { url, key } = await servedLedger(folder, ['CA']);
  const ledger = `sqlite:${join(folder, 'served.db')}`;
  const setNexus = async (list: readonly object[]): Promise<void> => {
    await tieout(['account', 'add', 'seller', '--ledger', ledger, '--nexus', JSON.stringify(list)]);
    // The service sees a change by another process within a second.
    await pause(1_100);
  };
  await setNexus(nexus);
  const registrations = ['CA', 'KS'].map((state) => ({ state, since: '2019-01-01' }));
  const shop = await month({ orders: ORDERS, settings: { registrations, service: { url } } });
  const close = async (...more: string[]): Promise<Figures> => {
    const env = { TIEOUT_SERVICE_KEY: key };
    return JSON.parse((await shop.runWith({ env }, 'close', '2026-10', '--json', ...more)).stdout) as Figures;
  };
  return { shop, setNexus, close };
};

test('an account that begins later than a registration holds the month until it is corrected', async () => {
  const { shop, setNexus, close } = await shopServedWith([CA, { ...KS, from: '2026-10-15' }]);
  const figures = await close();
  expect(messagesOf(figures, 'no-nexus')).toEqual([
    'the service knows no nexus in KS for 2 sales of days on which the seller is registered there, so it expects no tax of them',
  ]);
  expect(errorsOf(figures)).toContain('no-nexus US-KS');
  expect(figures.readiness.ready).toBe(false);
  expect(await shop.verify()).toEqual([]);

  await setNexus([CA, KS]);
  await rm(join(shop.folder, '.tieout', 'answers.db'));
  expect(messagesOf(await close(), 'no-nexus')).toEqual([]);
});

test('tax collected in a state that is on no return is open above materiality, until its registration is back', async () => {
  const nevada = [sold(3, { city: 'Reno', zip: '89501', state: 'NV' }, 10_000, 827)];
  const lost = { registrations: [] };
  const shop = await month({ orders: nevada, settings: lost });
  const figures = await shop.close();
  expect(errorsOf(figures)).toEqual(['R10 #4']);
  expect(figures.readiness.reasons).toMatchObject([{ code: 'R10', state: 'NV', effect: '8.27' }]);
  expect((await shop.run('close', '2026-10')).stdout).toMatch(/open R10 .*NV \+8\.27/);
  expect(await shop.verify()).toEqual([]);
  await shop.change({ settings: { ...lost, policy: { materiality: { amount: '8.27', percent: '0' } } } });
  expect((await shop.close()).readiness.ready).toBe(true);
  await shop.change({ settings: { registrations: [{ state: 'NV', since: '2019-01-01' }] } });
  expect(errorsOf(await shop.close())).not.toContain('R10 #4');
});

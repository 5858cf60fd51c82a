import { expect, test } from 'vitest';
import { deliver, serviceInFront } from '../support/faulty-service.ts';
import type { Figures } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { temporaryFolder } from '../support/tieout.ts';

test('answers are kept when the service lists the regions of the account in another order', async () => {
  const served = await servedLedger(await temporaryFolder(), ['CA', 'KS', 'AK', 'AL']);
  let isReversed = false;
  const { url } = await serviceInFront(served.url, async (call) => {
    const answer = await call.forwarded();
    const { regions } = JSON.parse(answer.said) as { regions?: readonly object[] };
    if (call.request.url !== '/v2/nexus/regions' || !regions || !isReversed)
      return deliver(call, answer, answer.said);
    return deliver(call, answer, JSON.stringify({ regions: [...regions, ...regions].reverse() }));
  });
  const shop = await month({ orders: [{ name: '#1' }], settings: { service: { url } } });
  const asked = async (): Promise<number | undefined> => {
    const how = { env: { TIEOUT_SERVICE_KEY: served.key } };
    const { stdout } = await shop.runWith(how, 'close', '2026-10', '--json');
    return (JSON.parse(stdout) as Figures).calculations['asked'];
  };
  expect(await asked()).toBe(1);
  isReversed = true;
  expect(await asked()).toBe(0);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { Figures } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { temporaryFolder } from '../support/tieout.ts';

/** A server before a service that lists the regions of the account the other way round, each twice. */
const listingOtherwise = async (behind: string): Promise<string> => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const reply = await fetch(new URL(request.url ?? '/', behind), {
      method: request.method ?? 'GET',
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body !== '' && { body }),
    });
    const plain = await reply.text();
    const content = reply.headers.get('tieout-content');
    response
      .writeHead(reply.status, {
        'content-type': 'application/json',
        ...(content !== null && { 'tieout-content': content }),
      })
      .end(request.url === '/v2/nexus/regions' ? reversed(plain) : plain);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`;
};

let isReversed = false;
const reversed = (listed: string): string => {
  const { regions } = JSON.parse(listed) as { regions: readonly object[] };
  return JSON.stringify({ regions: isReversed ? [...regions, ...regions].reverse() : regions });
};

test('answers are kept when the service lists the regions of the account in another order', async () => {
  const served = await servedLedger(await temporaryFolder(), ['CA', 'KS', 'AK', 'AL']);
  const url = await listingOtherwise(served.url);
  const shop = await month({ orders: [{ name: '#1' }], settings: { service: { url } } });
  const close = async (): Promise<Figures> => {
    const env = { TIEOUT_SERVICE_KEY: served.key };
    return JSON.parse((await shop.runWith({ env }, 'close', '2026-10', '--json')).stdout) as Figures;
  };
  expect((await close()).calculations).toMatchObject({ asked: 1 });
  isReversed = true;
  expect((await close()).calculations).toMatchObject({ asked: 0 });
});

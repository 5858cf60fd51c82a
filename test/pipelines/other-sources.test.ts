import { expect, test } from 'vitest';
import type { Order } from '../../src/contract/transaction.ts';
import { draftOf } from '../../src/contract/wire.ts';
import { messagesOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';

/** Another system records the order of the shop once more, as its own. */
const recordAs = (shop: Month, provider: string): Promise<unknown> =>
  shop.service(async (service) => {
    const [order] = await service.showMany([{ kind: 'order', id: 'T-1', provider: 'till' }]);
    return service.createMany([{ kind: 'order', transaction: { ...draftOf(order as Order), provider } }]);
  });

test.for(['shop', 'api'])(
  'an order that is recorded twice is found where the other source is called like its channel: %s',
  async (name) => {
    const shop = await month({
      template: [{ name: 'T-1' }],
      channel: { name, provider: 'till' },
      settings: { service: { otherProviders: [name] } },
    });
    expect(await shop.close()).toMatchObject({ exit_code: 0, exceptions: [] });
    await recordAs(shop, name);
    const doubled = await shop.close();
    expect(doubled.exit_code).toBe(1);
    expect(messagesOf(doubled, 'R20')).toEqual([
      `the service holds this order of "${name}" with 10.75 tax; no export explains it`,
    ]);
    const days = await shop.rows('Completeness');
    expect(days.map((day) => [day['Channel'], day['Posted'], day['Recorded'], day['Extra']])).toEqual([
      [name, 1, 1, 0],
      [`${name} (no channel)`, 0, 1, 1],
    ]);
    expect(await shop.verify()).toEqual([]);
  },
);

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, ORDER as sample } from '../contract/samples.ts';
import { servedTaxService } from '../contract/served-tax-service.ts';
import { onPostgres } from '../support/databases.ts';
import { addSeller, type Server, startServer } from '../support/serving.ts';

type Client = ReturnType<typeof servedTaxService>;

describe('two served services that share one ledger', () =>
  onPostgres(({ newUrl }) => {
    let servers: readonly Server[];
    let clients: readonly Client[];
    let calls = 0;
    /** Anyone who is behind the address this time. */
    const either = (): Client => {
      calls += 1;
      return clients[calls % clients.length] as Client;
    };
    const orderOf = (id: string) => ({ ...sample, transaction_id: id });
    const listed = (client: Client) => client.list('order', { transaction_date: '2026-10-15' });

    beforeAll(async () => {
      const ledger = await newUrl();
      // Both find an empty database, and each makes the tables or waits for the other to do so.
      const [key] = await Promise.all([addSeller(ledger, ['CA']), addSeller(ledger, ['CA'], 'another')]);
      servers = await Promise.all([startServer(ledger), startServer(ledger)]);
      clients = servers.map(({ url }) => servedTaxService({ url, key }));
    });
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()));
      for (const { child } of servers) child.kill('SIGKILL');
    });

    it('are one service to a client that meets the one now and the other then', async () => {
      for (let round = 0; round < 2; round += 1) {
        expect(await either().createOrder(orderOf('one'))).toMatchObject({ transaction_id: 'one' });
        expect(await refusalOf(either().createOrder(orderOf('one')))).toEqual({
          status: 422,
          detail: 'Provider tranx already imported for your user account',
        });
        expect(await either().showOrder('one')).toMatchObject({ to_zip: '90012' });
        await either().updateOrder('one', { ...orderOf('one'), to_street: '1 Main St' });
        expect(await either().showOrder('one')).toMatchObject({ to_street: '1 Main St' });
        expect([await listed(either()), await listed(either())]).toEqual([['one'], ['one']]);
        expect(await either().remove('order', 'one')).toMatchObject({ transaction_id: 'one' });
        expect(await refusalOf(either().showOrder('one'))).toMatchObject({ status: 404 });
        expect(await refusalOf(either().remove('order', 'one'))).toMatchObject({ status: 404 });
        // An odd number of calls more, so that the second round meets the other one first.
        expect(await listed(either())).toEqual([]);
        calls += 1;
      }
    });

    it('lose no change of two that are made to an order at the same time', async () => {
      await either().createOrder(orderOf('changed'));
      const changes = Array.from({ length: 20 }, (_, index) =>
        either().update('order', 'changed', {
          ...(index % 2 === 0 ? { to_street: '1 Main St' } : { from_street: '2 Main St' }),
        }),
      );
      await Promise.all(changes);
      expect(await either().showOrder('changed')).toMatchObject({
        to_street: '1 Main St',
        from_street: '2 Main St',
      });
    });
  }));

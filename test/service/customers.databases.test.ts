import { describe, expect, it } from 'vitest';
import { SANTA_MONICA } from '../contract/samples.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

const SALE = { to_country: 'US', to_zip: '90404', to_state: 'CA', shipping: 0, amount: 100 };

describe('over HTTP', () =>
  onEveryDatabase((databases) => {
    const suite = serverForSuite(databases);

    it('customers are kept on file, and their exemptions reach calculations', async () => {
      const { secret: key } = await suite.newAccount(SANTA_MONICA);
      const customer = {
        customer_id: 'city-hall',
        exemption_type: 'government',
        name: 'City Hall',
        exempt_regions: [{ country: 'US', state: 'NY' }],
      };
      const onFile = { ...customer, country: null, state: null, zip: null, city: null, street: null };
      const taxOf = async () => {
        const sale = { ...SALE, customer_id: 'city-hall' };
        const { json } = await suite.ask('taxes', { method: 'POST', key, body: sale });
        return (json['tax'] as { amount_to_collect: number }).amount_to_collect;
      };
      const created = await suite.ask('customers', { method: 'POST', key, body: customer });
      expect([created.status, created.json]).toEqual([201, { customer: onFile }]);
      expect((await suite.ask('customers', { method: 'POST', key, body: customer })).json).toEqual({
        status: 422,
        error: 'Unprocessable Entity',
        detail: 'customer city-hall is already on file',
      });
      expect(await taxOf()).toBeGreaterThan(0);

      const path = 'customers/city-hall';
      const regions = { exempt_regions: [{ country: 'us', state: 'ca' }], zip: '90404' };
      const changed = await suite.ask(path, { method: 'PUT', key, body: regions });
      const after = { ...onFile, exempt_regions: [{ country: 'US', state: 'CA' }], zip: '90404' };
      expect(changed.json).toEqual({ customer: after });
      expect(await taxOf()).toBe(0);
      expect((await suite.ask(path, { key })).json).toEqual({ customer: after });
      expect((await suite.ask('customers', { key })).json).toEqual({ customers: ['city-hall'] });

      const writtenOut = { exempt_regions: [{ country: 'US', state: 'California' }] };
      await suite.ask(path, { method: 'PUT', key, body: writtenOut });
      expect(await taxOf()).toBe(0);
      await suite.ask(path, { method: 'PUT', key, body: regions });

      expect((await suite.ask(path, { method: 'DELETE', key })).json).toEqual({ customer: after });
      expect((await suite.ask(path, { key })).status).toBe(404);
      expect(await taxOf()).toBeGreaterThan(0);
    });

    it('two changes of a customer at once are both made', async () => {
      const { secret: key } = await suite.newAccount(SANTA_MONICA);
      const body = { customer_id: 'c1', exemption_type: 'wholesale', name: 'One' };
      await suite.ask('customers', { method: 'POST', key, body });
      for (let turn = 0; turn < 10; turn += 1) {
        const changes = { name: `Name ${turn}`, city: `City ${turn}`, zip: `9040${turn}` };
        await Promise.all(
          Object.entries(changes).map(([field, value]) =>
            suite.ask('customers/c1', { method: 'PUT', key, body: { [field]: value } }),
          ),
        );
        expect((await suite.ask('customers/c1', { key })).json).toMatchObject({ customer: changes });
      }
    });
  }));

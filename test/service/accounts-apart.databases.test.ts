import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/service/routes.ts';
import { ORDER, REFUND, SANTA_MONICA } from '../contract/samples.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

const NEW_YORK = { country: 'US', state: 'NY', zip: '12207', city: 'Albany' };
const CUSTOMER = { customer_id: 'customer-1', exemption_type: 'government', name: 'City Hall' };
/** In New York, where only the stranger has nexus, for a customer that only the owner has on file. */
const SALE = {
  to_country: 'US',
  to_zip: '12207',
  to_state: 'NY',
  shipping: 0,
  amount: 100,
  customer_id: 'customer-1',
};

/** What a stranger sends to each operation, and what must come back: nothing of the owner's, and no change to it. */
const ATTEMPTS: Readonly<
  Record<
    string,
    {
      readonly body?: object;
      readonly status: number;
      readonly answer?: object;
    }
  >
> = {
  listCategories: { status: 200 },
  calculateTax: { body: SALE, status: 200, answer: { tax: { has_nexus: true, amount_to_collect: 8 } } },
  showRates: { status: 200 },
  listNexusRegions: { status: 200, answer: { regions: [{ region_code: 'NY' }] } },
  listOrders: { status: 200, answer: { orders: [] } },
  showOrder: { status: 404 },
  updateOrder: { body: { sales_tax: 0 }, status: 404 },
  deleteOrder: { status: 404 },
  listRefunds: { status: 200, answer: { refunds: [] } },
  showRefund: { status: 404 },
  updateRefund: { body: { sales_tax: 0 }, status: 404 },
  deleteRefund: { status: 404 },
  listCustomers: { status: 200, answer: { customers: [] } },
  showCustomer: { status: 404 },
  updateCustomer: { body: { name: 'Mine now' }, status: 404 },
  deleteCustomer: { status: 404 },
  createOrder: { body: ORDER, status: 201 },
  createRefund: { body: REFUND, status: 201 },
  createCustomer: { body: { ...CUSTOMER, name: 'Another' }, status: 201 },
};

describe('two accounts of one service', () =>
  onEveryDatabase((databases) => {
    const suite = serverForSuite(databases);
    let owner: {
      readonly id: number;
      readonly secret: string;
    };
    let stranger: {
      readonly id: number;
      readonly secret: string;
    };
    const own = (path: string) => suite.ask(path, { key: owner.secret });

    beforeAll(async () => {
      owner = await suite.newAccount(SANTA_MONICA);
      stranger = await suite.newAccount({ address: NEW_YORK, nexus: [NEW_YORK] });
      const made = { method: 'POST', key: owner.secret };
      await suite.ask('transactions/orders', { ...made, body: ORDER });
      await suite.ask('transactions/refunds', { ...made, body: REFUND });
      await suite.ask('customers', { ...made, body: CUSTOMER });
    });

    it('never see or change anything of each other, whatever is asked', async () => {
      const paths = [
        'transactions/orders',
        'transactions/orders/order-1',
        'transactions/refunds',
        'transactions/refunds/refund-1',
        'customers',
        'customers/customer-1',
        'nexus/regions',
      ];
      const before = await Promise.all(paths.map(async (path) => (await own(path)).json));
      expect(Object.keys(ATTEMPTS).sort()).toEqual(ROUTES.map(({ id }) => id).sort());
      for (const [id, { body, status, answer }] of Object.entries(ATTEMPTS)) {
        const { method = 'GET', path = '' } = ROUTES.find((operation) => operation.id === id) ?? {};
        const kind = path.includes('orders')
          ? 'order-1'
          : path.includes('refunds')
            ? 'refund-1'
            : 'customer-1';
        const asked = path.replace('rates/:id', 'rates/90404').replace(':id', kind).slice(1);
        const sent = { method, key: stranger.secret, ...(body && { body }) };
        const answered = await suite.ask(asked, sent);
        expect([id, answered.status]).toEqual([id, status]);
        if (answer) expect(answered.json).toMatchObject(answer);
      }
      expect(await Promise.all(paths.map(async (path) => (await own(path)).json))).toEqual(before);
    });

    it('a platform that works with the key of a merchant works on the books of the merchant', async () => {
      const platform = await suite.newAccount({});
      const nexus_addresses = [{ country: 'US', state: 'NY' }];
      const sale = { ...SALE, customer_id: null, nexus_addresses };
      const calculated = await suite.ask('taxes', { method: 'POST', key: platform.secret, body: sale });
      expect(calculated.json).toMatchObject({ tax: { has_nexus: true, amount_to_collect: 8 } });

      const body = { ...ORDER, transaction_id: 'by-platform', provider: 'bazaar' };
      await suite.ask('transactions/orders', { method: 'POST', key: owner.secret, body });
      const path = 'transactions/orders/by-platform?provider=bazaar';
      expect((await own(path)).json).toMatchObject({ order: { user_id: owner.id, provider: 'bazaar' } });
      expect((await suite.ask(path, { key: platform.secret })).status).toBe(404);
    });
  }));

import Taxjar from 'taxjar';
import { beforeAll, describe, expect, it } from 'vitest';
import { ORDER, SANTA_MONICA } from '../contract/samples.ts';
import { sqliteFiles } from '../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

const files = sqliteFiles();
const SALE = {
  from_country: 'US',
  from_zip: '07001',
  from_state: 'NJ',
  to_country: 'US',
  to_zip: '07446',
  to_state: 'NJ',
  amount: 16.5,
  shipping: 1.5,
};

/** What a caller of the public client gets to see of a refusal. */
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('the call was not refused');
    },
    (error: { status: number; error: string; detail: unknown }) => {
      expect(error).toBeInstanceOf(Taxjar.Error);
      return [error.status, error.error, error.detail];
    },
  );

describe('the public client of the interface', () => {
  const suite = serverForSuite(files);
  const clientWith = (apiKey: string, headers?: Record<string, string>) =>
    new Taxjar({ apiKey, apiUrl: new URL(suite.url()).origin, ...(headers && { headers }) });
  let client: InstanceType<typeof Taxjar>;
  beforeAll(async () => {
    client = clientWith((await suite.newAccount(SANTA_MONICA)).secret);
  });

  it('lists categories and regions of nexus', async () => {
    const { categories } = await client.categories();
    expect(categories.map(({ product_tax_code: code }) => code)).toContain('20010');
    expect(await client.nexusRegions()).toEqual({
      regions: [{ country_code: 'US', country: 'United States', region_code: 'CA', region: 'California' }],
    });
  });

  it('calculates the tax of an order', async () => {
    const { tax } = await client.taxForOrder({ ...SALE, nexus_addresses: [{ country: 'US', state: 'NJ' }] });
    expect(tax).toMatchObject({
      order_total_amount: 18,
      shipping: 1.5,
      taxable_amount: 18,
      amount_to_collect: 1.19,
      rate: 0.06625,
      has_nexus: true,
      freight_taxable: true,
      tax_source: 'destination',
    });
  });

  it('shows rates of a location', async () => {
    const { rate } = await client.ratesForLocation('90002', { city: 'Los Angeles', country: 'US' });
    expect(rate).toMatchObject({ zip: '90002', state: 'CA', state_rate: '0.0625', freight_taxable: false });
  });

  it('creates, shows, updates, lists and deletes orders', async () => {
    const { order } = await client.createOrder({
      transaction_id: '123',
      transaction_date: '2015/05/14',
      to_country: 'US',
      to_zip: '90002',
      to_state: 'CA',
      to_city: 'Los Angeles',
      to_street: '123 Palm Grove Ln',
      amount: 16.5,
      shipping: 1.5,
      sales_tax: 0.95,
      line_items: [
        {
          quantity: 1,
          product_identifier: '12-34243-9',
          description: 'Fuzzy Widget',
          unit_price: 15,
          sales_tax: 0.95,
        },
      ],
    });
    expect(order).toMatchObject({
      transaction_id: '123',
      transaction_date: '2015-05-14T00:00:00.000Z',
      to_city: 'LOS ANGELES',
      amount: '16.5',
      line_items: [{ id: '1', unit_price: '15.0', discount: '0.0' }],
    });
    expect(await client.showOrder('123')).toEqual({ order });
    const { order: changed } = await client.updateOrder({ transaction_id: '123', sales_tax: 0.99 });
    expect(changed).toEqual({ ...order, sales_tax: '0.99' });
    const may = { from_transaction_date: '2015/05/01', to_transaction_date: '2015/05/31' };
    expect(await client.listOrders(may)).toEqual({ orders: ['123'] });
    const { order: deleted } = await client.deleteOrder('123');
    expect(deleted).toMatchObject({ transaction_id: '123', provider: 'api', amount: null, line_items: [] });
    expect(await client.listOrders(may)).toEqual({ orders: [] });
  });

  describe('sees refusals as its own errors', () => {
    const order = ORDER as Parameters<typeof client.createOrder>[0];

    it.each<[string, () => Promise<unknown>, unknown[]]>([
      [
        'several at once',
        () => client.createOrder({ ...order, to_zip: '', to_state: '' }),
        [406, 'Not Acceptable', ['to_zip is missing', 'to_state is missing']],
      ],
      [
        'a validation of a VAT number, which is not served',
        () => client.validate({ vat: 'FR40303265045' }),
        [404, 'Not Found', "there is no route 'GET /v2/validation'"],
      ],
      [
        'a validation of an address, which is not served',
        () =>
          client.validateAddress({ state: 'CA', zip: '90404', city: 'Santa Monica', street: '1 Main St' }),
        [501, 'Not Implemented', expect.stringContaining('addresses are not validated here')],
      ],
    ])('%s', async (_, call, expected) => {
      expect(await errorOf(call())).toEqual(expected);
    });

    it('an unknown tax code, under the version that it names itself', async () => {
      const { secret } = await suite.newAccount(SANTA_MONICA);
      const strict = clientWith(secret, { 'x-api-version': '2022-01-24' });
      const lines = order.line_items?.map((line) => ({ ...line, product_tax_code: '00000' })) ?? [];
      expect(await errorOf(strict.createOrder({ ...order, line_items: lines }))).toEqual([
        400,
        'Bad Request',
        'line_items include invalid tax codes: 00000',
      ]);
      expect(await clientWith(secret).createOrder({ ...order, line_items: lines })).toBeDefined();
    });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Order, UpdateTransactionInput } from '../../src/contract/transaction.ts';
import { casesOf } from '../support/rows.ts';
import { dollars, ORDER, refusalOf, SANTA_MONICA } from './samples.ts';
import type { ServiceProvider, SuiteService } from './wire-calls.ts';

export const updateCases = (newService: ServiceProvider): void => {
  let service: SuiteService;
  let before: Order;
  const update = (changes: UpdateTransactionInput) => service.updateOrder('order-1', changes);
  beforeEach(async () => {
    service = await newService({ ...SANTA_MONICA, apiVersion: '2022-01-24' });
    before = await service.createOrder({ ...ORDER, customer_id: 'c-1' });
  });

  describe('replace what is sent and keep the rest', () => {
    it.each<[UpdateTransactionInput, Partial<Order>, string]>([
      [{}, {}, 'nothing sent, nothing changed'],
      [{ sales_tax: '9.77' }, { sales_tax: dollars('9.77') }, 'one amount'],
      [{ sales_tax: -1 }, { sales_tax: dollars('1') }, 'an order stays positive'],
      [
        { to_city: 'Burbank', to_street: '9 Elm' },
        { to_city: 'BURBANK', to_street: '9 Elm' },
        'parts of an address',
      ],
      [
        { transaction_date: '2026/10/16' },
        { transaction_date: Date.parse('2026-10-16') as never },
        'the date',
      ],
      [{ customer_id: null, exemption_type: '' }, {}, 'null and blanks are not changes'],
      [{ exemption_type: 'non_exempt' }, { exemption_type: 'non_exempt' }, 'an exemption type'],
      [
        { amount: 60, line_items: [{ unit_price: 50 }] },
        { amount: dollars('60') },
        'lines and their amount together',
      ],
      [{ line_items: [] }, { line_items: [] }, 'no lines are sent in place of all lines'],
    ])('%j gives %j: %s', async (changes, expected) => {
      const after = await update(changes);
      const { line_items: lines, ...fields } = { ...before, ...expected };
      expect(after).toMatchObject(fields);
      expect(after.line_items).toHaveLength(changes.line_items?.length ?? lines.length);
      expect(await service.showOrder('order-1')).toEqual(after);
    });

    it('and the new lines are new: nothing of the former ones is kept', async () => {
      const { line_items } = await update({ line_items: [{ quantity: 4, unit_price: 25 }] });
      expect(line_items).toEqual([
        {
          id: '1',
          quantity: 4,
          product_identifier: null,
          description: null,
          product_tax_code: null,
          unit_price: dollars('25'),
          discount: 0,
          sales_tax: 0,
        },
      ]);
    });

    it('and an id in the body changes nothing', async () => {
      const changes = { transaction_id: 'other', sales_tax: 1 } as UpdateTransactionInput;
      expect(await update(changes)).toMatchObject({ transaction_id: 'order-1' });
      expect(await service.list('order', {})).toEqual(['order-1']);
    });
  });

  describe('must leave a record that could have been created', () => {
    it.each(
      casesOf(`
      {"amount":120} | 400 | amount must be equal to the sum of line items and shipping, excluding sales tax. | the lines stay
      {"to_state":"NY"} | 400 | to_zip 90012 is not used within to_state NY | the ZIP stays
      {"exemption_type":"other"} | 400 | sales_tax must be zero when exemption_type is other | the tax stays
      {"line_items":[{"unit_price":100,"product_tax_code":"P01"}]} | 400 | line_items include invalid tax codes: P01 | new lines
      {"to_country":"USA"} | 406 | to_country must be a two-letter ISO code. | the form of a parameter
      {"transaction_date":"soon"} | 406 | transaction_date must be a date (YYYY-MM-DD) or an ISO 8601 date and time | a date
    `),
    )('%j is refused with %s: %s (%s)', async (changes, status, detail) => {
      expect(await refusalOf(update(changes))).toEqual({ status: Number(status), detail });
      expect(await service.showOrder('order-1')).toEqual(before);
    });
  });

  it('keep what was accepted acceptable: an origin without a country stays without one', async () => {
    const foreign = { from_country: null, from_state: null, from_zip: 'V5K 0A1' };
    await service.createOrder({ ...ORDER, ...foreign, transaction_id: 'abroad' });
    expect(await service.updateOrder('abroad', { sales_tax: 1 })).toMatchObject({
      from_country: 'US',
      from_zip: 'V5K 0A1',
      sales_tax: dollars('1'),
    });
  });

  it('find the record of the provider that the body names', async () => {
    await service.createOrder({ ...ORDER, provider: 'woo' });
    expect(await update({ provider: 'woo', sales_tax: 1 })).toMatchObject({ provider: 'woo' });
    expect(await service.showOrder('order-1')).toEqual(before);
    expect(await service.showOrder('order-1', { provider: 'woo' })).toMatchObject({
      sales_tax: dollars('1'),
    });
  });

  it('made at the same time are all made', async () => {
    await Promise.all([
      update({ to_street: '1 First St' }),
      update({ sales_tax: 1 }),
      update({ customer_id: 'c-2' }),
      update({ transaction_date: '2026-10-01' }),
    ]);
    expect(await service.showOrder('order-1')).toMatchObject({
      to_street: '1 First St',
      sales_tax: dollars('1'),
      customer_id: 'c-2',
      transaction_date: Date.parse('2026-10-01'),
    });
  });
};

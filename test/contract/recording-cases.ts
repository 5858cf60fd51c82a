import { beforeAll, describe, expect, it } from 'vitest';
import { formatInstant } from '../../src/kernel/calendar.ts';
import { formatPrice } from '../../src/kernel/money.ts';
import { dollars, ORDER, REFUND, refusalOf, SANTA_MONICA } from './samples.ts';
import type { ServiceProvider, SuiteService } from './wire-calls.ts';

export const recordingCases = (newService: ServiceProvider): void => {
  let service: SuiteService;
  let count = 0;
  const newId = () => {
    count += 1;
    return `t-${count}`;
  };
  const createOrder = (changes: object) =>
    service.createOrder({ ...ORDER, transaction_id: newId(), ...changes });
  const createRefund = (changes: object) =>
    service.createRefund({ ...REFUND, transaction_id: newId(), ...changes });
  beforeAll(async () => {
    service = await newService(SANTA_MONICA);
  });

  it('are answered with everything that was sent, when they are created and when they are shown', async () => {
    const created = await service.createOrder(ORDER);
    expect(created).toEqual({
      ...ORDER,
      user_id: expect.any(Number),
      transaction_date: Date.parse('2026-10-15T18:30:00Z'),
      transaction_reference_id: null,
      provider: 'api',
      exemption_type: null,
      customer_id: null,
      to_city: 'LOS ANGELES',
      amount: dollars('110'),
      shipping: dollars('10'),
      sales_tax: dollars('9.76'),
      line_items: [
        {
          ...ORDER.line_items?.[0],
          unit_price: dollars('52.5'),
          discount: dollars('5'),
          sales_tax: dollars('9.76'),
        },
      ],
    });
    expect(await service.showOrder('order-1')).toEqual(created);
  });

  it('of refunds are mirrors: amounts negative, discounts positive, the order named', async () => {
    const refund = await createRefund({ transaction_reference_id: 'order-1' });
    expect(refund).toMatchObject({
      transaction_reference_id: 'order-1',
      amount: dollars('-110'),
      shipping: dollars('-10'),
      sales_tax: dollars('-9.76'),
    });
    expect(refund.line_items[0]).toMatchObject({
      quantity: 2,
      unit_price: dollars('-52.5'),
      discount: dollars('5'),
      sales_tax: dollars('-9.76'),
    });
    expect(await service.showRefund(refund.transaction_id)).toEqual(refund);
  });

  describe('have the sign of their kind, whatever is sent', () => {
    it.each<[object, string]>([
      [{ amount: 110, shipping: 10, sales_tax: 9.76 }, 'all positive'],
      [{ amount: -110, shipping: -10, sales_tax: -9.76 }, 'all negative'],
      [{ amount: '-110.00', shipping: '10', sales_tax: '-9.76' }, 'mixed, as text'],
    ])('%j: %s', async (amounts) => {
      const order = await createOrder(amounts);
      const refund = await createRefund(amounts);
      expect([order.amount, order.shipping, order.sales_tax].map(formatPrice)).toEqual([
        '110.00',
        '10.00',
        '9.76',
      ]);
      expect([refund.amount, refund.shipping, refund.sales_tax].map(formatPrice)).toEqual([
        '-110.00',
        '-10.00',
        '-9.76',
      ]);
    });

    it('and zero has none', async () => {
      const refund = await createRefund({ amount: 0, shipping: -0, sales_tax: '-0.0', line_items: [] });
      expect([refund.amount, refund.shipping, refund.sales_tax].every((value) => Object.is(value, 0))).toBe(
        true,
      );
    });
  });

  describe('keep their moment to the second', () => {
    it.each([
      ['2026-10-31', '2026-10-31T00:00:00.000Z', 'a day is its first instant in UTC'],
      ['2026/10/31', '2026-10-31T00:00:00.000Z', 'slashes are fine'],
      ['2026-10-31T23:30:00', '2026-10-31T23:30:00.000Z', 'no offset is UTC'],
      ['2026-10-31T23:30:00Z', '2026-10-31T23:30:00.000Z', 'Z is UTC'],
      ['2026-10-31T23:30:00-07:00', '2026-11-01T06:30:00.000Z', 'offsets are applied'],
      ['2026-10-31T23:30:00-0700', '2026-11-01T06:30:00.000Z', 'with or without their colon'],
      ['2026-10-31 23:30:00', '2026-10-31T23:30:00.000Z', 'a blank for the T'],
    ])('%s is %s: %s', async (sent, expected) => {
      const order = await createOrder({ transaction_date: sent });
      expect(formatInstant(order.transaction_date)).toBe(expected);
    });
  });

  describe('keep amounts exactly', () => {
    it.each([
      ['0.1', '0.10'],
      [0.3, '0.30'],
      ['59.0000', '59.00'],
      ['0.1234', '0.1234'],
      ['99999999.99', '99999999.99'],
      [1e-7, '0.00'],
    ])('%j comes back as %s', async (sent, expected) => {
      const { transaction_id: id } = await createOrder({ sales_tax: sent });
      expect(formatPrice((await service.showOrder(id)).sales_tax)).toBe(expected);
    });
  });

  describe('are recorded once', () => {
    const DUPLICATE = { status: 422, detail: 'Provider tranx already imported for your user account' };

    it('per id: the second is refused and the first stays as it was', async () => {
      const first = await createOrder({});
      const again = service.createOrder({ ...ORDER, transaction_id: first.transaction_id, sales_tax: 1 });
      expect(await refusalOf(again)).toEqual(DUPLICATE);
      expect(await service.showOrder(first.transaction_id)).toEqual(first);
      const refund = await createRefund({});
      expect(await refusalOf(createRefund({ transaction_id: refund.transaction_id }))).toEqual(DUPLICATE);
    });

    it('but an order and a refund may share an id, and so may two providers', async () => {
      const id = newId();
      await createOrder({ transaction_id: id });
      expect(await createRefund({ transaction_id: id })).toMatchObject({ transaction_id: id });
      const elsewhere = await createOrder({
        transaction_id: id,
        provider: 'Amazon',
        sales_tax: 1,
        line_items: [],
      });
      expect(elsewhere.provider).toBe('amazon');
      expect((await service.showOrder(id)).sales_tax).toBe(dollars('9.76'));
      expect((await service.showOrder(id, { provider: 'amazon' })).sales_tax).toBe(dollars('1'));
    });
  });

  describe('that are not there are not found', () => {
    it.each([
      ['never-recorded', {}],
      ['order-1', { provider: 'ebay' }],
      ["' or 1=1 --", {}],
      ['../../etc/passwd', {}],
    ])('%s', async (id, query) => {
      expect(await refusalOf(service.showOrder(id, query))).toMatchObject({ status: 404 });
      expect(await refusalOf(service.showRefund(id, query))).toMatchObject({ status: 404 });
      expect(await refusalOf(service.updateOrder(id, { ...query, amount: 1 }))).toMatchObject({
        status: 404,
      });
      expect(await refusalOf(service.remove('order', id, query))).toMatchObject({ status: 404 });
    });
  });

  it('answer a delete with their identifiers, and are gone', async () => {
    const { transaction_id: id, user_id } = await createOrder({});
    expect(await service.remove('order', id)).toEqual({ transaction_id: id, user_id, provider: 'api' });
    expect(await refusalOf(service.showOrder(id))).toMatchObject({ status: 404 });
    expect(await refusalOf(service.remove('order', id))).toMatchObject({ status: 404 });
    expect(await createOrder({ transaction_id: id })).toMatchObject({ transaction_id: id });
  });
};

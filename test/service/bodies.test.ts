import { describe, expect, it } from 'vitest';
import { ORDER, SANTA_MONICA } from '../contract/samples.ts';
import { sqliteFiles } from '../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

const LINES_MAX = 10_000;

describe('the body of a request', () => {
  const suite = serverForSuite(sqliteFiles());
  const sent = async (text: string | Buffer) => {
    const { secret: key } = await suite.newAccount(SANTA_MONICA);
    return suite.ask('transactions/orders', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      text,
    });
  };

  it('may be an order of ten thousand lines that have every field, with commas and brackets in their texts', async () => {
    const line = {
      quantity: 1,
      product_identifier: 'LAN-01',
      description: `${'a lantern, {blue}, "large" \\'.repeat(8)}[,`,
      product_tax_code: '20010',
      unit_price: 1,
      discount: 0,
      sales_tax: 0,
    };
    const line_items = Array.from({ length: LINES_MAX }, (_, index) => ({ id: `${index}`, ...line }));
    const order = { ...ORDER, amount: LINES_MAX + Number(ORDER.shipping), line_items };
    expect((await sent(JSON.stringify(order))).status).toBe(201);
  });

  it('has no list of more entries than an order has lines, and names so many problems at the most', async () => {
    const zeros = (count: number) => `{"line_items":[0${',0'.repeat(count - 1)}]}`;
    expect((await sent(zeros(LINES_MAX + 1))).json['detail']).toBe(
      'line_items must have at most 10000 entries',
    );
    const detail = (await sent(zeros(LINES_MAX))).json['detail'] as readonly string[];
    expect(detail).toHaveLength(100);
  });

  it('is text in UTF-8, so that no two names become one', async () => {
    const text = Buffer.concat([
      Buffer.from('{"provider":"a'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]);
    expect((await sent(text)).json).toEqual({
      status: 422,
      error: 'Unprocessable Entity',
      detail: 'the body is not text in UTF-8',
    });
  });
});

import { ServiceRefusal } from '../../src/contract/refusal.ts';
import type { CreateTransactionInput } from '../../src/contract/transaction.ts';
import { type Price, parsePrice } from '../../src/kernel/money.ts';

/** An account in Santa Monica with nexus there, as most cases need it. */
export const SANTA_MONICA = {
  address: { country: 'US', state: 'CA', zip: '90404', city: 'Santa Monica' },
  nexus: [{ country: 'US', state: 'CA', zip: '90404', city: 'Santa Monica' }],
} as const;

/** An order that satisfies every rule of every version. */
export const ORDER: CreateTransactionInput = {
  transaction_id: 'order-1',
  transaction_date: '2026-10-15T18:30:00Z',
  from_country: 'US',
  from_zip: '90404',
  from_state: 'CA',
  from_city: 'Santa Monica',
  from_street: '1 Main St',
  to_country: 'US',
  to_zip: '90012',
  to_state: 'CA',
  to_city: 'Los Angeles',
  to_street: '200 N Spring St',
  amount: 110,
  shipping: 10,
  sales_tax: 9.76,
  line_items: [
    {
      id: 'first',
      quantity: 2,
      product_identifier: 'SKU-1',
      description: 'Field jacket',
      product_tax_code: '20010',
      unit_price: 52.5,
      discount: 5,
      sales_tax: 9.76,
    },
  ],
};

export const REFUND: CreateTransactionInput = {
  ...ORDER,
  transaction_id: 'refund-1',
  transaction_reference_id: 'order-1',
  transaction_date: '2026-10-20',
};

export const dollars = (text: string): Price => {
  const value = parsePrice(text);
  if (value === undefined) throw new Error(`${text} is not an amount`);
  return value;
};

/** The status and detail of the refusal that a call must end in. */
export const refusalOf = async (
  call: Promise<unknown>,
): Promise<{ status: number; detail: string | string[] }> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceRefusal) return { status: error.status, detail: error.body.detail };
    throw error;
  }
  throw new Error('the call was not refused');
};

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/contract/transaction.ts';
import { compareRecord, hasValueDifference } from '../../src/judge/compare-record.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { price } from '../../src/kernel/money.ts';
import { anySale, LINE, saleOf } from '../sales/sale-of.ts';
import { recordedOf, sentOf } from './recorded-of.ts';

const ORDER = saleOf({ customerId: 'c-7' });

const compare = (changes: Partial<Order>, sale = ORDER) =>
  compareRecord(sentOf(sale), recordedOf(sale, changes), sale.kind);

const lineWith = (changes: Partial<Order['line_items'][number]>): Partial<Order> => {
  const { line_items } = recordedOf(ORDER);
  return { line_items: line_items.map((line) => ({ ...line, ...changes })) };
};

describe('a record that is what was sent', () => {
  test('differs in no value, order or refund', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        expect(hasValueDifference(compare({}, sale))).toBe(false);
      }),
    );
  });

  test.for([
    [{}, 'to_city', 'Los Angeles', 'LOS ANGELES', 'in capitals'],
    [
      { to_city: 'Los Angeles', to_street: '200  n spring st ' },
      'to_street',
      '200 N Spring St',
      '200  n spring st ',
      'with other blanks',
    ],
  ] as const)('may be written in another way: %j', ([changes, field, sent, recorded]) => {
    const differences = compare(changes);
    expect(differences).toEqual([{ field, sent, recorded, kind: 'format' }]);
    expect(hasValueDifference(differences)).toBe(false);
  });

  test('may have its lines numbered by the service', () => {
    const sale = saleOf({ lines: [{ ...LINE, id: 'gid://line/77' }] });
    const { line_items } = recordedOf(sale);
    for (const id of ['0', '1'])
      expect(
        compare({ line_items: line_items.map((line) => ({ ...line, id })), to_city: 'Los Angeles' }, sale),
      ).toEqual([]);
  });

  test('may lack the exemption of a marketplace where none applies', () => {
    const sale = saleOf({ exemptionType: 'marketplace' });
    const differences = compare({ to_city: 'Los Angeles', exemption_type: null }, sale);
    expect(differences).toEqual([
      { field: 'exemption_type', sent: 'marketplace', recorded: '', kind: 'format' },
    ]);
  });
});

describe('a record that is not what was sent', () => {
  test.for([
    [
      { transaction_date: instant(Date.UTC(2026, 10, 1)) },
      'transaction_date',
      '2026-11-01T06:30:00.000Z',
      '2026-11-01T00:00:00.000Z',
    ],
    [{ amount: price(1_100_001) }, 'amount', '110.00', '110.0001'],
    [{ customer_id: null }, 'customer_id', 'c-7', ''],
    [{ exemption_type: 'wholesale' }, 'exemption_type', '', 'wholesale'],
    [{ to_zip: '90013' }, 'to_zip', '90012', '90013'],
    [{ line_items: [] }, 'line_items', '1', '0'],
    [lineWith({ quantity: 3 }), 'line_items[0].quantity', '2', '3'],
    [lineWith({ quantity: null }), 'line_items[0].quantity', '2', ''],
    [{ provider: 'amazon' }, 'provider', 'shopify', 'amazon'],
    [lineWith({ id: '7' }), 'line_items[0].id', '1', '7'],
    [lineWith({ unit_price: price(500_001) }), 'line_items[0].unit_price', '50.00', '50.0001'],
    [lineWith({ discount: price(100) }), 'line_items[0].discount', '0.00', '0.01'],
    [lineWith({ sales_tax: price(0) }), 'line_items[0].sales_tax', '9.50', '0.00'],
  ] as const)('%j differs in %s, sent "%s", recorded "%s"', ([changes, field, sent, recorded]) => {
    const differences = compare({ to_city: 'Los Angeles', ...changes } as Partial<Order>);
    expect(differences).toEqual([{ field, sent, recorded, kind: 'value' }]);
    expect(hasValueDifference(differences)).toBe(true);
  });
});

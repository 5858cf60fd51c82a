import { expect, test } from 'vitest';
import { differenceGatherer } from '../../../src/close/reconcile/record-differences.ts';
import { saleOf } from '../sales/sale-of.ts';
import { rowOf } from './detail-rows.ts';

const city = { field: 'to_city', sent: 'Reno', recorded: 'RENO', kind: 'format' } as const;
const tax = { field: 'sales_tax', sent: '1.00', recorded: '2.00', kind: 'value' } as const;
const line = (index: number) =>
  ({ field: `line_items[${index}].id`, sent: 'a', recorded: 'A', kind: 'format' }) as const;

test('every other value stands by itself, and what is only written otherwise once per field', () => {
  const gather = differenceGatherer();
  gather.add(rowOf(saleOf(), { id: '1' }), [city, tax]);
  gather.add(rowOf(saleOf(), { id: '2' }), [city, tax, line(0), line(7)]);
  expect(gather.all().map(({ id, field, kind, records }) => [id, field, kind, records])).toEqual([
    ['1', 'sales_tax', 'value', 1],
    ['2', 'sales_tax', 'value', 1],
    ['1', 'to_city', 'format', 2],
    ['2', 'line_items[0].id', 'format', 2],
  ]);
});

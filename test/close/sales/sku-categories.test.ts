import { describe, expect, test } from 'vitest';
import { skuCategories } from '../../../src/close/sales/sku-categories.ts';

const categoryOf = skuCategories([
  { sku: 'APP-*-KIDS', code: '20010A' },
  { sku: 'APP-*', code: '20010' },
  { sku: 'GIFT.CARD', code: '14111803A0001' },
  { sku: '*-BOOK', code: '81100' },
]);

describe('the category of a SKU', () => {
  test.for([
    ['APP-JACKET', '20010', 'a star stands for any run of characters'],
    ['APP-', '20010', 'even for none'],
    ['app-jacket', '20010', 'in any case'],
    ['APP-1-KIDS', '20010A', 'the first pattern that fits decides'],
    ['APP-1-BOOK', '20010', 'and not the closest one'],
    ['SEA-BOOK', '81100', 'a star may stand in front'],
    ['GIFT.CARD', '14111803A0001', 'a pattern without a star is the whole SKU'],
    ['GIFTXCARD', null, 'a dot is a dot'],
    ['MY-APP-1', null, 'a pattern does not start in the middle'],
    ['GIFT.CARD.2', null, 'nor end there'],
    ['', null, 'an item without a SKU has none'],
  ] as const)('%s is %s: %s', ([sku, code]) => {
    expect(categoryOf(sku)).toBe(code);
  });

  test('is none where nothing is configured', () => {
    expect(skuCategories([])('APP-1')).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { Profile } from '../../../src/close/sales/profile.ts';
import {
  isRefundDatesProfile,
  isSalesProfile,
  shippedProfiles,
} from '../../../src/close/sales/shipped-profiles.ts';
import { shopify } from './shopify-export.ts';

const accepts = (profile: unknown) => Profile.safeParse(profile).success;

describe('a source profile', () => {
  test.for([
    [{ ...shopify, notes: 'mine' }, 'of the profile'],
    [{ ...shopify, detect: { ...shopify.detect, filename: '*.csv' } }, 'of the detection'],
    [{ ...shopify, shape: { ...shopify.shape, skip: 1 } }, 'of the shape'],
    [{ ...shopify, map: { ...shopify.map, tip: 'Tip' } }, 'of the map'],
    [{ ...shopify, map: { ...shopify.map, line: { ...shopify.map.line, weight: 'Grams' } } }, 'of a line'],
    [{ ...shopify, map: { ...shopify.map, goods: { product: ['Price', 'Quantity'] } } }, 'of an amount'],
    [
      { ...shopify, map: { ...shopify.map, goods: { orZero: 'A', sum: ['B'] } } },
      'of two forms of an amount at once',
    ],
    [{ ...shopify, rules: [{ when: [{ column: 'A', like: 'x' }], treat: 'order' }] }, 'of a condition'],
  ] as const)('has no unknown key: $1', ([profile]) => {
    expect(accepts(profile)).toBe(false);
  });

  test.for([
    [{ ...shopify, schema: 2 }, 'another edition of the form'],
    [{ ...shopify, id: 'Shopify Orders' }, 'an id with blanks'],
    [{ ...shopify, rules: [] }, 'no rule at all'],
    [{ ...shopify, rules: [{ when: [], treat: 'order' }] }, 'a rule without a condition'],
    [{ ...shopify, rules: [{ when: [{ column: 'A', in: ['x'] }], treat: 'maybe' }] }, 'an unknown treatment'],
    [{ ...shopify, capability: 'profits' }, 'an unknown capability'],
    [{ ...shopify, map: { ...shopify.map, customer: { partOf: 'A', matches: '(' } } }, 'half an expression'],
    [
      { ...shopify, map: { ...shopify.map, customer: { partOf: 'A', matches: 'x' } } },
      'a part without a group',
    ],
  ] as const)('is refused with $1', ([profile]) => {
    expect(accepts(profile)).toBe(false);
  });

  test('reads parts in a zone whose change is noticed', () => {
    const parts = (zone: unknown) => ({
      ...shopify,
      shape: { kind: 'order-per-row', key: ['Name'], parts: true },
      locale: { ...shopify.locale, date: { ...shopify.locale.date, zone } },
    });
    expect(accepts(parts('channel'))).toBe(true);
    expect(accepts(parts({ channelOr: 'UTC' }))).toBe(false);
  });

  test('may add and subtract columns, at any depth', () => {
    const goods = { subtract: [{ sum: ['A', { orZero: 'B' }] }, { orZero: 'C' }] };
    expect(accepts({ ...shopify, map: { ...shopify.map, goods } })).toBe(true);
  });

  test('that is shipped passes the same gate, and each has its own id', () => {
    const profiles = shippedProfiles();
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(profiles.length);
    expect(profiles.filter(isSalesProfile).length).toBeGreaterThan(25);
    expect(profiles.filter(isRefundDatesProfile).map(({ id }) => id)).toEqual([
      'paypal.activity',
      'shopify.payments',
      'toast.payments',
    ]);
    for (const profile of profiles) expect(accepts(profile)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { isCompanionProfile, isSalesProfile, shippedProfiles } from '../../src/sales/detect-profile.ts';
import { Profile, SalesProfile } from '../../src/sales/profile.ts';
import { saleReader } from '../../src/sales/read-sale.ts';
import { CONTEXT, HEADER, shopify } from './shopify-export.ts';

const accepts = (profile: unknown) => Profile.safeParse(profile).success;

describe('a source profile', () => {
  test.for([
    [{ ...shopify, notes: 'mine' }, 'an unknown key'],
    [
      { ...shopify, map: { ...shopify.map, goods: { orZero: 'Total', sum: ['Taxes'] } } },
      'two forms of an amount at once',
    ],
    [{ ...shopify, rules: [] }, 'no rule at all'],
    [
      {
        ...shopify,
        shape: { kind: 'order-per-row', key: ['Name'], parts: true },
        locale: { ...shopify.locale, date: { ...shopify.locale.date, zone: { channelOr: 'UTC' } } },
      },
      'parts in a zone whose change would make new ones',
    ],
  ] as const)('is refused with $1', ([profile]) => {
    expect(accepts(profile)).toBe(false);
  });

  const map = (keys: object) => ({ ...shopify, map: { ...shopify.map, ...keys } });
  const reads = (profile: object) => () =>
    saleReader(SalesProfile.parse(profile), [...HEADER, 'Loyalty', 'Kunde'], CONTEXT);

  test.for([
    [map({ shipping: { orZero: 'Shiping' } }), 'Shiping', 'Shipping', 'an amount'],
    [
      { ...shopify, rules: [{ when: [{ column: 'Financial State', in: ['paid'] }], treat: 'order' }] },
      'Financial State',
      'Financial Status',
      'a rule',
    ],
    [map({ customer: 'Loyalty' }), 'Loyalty', 'Total', 'a column that only the file has'],
    [{ ...shopify, controls: ['Taxs'] }, 'Taxs', 'Taxes', 'a control'],
  ] as const)(
    'that names a column it does not list is refused where it is used, with the nearest: $3',
    ([profile, column, nearest]) => {
      const message = new RegExp(`^shopify.orders: it names "${column}", .* most like it: .*"${nearest}"`);
      expect(reads(profile)).toThrow(
        expect.objectContaining({ code: 'E_PROFILE_INVALID', message: expect.stringMatching(message) }),
      );
    },
  );

  test.for([
    [
      { ...map({ customer: 'Loyalty' }), detect: { required: ['Name', 'LOYALTY '] } },
      'its files are known by it',
    ],
    [
      { ...map({ customer: 'Kunde' }), file: { headerAliases: { Kunde: 'Email' } } },
      'it is another spelling',
    ],
    [map({ customer: 'Email (2)' }), 'it is the second of its name'],
    [{ ...map({ customer: 'Loyalty' }), columns: [] }, 'the profile lists none'],
  ] as const)('may name a column where $1', ([profile]) => {
    expect(reads(profile)).not.toThrow();
  });

  test('that is shipped passes the same gate, and each has its own id', () => {
    const profiles = shippedProfiles();
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(profiles.length);
    expect(profiles.filter(isSalesProfile).length).toBeGreaterThan(25);
    const proved = profiles.filter(isSalesProfile).filter(({ proof }) => proof !== undefined);
    expect(proved.filter(({ map, checks }) => map.total === undefined && checks.length === 0)).toEqual([]);
    expect(profiles.filter(isCompanionProfile).map(({ id }) => id)).toEqual([
      'etsy.statement',
      'paypal.activity',
      'shopify.payments',
      'toast.payments',
    ]);
    for (const profile of profiles) expect(accepts(profile)).toBe(true);
  });
});

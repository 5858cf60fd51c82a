import { describe, expect, test } from 'vitest';
import {
  isRefundDatesProfile,
  isSalesProfile,
  shippedProfiles,
} from '../../../src/close/sales/load-profiles.ts';
import { Profile, SalesProfile } from '../../../src/close/sales/profile.ts';
import { schemaProblems } from '../../../src/kernel/schema-problems.ts';
import { shopify } from './shopify-export.ts';

const accepts = (profile: unknown) => Profile.safeParse(profile).success;

describe('a source profile', () => {
  test.for([
    [{ ...shopify, notes: 'mine' }, 'of the profile'],
    [{ ...shopify, detect: { ...shopify.detect, filename: '*.csv' } }, 'of the detection'],
    [{ ...shopify, map: { ...shopify.map, tip: 'Tip' } }, 'of the map'],
    [
      { ...shopify, map: { ...shopify.map, goods: { orZero: 'Total', sum: ['Taxes'] } } },
      'of two forms of an amount at once',
    ],
  ] as const)('has no unknown key: $1', ([profile]) => {
    expect(accepts(profile)).toBe(false);
  });

  test.for([
    [{ ...shopify, schema: 2 }, 'another edition of the form'],
    [{ ...shopify, id: 'Shopify Orders' }, 'an id with blanks'],
    [{ ...shopify, rules: [] }, 'no rule at all'],
    [
      { ...shopify, rules: [{ when: [{ column: 'Name', in: ['x'] }], treat: 'maybe' }] },
      'an unknown treatment',
    ],
    [{ ...shopify, capability: 'profits' }, 'an unknown capability'],
    [
      { ...shopify, map: { ...shopify.map, customer: { partOf: 'Name', matches: '(' } } },
      'half an expression',
    ],
    [
      { ...shopify, map: { ...shopify.map, customer: { partOf: 'Name', matches: 'x' } } },
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
    const goods = { subtract: [{ sum: ['Subtotal', { orZero: 'Shipping' }] }, { orZero: 'Taxes' }] };
    expect(accepts({ ...shopify, map: { ...shopify.map, goods } })).toBe(true);
  });

  test('may treat rows as refunds that have no number of their own', () => {
    const refunds = [{ when: [{ column: 'Name', is: 'filled' }], treat: 'refund' }];
    expect(accepts({ ...shopify, rules: refunds })).toBe(true);
  });

  const map = (keys: object) => ({ ...shopify, map: { ...shopify.map, ...keys } });
  const packed = { column: 'Notes', fieldSplit: '|', labels: ['name', 'price'] };
  const dated = (date: object) => ({
    ...shopify,
    locale: { ...shopify.locale, date: { ...shopify.locale.date, ...date } },
  });

  test.for([
    [map({ shipping: { orZero: 'Shiping' } }), 'map.shipping.orZero: "Shiping"', 'Shipping', 'an amount'],
    [map({ customer: { first: ['Email', 'Phon'] } }), 'map.customer.first[1]: "Phon"', 'Phone', 'a text'],
    [
      map({ marketplace: { when: [{ column: 'Tag', is: 'filled' }] } }),
      'map.marketplace.when[0].column: "Tag"',
      'Tags',
      'a test',
    ],
    [
      map({ line: { ...shopify.map.line, sku: 'Lineitem skuu' } }),
      'map.line.sku: "Lineitem skuu"',
      'Lineitem sku',
      'a line',
    ],
    [
      {
        ...map({
          line: {
            ...shopify.map.line,
            present: 'sku',
            quantity: 'sku',
            description: 'sku',
            sku: 'skuu',
            unitPrice: 'sku',
            discount: 'sku',
            rules: [],
          },
        }),
        packedLines: { ...packed, labels: ['sku'] },
      },
      'map.line.sku: "skuu"',
      'sku',
      'a packed line',
    ],
    [
      {
        ...shopify,
        packedRefunds: { ...packed, amount: 'prize', date: { ...shopify.locale.date, columns: ['name'] } },
      },
      'packedRefunds.amount: "prize"',
      'price',
      'a packed repayment',
    ],
    [
      { ...shopify, rules: [{ when: [{ column: 'Financial State', in: ['paid'] }], treat: 'order' }] },
      'rules[0].when[0].column: "Financial State"',
      'Financial Status',
      'a rule',
    ],
    [
      { ...shopify, shape: { kind: 'order-per-row', key: ['Nam'] } },
      'shape.key[0]: "Nam"',
      'Name',
      'the shape',
    ],
    [dated({ columns: ['Paid on'] }), 'locale.date.columns[0]: "Paid on"', 'Paid at', 'a date'],
    [
      dated({ zone: { column: 'Locaton', map: { Boston: 'America/New_York' } } }),
      'locale.date.zone.column: "Locaton"',
      'Location',
      'a zone',
    ],
    [
      { ...shopify, checks: [{ name: 'sum-differs', amount: 'Totl', equals: ['Total'] }] },
      'checks[0].amount: "Totl"',
      'Total',
      'a check',
    ],
    [{ ...shopify, controls: ['Taxs'] }, 'controls[0]: "Taxs"', 'Taxes', 'a control'],
  ] as const)(
    'is refused with a column that its files do not have, with the nearest: $3',
    ([profile, place, nearest]) => {
      const found = SalesProfile.safeParse(profile);
      const [problem, ...others] = schemaProblems(SalesProfile, found.error?.issues ?? []);
      expect(others).toEqual([]);
      expect(problem?.text).toContain(`${place} is not among `);
      expect(problem?.text).toContain(`most like it: "${nearest}"`);
    },
  );

  test.for([
    [{ ...map({ customer: 'Loyalty' }), optionalColumns: ['Loyalty'] }, 'only some files have it'],
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
    expect(accepts(profile)).toBe(true);
  });

  test('that is shipped passes the same gate, and each has its own id', () => {
    const profiles = shippedProfiles();
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(profiles.length);
    expect(profiles.filter(isSalesProfile).length).toBeGreaterThan(25);
    const proved = profiles.filter(isSalesProfile).filter(({ proof }) => proof !== undefined);
    expect(proved.filter(({ map, checks }) => map.total === undefined && checks.length === 0)).toEqual([]);
    expect(profiles.filter(isRefundDatesProfile).map(({ id }) => id)).toEqual([
      'etsy.statement',
      'paypal.activity',
      'shopify.payments',
      'toast.payments',
    ]);
    for (const profile of profiles) expect(accepts(profile)).toBe(true);
  });
});

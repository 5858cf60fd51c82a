import { describe, expect, test } from 'vitest';
import { detectProfile } from '../../src/sales/detect-profile.ts';
import { isSalesProfile, shippedProfiles } from '../../src/sales/load-profiles.ts';
import type { SalesProfile } from '../../src/sales/profile.ts';
import { normalColumn } from '../../src/sales/table-row.ts';
import { surveyOf } from './files/on-disk.ts';
import { shopify } from './shopify-export.ts';

const PROFILES = shippedProfiles();

/** Every column that expressions and conditions of a profile name, wherever they stand in it. */
const columnsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(columnsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (NO_COLUMNS.has(key) ? [] : columnsIn(inner)));
};
const NO_COLUMNS = new Set([
  'constant',
  'in',
  'is',
  'matches',
  'sign',
  'treat',
  'as',
  'amounts',
  'reason',
  'message',
  'type',
  'forms',
  'zone',
  'name',
  'tolerance',
  'kind',
  'decimal',
  'finerAmounts',
  'group',
  'negative',
  'currencySymbols',
  'since',
  'own',
]);

const namedColumns = ({ map, locale, shape, rules, checks, controls }: SalesProfile): readonly string[] => {
  const { marketplace, fees, ...rest } = map;
  return columnsIn([
    rest,
    marketplace === 'always' ? [] : marketplace,
    fees.map(({ amount }) => amount),
    locale,
    shape,
    rules,
    checks,
    controls,
  ]);
};

describe.for(PROFILES.filter(isSalesProfile).map((profile) => [profile.id, profile] as const))(
  'the profile %s',
  ([, profile]) => {
    test('names only columns that it knows', () => {
      const labels = [...(profile.packedLines?.labels ?? []), ...Object.keys(profile.numberedLines ?? {})];
      const known = new Set([...profile.columns, ...profile.optionalColumns, ...labels].map(normalColumn));
      expect(namedColumns(profile).filter((column) => !known.has(normalColumn(column)))).toEqual([]);
    });

    test('finds its tax lines in columns that it knows', () => {
      const { taxLines } = profile;
      const all = [...profile.columns, ...profile.optionalColumns];
      const columns = new Set(all.map(normalColumn));
      const own = {
        rows: () => all,
        numbered: () => (taxLines?.kind === 'numbered' ? Object.keys(taxLines.columns) : []),
        packed: () => (taxLines?.kind === 'packed' ? [...taxLines.labels] : []),
      };
      const named = (taxLines?.lines ?? []).flatMap(({ name, level, amount, rate }) =>
        columnsIn([name, level, amount, rate]),
      );
      const known = new Set((taxLines ? own[taxLines.kind]() : []).map(normalColumn));
      expect(named.filter((column) => !known.has(normalColumn(column)))).toEqual([]);
      const outer = {
        rows: () => [],
        numbered: () => (taxLines?.kind === 'numbered' ? Object.values(taxLines.columns) : []),
        packed: () => (taxLines?.kind === 'packed' ? [taxLines.column] : []),
      };
      const places = taxLines ? outer[taxLines.kind]() : [];
      expect(places.filter((column) => !columns.has(normalColumn(column.replace('#', '1'))))).toEqual([]);
    });
  },
);

describe('orders of Shopify', () => {
  const NEWER = [
    'Outstanding Balance',
    'Employee',
    'Location',
    'Device ID',
    'Payment ID',
    'Payment References',
  ];
  test.for([
    [shopify.columns, 'the form of today'],
    [shopify.columns.filter((column) => !NEWER.includes(column)), 'the one before'],
    [shopify.columns.slice(0, 46), 'that of 2012'],
  ] as const)('are known in every form: %#, $1', async ([columns]) => {
    const file = await surveyOf(`${columns.join(',')}\n`);
    expect((await detectProfile(file, PROFILES)).profile.id).toBe('shopify.orders');
  });
});

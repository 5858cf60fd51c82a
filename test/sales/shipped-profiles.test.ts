import { describe, expect, test } from 'vitest';
import { detectProfile } from '../../src/sales/detect-profile.ts';
import { shippedProfiles } from '../../src/sales/load-profiles.ts';
import { surveyOf } from './files/on-disk.ts';
import { shopify } from './shopify-export.ts';

const PROFILES = shippedProfiles();

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

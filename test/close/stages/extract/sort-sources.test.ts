import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownProfiles } from '../../../../src/close/sales/load-profiles.ts';
import { sortSources } from '../../../../src/close/stages/extract/sort-sources.ts';
import { sourceFiles } from '../../../../src/close/stages/extract/source-file.ts';
import { EXPORTS } from '../../../samples/exports/list-sample.ts';

const SAMPLES: Readonly<Record<string, string>> = {
  shop: 'shopify.orders',
  dates: 'shopify.payments',
  paypal: 'paypal.activity',
  payouts: 'shopify.payouts',
  tiktok: 'tiktok.orders',
  toast: 'toast.payments',
};

/** The folders of these samples, or the files in them, as the configuration of a channel names them. */
const sorted = async (names: readonly string[], profile?: string, isNamedAlone = false) => {
  const resolvePath = (name: string) => join(EXPORTS, name);
  const patterns = names.map((name) => `${SAMPLES[name]}/*.[cC][sS][vV]`);
  const expanded = await sourceFiles(patterns, resolvePath);
  const files = isNamedAlone ? expanded.map(({ name }) => name) : patterns;
  const known = knownProfiles(profile, resolvePath);
  const found = await sortSources({ files }, known, { sources: expanded, companions: [] });
  const nameOf = (path: string) => path.split('/')[0];
  return {
    sources: found.sources.map(({ name }) => nameOf(name)),
    companions: found.companions.map(({ name }) => nameOf(name)),
    leftOut: found.leftOut.map(({ file, why }) => `${nameOf(file.name)} ${why.code}`),
  };
};

describe('the files of a folder are sorted by what they are', () => {
  test('exports are read, their companions and those of any shop date refunds, reports are left out', async () => {
    expect(await sorted(['dates', 'paypal', 'payouts', 'shop', 'toast'])).toEqual({
      sources: ['shopify.orders'],
      companions: ['shopify.payments', 'paypal.activity'],
      leftOut: ['shopify.payouts left-out', 'toast.payments other-channel'],
    });
  });

  test('a channel that names its profile takes its own out of a folder that it shares', async () => {
    expect(await sorted(['dates', 'paypal', 'shop', 'tiktok'], 'shopify.orders')).toEqual({
      sources: ['shopify.orders'],
      companions: ['shopify.payments'],
      leftOut: ['paypal.activity other-channel', 'tiktok.orders other-channel'],
    });
  });

  test('a file that is named by itself is meant, and refused where it is none', async () => {
    expect(await sorted(['payouts', 'shop'], undefined, true)).toEqual({
      sources: ['shopify.payouts', 'shopify.orders'],
      companions: [],
      leftOut: [],
    });
  });
});

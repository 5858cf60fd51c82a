import { expect, test } from 'vitest';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import type { PipelinePorts } from '../entry/close.ts';
import { type Month, month } from '../support/month.ts';

const newShop = () => month({ orders: [{ name: '#1' }, { name: '#2', price: '20.00' }] });

/** Ports of a remote service, whose answers are kept. */
const remote = (ports: PipelinePorts): PipelinePorts => ({
  ...ports,
  serviceId: 'https://tax.example',
  answers,
});

const kept = new Map<string, TaxResult>();
const again = new Set<string>();
const answers: NonNullable<PipelinePorts['answers']> = {
  results: async (digests) => new Map(digests.flatMap((one) => entryOf(one))),
  keep: async (rows) => {
    for (const { digest, result } of rows) kept.set(digest, JSON.parse(result) as TaxResult);
  },
  askedAgain: async () => again,
};

const entryOf = (digest: string): [string, TaxResult][] => {
  const result = kept.get(digest);
  return result ? [[digest, result]] : [];
};

/** The same tax, and a part of it for another city. */
const elsewhere = ({ service, ...ports }: PipelinePorts): PipelinePorts => ({
  ...ports,
  service: {
    ...service,
    calculateTax: (request) => service.calculateTax({ ...request, to_zip: '94541', to_city: 'Hayward' }),
  },
});

/** What the books say of California, place by place. */
const places = async (shop: Month): Promise<string> =>
  JSON.stringify(
    [...(await shop.tables(undefined, 'filing-summary'))].filter(([name]) => name.includes('CA')),
  );

test('what a remote service answers otherwise when it is asked again stands in the books', async () => {
  const [shop, fresh] = [await newShop(), await newShop()];
  await shop.closeWith(remote);
  const before = await places(shop);
  await shop.closeWith((ports) => ({ ...elsewhere(remote(ports)), recompute: true }));
  kept.clear();
  await fresh.closeWith((ports) => elsewhere(remote(ports)));
  expect(await places(shop)).not.toBe(before);
  expect(await places(shop)).toBe(await places(fresh));
  expect(await shop.verify()).toEqual([]);
});

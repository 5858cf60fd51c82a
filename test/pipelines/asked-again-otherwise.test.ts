import { expect, test } from 'vitest';
import { type PipelinePorts, withAnswers } from '../entry/close.ts';
import { type Month, month } from '../support/month.ts';
import { temporaryFolder } from '../support/tieout.ts';

const newShop = () => month({ orders: [{ name: '#1' }, { name: '#2', price: '20.00' }] });

/** Closes with a remote service, whose answers are kept in a folder. */
const closeRemote = (
  shop: Month,
  { state, recompute }: { readonly state: string; readonly recompute: boolean },
  change: (ports: PipelinePorts) => PipelinePorts,
) =>
  withAnswers(state, { recompute }, (answers) =>
    shop.closeWith((ports) => change({ ...ports, serviceId: 'https://tax.example', answers, recompute })),
  );

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
  const state = await temporaryFolder();
  await closeRemote(shop, { state, recompute: false }, (ports) => ports);
  const before = await places(shop);
  await closeRemote(shop, { state, recompute: true }, elsewhere);
  await closeRemote(fresh, { state: await temporaryFolder(), recompute: false }, elsewhere);
  expect(await places(shop)).not.toBe(before);
  expect(await places(shop)).toBe(await places(fresh));
  expect(await shop.verify()).toEqual([]);
});

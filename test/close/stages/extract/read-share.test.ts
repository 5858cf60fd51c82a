import { readFile, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadConfiguration } from '../../../../src/close/configuration/load-configuration.ts';
import { readShare, type ShareToRead } from '../../../../src/close/stages/extract/blocks/read-share.ts';
import { openWorkspace } from '../../../../src/close/workspace/workspace.ts';
import { connect } from '../../../../src/database/connect.ts';
import { type ClosePorts, extractSales } from '../../../../src/index.ts';
import { firstFree, type Worker, workerPool } from '../../../../src/runtime/worker-pool.ts';
import { month } from '../../../support/month.ts';

/** A profile of the shop's own, in which shipping is in this column. */
const ownProfile = (column: string): string => `extends: shopify.orders\nmap: { shipping: ${column} }\n`;

/** The shares that a close hands to its readers, each all of the export of a shop with two orders, and one such reader. */
const shared = async () => {
  const shop = await month({
    orders: [{ name: '#1' }, { name: '#2' }],
    channel: { profile: 'own.yaml' },
  });
  await shop.write('own.yaml', ownProfile('Shipping'));
  const configuration = await loadConfiguration(shop.config);
  const [channel] = configuration.channels;
  const [name] = channel?.files ?? [];
  if (!channel || name === undefined) throw new Error('the shop has an export');
  const path = configuration.resolvePath(name);
  const portsIn = async (): Promise<ClosePorts> => {
    const workspace = await openWorkspace(await connect('sqlite::memory:'), 'shop');
    return { configuration, workspace, programDigest: 'program' } as ClosePorts;
  };
  const reader = await portsIn();
  /** The share that the close hands out now. */
  const handed = async (): Promise<ShareToRead> => {
    const shares: ShareToRead[] = [];
    const hand: Worker = async (piece) => {
      shares.push((piece as unknown as { readonly share: ShareToRead }).share);
      return { number: 0, batches: [] };
    };
    const threads = {
      ...workerPool(1, [hand]),
      ask: firstFree([hand]),
      ...{ salesMin: () => 0, begin: () => {}, rest: async () => {} },
    };
    await extractSales({ ...(await portsIn()), threads }, () => {});
    const [share] = shares;
    if (!share) throw new Error('the close hands out its export');
    return share;
  };
  const read = async (share: ShareToRead, isElsewhere = true) => {
    const { batches } = (await readShare(reader, share, () => {}, isElsewhere)) as { batches: object[] };
    return batches.length;
  };
  return { path, handed, read, profile: (column: string) => shop.write('own.yaml', ownProfile(column)) };
};

test('a worker reads a file only while it is the one that the close reads', async () => {
  const { path, handed, read } = await shared();
  const share = await handed();
  expect(await read(share)).toBe(1);
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('#2', '#3'));
  expect(await read(share)).toBe(0);
});

test('a worker without the file reads nothing, and the close goes on', async () => {
  const { path, handed, read } = await shared();
  const share = await handed();
  await rm(path);
  expect(await read(share)).toBe(0);
});

test.for([
  ['a worker', true],
  ['a thread', false],
] as const)('%s reads by the profile of the close, as it is now', async ([, isElsewhere]) => {
  const { handed, read, profile } = await shared();
  const before = await handed();
  expect(await read(before, isElsewhere)).toBe(1);
  await profile('Taxes');
  expect(await read(before, isElsewhere)).toBe(0);
  expect(await read(await handed(), isElsewhere)).toBe(1);
});

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfiguration } from '../../../../src/close/configuration/load-configuration.ts';
import { surveyFile } from '../../../../src/close/sales/files/survey-file.ts';
import { readShare, type ShareToRead } from '../../../../src/close/stages/extract/blocks/read-share.ts';
import { openWorkspace } from '../../../../src/close/workspace/workspace.ts';
import { connect } from '../../../../src/database/connect.ts';
import type { ClosePorts } from '../../../../src/index.ts';
import { month } from '../../../support/month.ts';

/** A share that is all of the export of a shop with two orders, for a reader who begins. */
const shared = async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2' }] });
  const configuration = await loadConfiguration(join(shop.folder, 'tieout.yaml'));
  const workspace = await openWorkspace(await connect('sqlite::memory:'), 'shop');
  const [channel] = configuration.channels;
  const [name] = channel?.files ?? [];
  if (!channel || name === undefined) throw new Error('the shop has an export');
  const path = configuration.resolvePath(name);
  const file = await surveyFile({ name, place: path, path, packing: { kind: 'none' } });
  const share: ShareToRead = {
    ...{ number: 0, first: null, last: null, load: 1, index: 0, file },
    part: { from: 0, to: file.bytes, line: 1 },
    channel: channel.name,
  };
  const ports = { configuration, workspace, programDigest: 'program' } as ClosePorts;
  const read = async (isElsewhere: boolean) => {
    const { batches } = (await readShare(ports, share, () => {}, isElsewhere)) as { batches: object[] };
    return batches.length;
  };
  return { file, read };
};

test('a worker reads a file only while it is the one that the close reads', async () => {
  const { file, read } = await shared();
  expect(await read(true)).toBe(1);
  await writeFile(file.path, (await readFile(file.path, 'utf8')).replaceAll('#2', '#3'));
  expect(await read(true)).toBe(0);
});

test('a worker without the file reads nothing, and the close goes on', async () => {
  const { file, read } = await shared();
  await rm(file.path);
  expect(await read(true)).toBe(0);
});

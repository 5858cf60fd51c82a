import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfiguration } from '../../../../src/close/configuration/load-configuration.ts';
import { readShare } from '../../../../src/close/stages/extract/blocks/read-share.ts';
import { headsOfDay } from '../../../../src/close/workspace/sale-page-rows.ts';
import { salesOfPage } from '../../../../src/close/workspace/sale-pages.ts';
import { openWorkspace, type Workspace } from '../../../../src/close/workspace/workspace.ts';
import { connect } from '../../../../src/database/connect.ts';
import { type ClosePorts, extractSales } from '../../../../src/index.ts';
import { TieoutError } from '../../../../src/kernel/errors.ts';
import { firstFree, type Worker, workerPool } from '../../../../src/runtime/worker-pool.ts';
import { temporaryFolder } from '../../../support/tieout.ts';

/** So many records that a file is one block, and read from end to end when anything of it has changed. */
const WHOLE = 1_000_000;

/** All that a reading of the exports has left. How often they were read before makes no difference. */
const leftBy = async (workspace: Workspace) => {
  const { tables } = workspace;
  const loads = await tables
    .selectFrom('source_load')
    .selectAll()
    .where('channel', '<>', '')
    .orderBy('channel')
    .execute();
  const numbers = new Set(loads.map(({ number }) => number));
  const isNow = <Row extends { readonly load: number }>({ load, ...row }: Row) => ({
    ...row,
    isNow: numbers.has(load),
  });
  const sales = await tables.selectFrom('sale').selectAll().orderBy('key').execute();
  const stated = [];
  for (const day of [...new Set(sales.map((sale) => sale.business_date))].sort())
    for (const head of await headsOfDay(workspace, day))
      stated.push(head, ...(await salesOfPage(workspace, head)));
  return {
    digests: loads.map(({ digest }) => digest),
    sales: sales.map(isNow),
    stated,
    changes: await tables.selectFrom('sale_change').selectAll().execute(),
    asides: await tables.selectFrom('set_aside').selectAll().orderBy('file').orderBy('line').execute(),
    files: await tables.selectFrom('source_file').selectAll().orderBy('channel').orderBy('path').execute(),
    repayments: (
      await tables
        .selectFrom('refund_date')
        .selectAll()
        .orderBy('order_id')
        .orderBy('instant')
        .orderBy('amount')
        .orderBy('copy')
        .execute()
    ).map(isNow),
    reported: await tables.selectFrom('tax_report').selectAll().orderBy('file').orderBy('line').execute(),
  };
};

const asText = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** Two that read shares of exports, and say what they have read as text, as workers do. */
const readersOf = (ports: ClosePorts): NonNullable<ClosePorts['threads']> => {
  const read: Worker = async (piece, waiting) => {
    const { share } = piece as unknown as { readonly share: Parameters<typeof readShare>[1] };
    return asText(await readShare(ports, asText(share), waiting, true));
  };
  const hands = [read, read];
  return {
    ...workerPool(1, hands),
    ask: firstFree(hands),
    salesMin: () => 0,
    begin: () => {},
    rest: async () => {},
  };
};

/** A shop whose exports are read again and again: in blocks of so many records, in shares, and from end to end. */
export const readAgain = async (channels: string, recordsOfBlock: number) => {
  const folder = await temporaryFolder();
  const config = join(folder, 'tieout.yaml');
  await writeFile(
    config,
    `entity: shop
name: Test shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "94607", city: Oakland, street: 1 Main St }
registrations: [{ state: CA, since: "2019-01-01" }]
channels: ${channels}
`,
  );
  const databases = await Promise.all(Array.from({ length: 3 }, () => connect('sqlite::memory:')));
  const [parts, whole, shared] = await Promise.all(
    databases.map((database) => openWorkspace(database, 'shop')),
  );
  if (!parts || !whole || !shared) throw new Error('there are three workspaces');
  const extract = async (workspace: Workspace, records: number, meanwhile: () => void = () => {}) => {
    const configuration = await loadConfiguration(config);
    const alone = { configuration, workspace, programDigest: 'program' } as ClosePorts;
    const ports = workspace === shared ? { ...alone, threads: readersOf(alone) } : alone;
    try {
      return (await extractSales(ports, meanwhile, records)).summary;
    } catch (error) {
      if (error instanceof TieoutError) return `${error.code} ${error.message}`;
      throw error;
    }
  };
  const numberOf = async (): Promise<number | undefined> => {
    const row = await parts.tables
      .selectFrom('source_load')
      .select('number')
      .where('channel', '<>', '')
      .executeTakeFirst();
    return row?.number;
  };
  return {
    write: (name: string, content: string) => writeFile(join(folder, name), content),
    writeAtOnce: (name: string, content: string): void => writeFileSync(join(folder, name), content),
    /**
     * Read them in both ways: what was said, what is left, and whether only a part was read.
     *
     * @param meanwhile called behind each batch of the reading in blocks
     */
    read: async (meanwhile?: () => void) => {
      const before = await numberOf();
      const said = await extract(parts, recordsOfBlock, meanwhile);
      return {
        inParts: { said, left: await leftBy(parts) },
        inShares: { said: await extract(shared, recordsOfBlock), left: await leftBy(shared) },
        fromEndToEnd: { said: await extract(whole, WHOLE), left: await leftBy(whole) },
        isPart: before !== undefined && before === (await numberOf()),
        blocks: await parts.tables
          .selectFrom('source_block')
          .selectAll()
          .orderBy('file')
          .orderBy('line')
          .execute(),
      };
    },
    end: () => Promise.all(databases.map((database) => database.close())),
  };
};

import { batchesOf } from '../../../../runtime/batches.ts';
import { isOf, nameOfKey } from '../../../workspace/sale-key.ts';
import type { WorkspaceQueries } from '../../../workspace/workspace.ts';
import { type ChannelLoad, NO_LOAD, type OpenLoad } from '../reading/channel-load.ts';
import type { Ambiguous } from '../sales/prepare-batch.ts';
import type { FileToRead } from './kept-blocks.ts';

/** Keys in one question. */
const KEYS_AT_ONCE = 1_000;

/** What the load before said of what is read again. */
export type Lifted = {
  /** The keys of the records of the gaps. */
  readonly keys: Set<string>;
  /** The sales among them: what each was, and where. */
  readonly sales: ReadonlyMap<string, string>;
  /** The repayments of orders, by the ids of these. */
  readonly repayments: ReadonlyMap<string, string>;
};

type Stated = { readonly digest: string; readonly file: number | null; readonly line: number | null };
const statement = ({ digest, file, line }: Stated): string => `${digest} ${file} ${line}`;

const STATED = ['key', 'digest', 'file', 'line'] as const;

/** The repayments that a load has seen, by the ids of their orders. */
const repaymentsOf = async (
  { workspace, channel }: OpenLoad,
  load: number,
  tables: WorkspaceQueries,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await tables
    .selectFrom('refund_date')
    .select(['order_id', 'instant', 'amount', 'copy', 'file', 'line'])
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where('load', '=', load)
    .orderBy('instant')
    .orderBy('amount')
    .orderBy('copy')
    .execute();
  const found = new Map<string, string>();
  for (const row of rows) found.set(row.order_id, `${found.get(row.order_id) ?? ''}${JSON.stringify(row)}`);
  return found;
};

/** Count the repayments that one load has seen as those of another. */
const moveRepayments = async (
  { workspace, channel }: OpenLoad,
  from: number,
  to: number,
  tables: WorkspaceQueries,
): Promise<void> => {
  await tables
    .updateTable('refund_date')
    .set({ load: to })
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where('load', '=', from)
    .execute();
};

/**
 * Take back what the load before said of the gaps, and of the files beside the exports: sales and repayments stay, as those
 * of records that are not in the files, and what was set aside goes.
 */
export const liftGaps = async (
  load: OpenLoad,
  files: readonly FileToRead[],
  tables: WorkspaceQueries,
): Promise<Lifted> => {
  const { workspace, channel, earlier = NO_LOAD } = load;
  const { entity } = workspace;
  const exports = files.map(({ file }) => file.name);
  for (const [table, name] of [
    ['set_aside', 'file'],
    ['source_file', 'path'],
  ] as const)
    await tables
      .deleteFrom(table)
      .where('entity', '=', entity)
      .where('channel', '=', channel.name)
      .where(name, 'not in', exports)
      .execute();
  const repayments = await repaymentsOf(load, earlier, tables);
  await moveRepayments(load, earlier, NO_LOAD, tables);
  const keys = new Set<string>();
  const sales = new Map<string, string>();
  for (const { index, file, gaps } of files)
    for (const { line, end = Number.MAX_SAFE_INTEGER } of gaps) {
      const rows = await tables
        .selectFrom('sale')
        .select(STATED)
        .where('entity', '=', entity)
        .where(isOf(channel.name))
        .where('load', '=', earlier)
        .where('file', '=', index)
        .where('line', '>=', line)
        .where('line', '<', end)
        .execute();
      for (const row of rows) sales.set(row.key, statement(row));
      const asides = await tables
        .deleteFrom('set_aside')
        .where('entity', '=', entity)
        .where('channel', '=', channel.name)
        .where('file', '=', file.name)
        .where('line', '>=', line)
        .where('line', '<', end)
        .returning('key')
        .execute();
      for (const { key } of [...rows, ...asides]) keys.add(key);
    }
  for (const some of batchesOf([...sales.keys()], KEYS_AT_ONCE))
    await tables
      .updateTable('sale')
      .set({ load: NO_LOAD })
      .where('entity', '=', entity)
      .where('key', 'in', some)
      .execute();
  keys.delete('');
  return { keys, sales, repayments };
};

/**
 * Put what was read of the gaps with what is kept, under the number of the load before, which read that. Gives whether
 * reading everything would have come to the same: no record of the gaps stands anywhere else.
 */
export const joinGaps = async (
  load: OpenLoad,
  lifted: Lifted,
  files: readonly FileToRead[],
  { conflicts, outsideGaps }: Ambiguous,
): Promise<boolean> => {
  if (conflicts.size > 0 || outsideGaps.size > 0) return false;
  const { workspace, channel, earlier = NO_LOAD } = load;
  const { entity } = workspace;
  return workspace.together(async (tables) => {
    const sales = tables.selectFrom('sale').where('entity', '=', entity).where(isOf(channel.name));
    for (const { key } of await sales.select('key').where('load', '=', load.number).execute())
      lifted.keys.add(key);
    for (const some of batchesOf([...lifted.keys], KEYS_AT_ONCE)) {
      const asides = await tables
        .selectFrom('set_aside')
        .select(['file', 'line'])
        .where('entity', '=', entity)
        .where('channel', '=', channel.name)
        .where('key', 'in', some)
        .execute();
      if (asides.some(({ file, line }) => !isInGap(files, (one) => one.file.name === file, line)))
        return false;
    }
    await tables
      .updateTable('sale')
      .set({ load: earlier })
      .where('entity', '=', entity)
      .where(isOf(channel.name))
      .where('load', '=', load.number)
      .execute();
    await moveRepayments(load, load.number, earlier, tables);
    return true;
  });
};

const isInGap = (files: readonly FileToRead[], isFile: (one: FileToRead) => boolean, line: number): boolean =>
  files.some(
    (one) =>
      isFile(one) && one.gaps.some((gap) => gap.line <= line && (gap.end === undefined || line < gap.end)),
  );

/** Whether rejected records of the gaps, or those that were not found before, may not be found again. */
export const haveRejects = async (
  { workspace, channel }: ChannelLoad,
  files: readonly FileToRead[],
): Promise<boolean> => {
  const rows = await workspace.tables
    .selectFrom('set_aside')
    .select(['file', 'line', 'gone'])
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where('outcome', '=', 'rejected')
    .where('key', '<>', '')
    .execute();
  return rows.some(
    ({ file, line, gone }) => gone === 1 || isInGap(files, (one) => one.file.name === file, line),
  );
};

/** The records of the gaps whose sales are not what or where they were, and the orders of which that is true of repayments. */
export const changedRecords = async (
  load: OpenLoad,
  { keys, sales, repayments }: Lifted,
): Promise<{ readonly sales: ReadonlySet<string>; readonly repaid: ReadonlySet<string> }> => {
  const { workspace, channel } = load;
  const now = new Map<string, string>();
  for (const some of batchesOf([...keys], KEYS_AT_ONCE)) {
    const rows = await workspace.tables
      .selectFrom('sale')
      .select(STATED)
      .where('entity', '=', workspace.entity)
      .where('load', '=', load.number)
      .where('key', 'in', some)
      .execute();
    for (const row of rows) now.set(row.key, statement(row));
  }
  const paid = await repaymentsOf(load, load.number, workspace.tables);
  const ids = [...new Set([...repayments.keys(), ...paid.keys()])];
  const repaid = ids.filter((id) => paid.get(id) !== repayments.get(id));
  return {
    sales: new Set([...keys].filter((key) => now.get(key) !== sales.get(key))),
    repaid: new Set(repaid.map((id) => `${channel.name}/order/${id}`)),
  };
};

/** Whether a refund that is not read again has taken something from one of these orders. */
export const haveRefundsElsewhere = async (
  { workspace, channel, number }: OpenLoad,
  files: readonly FileToRead[],
  changed: ReadonlySet<string>,
): Promise<boolean> => {
  const orders = new Set([...changed].map((key) => nameOfKey(key).id));
  const rows = await workspace.tables
    .selectFrom('sale')
    .select(['reference', 'file', 'line'])
    .where('entity', '=', workspace.entity)
    .where(isOf(channel.name, 'refund'))
    .where('load', '=', number)
    .where('file', 'is not', null)
    .where('reference', '<>', '')
    .execute();
  return rows.some(
    ({ reference, file, line }) =>
      orders.has(reference) && !isInGap(files, ({ index }) => index === file, line ?? 0),
  );
};

import { batchesOf } from '../../../runtime/batches.ts';
import { isOf, nameOfKey } from '../../workspace/sale-key.ts';
import type { WorkspaceQueries } from '../../workspace/workspace.ts';
import { NO_LOAD, type OpenLoad } from './channel-load.ts';
import type { FileToRead } from './kept-blocks.ts';
import type { Ambiguous } from './store-batch.ts';

/** Keys in one question. */
const KEYS_AT_ONCE = 1_000;

/** What stood in the gaps of files: the keys of its records, and of the sales among them what their rows said. */
export type Lifted = { readonly keys: Set<string>; readonly sales: ReadonlyMap<string, string> };

type Stated = { readonly digest: string; readonly file: number | null; readonly line: number | null };
const statement = ({ digest, file, line }: Stated): string => `${digest} ${file} ${line}`;

const STATED = ['key', 'digest', 'file', 'line'] as const;

/**
 * Take back what the load before said of the gaps: their sales stay, as those of a record that is not in the files, and
 * what was set aside there goes.
 */
export const liftGaps = async (
  { workspace, channel, earlier = NO_LOAD }: OpenLoad,
  files: readonly FileToRead[],
  tables: WorkspaceQueries,
): Promise<Lifted> => {
  const { entity } = workspace;
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
  return { keys, sales };
};

/**
 * Put what was read of the gaps with what is kept, under the number of the load before, which read that. Gives whether
 * reading everything would have come to the same: no record of the gaps stands anywhere else.
 */
export const joinGaps = async (
  load: OpenLoad,
  lifted: Lifted,
  files: readonly FileToRead[],
  { conflicts, elsewhere }: Ambiguous,
): Promise<boolean> => {
  if (conflicts.size > 0 || elsewhere.size > 0) return false;
  const { workspace, channel, earlier = NO_LOAD } = load;
  const { entity } = workspace;
  return workspace.together(async (tables) => {
    const sales = tables.selectFrom('sale').where('entity', '=', entity).where(isOf(channel.name));
    for (const { key } of await sales.select('key').where('load', '=', load.load).execute())
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
      .where('load', '=', load.load)
      .execute();
    return true;
  });
};

const isInGap = (files: readonly FileToRead[], isFile: (one: FileToRead) => boolean, line: number): boolean =>
  files.some(
    (one) =>
      isFile(one) && one.gaps.some((gap) => gap.line <= line && (gap.end === undefined || line < gap.end)),
  );

/** The records of the gaps whose sales are not what or where they were. */
export const changedRecords = async (
  { workspace, load }: OpenLoad,
  { keys, sales }: Lifted,
): Promise<ReadonlySet<string>> => {
  const now = new Map<string, string>();
  for (const some of batchesOf([...keys], KEYS_AT_ONCE)) {
    const rows = await workspace.tables
      .selectFrom('sale')
      .select(STATED)
      .where('entity', '=', workspace.entity)
      .where('load', '=', load)
      .where('key', 'in', some)
      .execute();
    for (const row of rows) now.set(row.key, statement(row));
  }
  return new Set([...keys].filter((key) => now.get(key) !== sales.get(key)));
};

/** Whether a refund that is not read again has taken something from one of these orders. */
export const haveRefundsElsewhere = async (
  { workspace, channel, load }: OpenLoad,
  files: readonly FileToRead[],
  changed: ReadonlySet<string>,
): Promise<boolean> => {
  const orders = new Set([...changed].map((key) => nameOfKey(key).id));
  const rows = await workspace.tables
    .selectFrom('sale')
    .select(['reference', 'file', 'line'])
    .where('entity', '=', workspace.entity)
    .where(isOf(channel.name, 'refund'))
    .where('load', '=', load)
    .where('file', 'is not', null)
    .where('reference', '<>', '')
    .execute();
  return rows.some(
    ({ reference, file, line }) =>
      orders.has(reference) && !isInGap(files, ({ index }) => index === file, line ?? 0),
  );
};

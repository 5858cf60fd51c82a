import { batchesOf } from '../../../../runtime/batches.ts';
import { nameOfKey, saleKey } from '../../../sales/sale-name.ts';
import { ordersOf, placesOfRefunds } from '../../../workspace/load-refunds.ts';
import {
  moveSeenSales,
  NO_LOAD,
  seenKeys,
  statedOf,
  statedOnLines,
  unseeSales,
} from '../../../workspace/load-sales.ts';
import { moveRepayments, repaymentTexts } from '../../../workspace/repayments.ts';
import {
  forgetFilesBut,
  forgetSetAside,
  placesOfRejects,
  placesSetAside,
} from '../../../workspace/set-asides.ts';
import type { ChannelLoad, OpenLoad } from '../reading/channel-load.ts';
import type { Ambiguous } from '../sales/prepare-batch.ts';
import type { FileToRead } from './kept-blocks.ts';

/** Keys in one query. */
const KEYS_AT_ONCE = 1_000;

/** The previous load's statements of the records that are read again. */
export type Lifted = {
  /** The keys of the records of the gaps. */
  readonly keys: Set<string>;
  /** The sales among them, with their content and place. */
  readonly sales: ReadonlyMap<string, string>;
  /** The orders to which refunds among them belonged, by id. */
  readonly refunded: ReadonlySet<string>;
  /** The repayments of orders, by order id. */
  readonly repayments: ReadonlyMap<string, string>;
};

/**
 * Detach the records of the gaps, and the companion files, from the previous load. Sales and repayments stay in the
 * workspace like records that are missing from the files; set-aside records are deleted.
 */
export const liftGaps = async (load: OpenLoad, files: readonly FileToRead[]): Promise<Lifted> => {
  const before = { ...load, number: load.earlier ?? NO_LOAD };
  await forgetFilesBut(
    load,
    files.map(({ file }) => file.name),
  );
  const repayments = await repaymentTexts(before);
  await moveRepayments(before, NO_LOAD);
  const keys = new Set<string>();
  const sales = new Map<string, string>();
  for (const { index, file, gaps } of files)
    for (const gap of gaps) {
      for (const [key, stated] of await statedOnLines(before, index, gap)) sales.set(key, stated);
      for (const key of await forgetSetAside(load, file.name, gap)) keys.add(key);
    }
  for (const key of sales.keys()) keys.add(key);
  const refunded = await ordersOf(load, [...sales.keys()]);
  await unseeSales(load.workspace, [...sales.keys()]);
  keys.delete('');
  return { keys, sales, refunded, repayments };
};

/**
 * Merge the records of the gaps with the kept ones, under the number of the previous load. Returns whether the result
 * is the same as that of a full reading: no record of the gaps may occur anywhere else.
 */
export const joinGaps = async (
  load: OpenLoad,
  lifted: Lifted,
  files: readonly FileToRead[],
  { conflicts, outsideGaps }: Ambiguous,
): Promise<boolean> => {
  if (conflicts.size > 0 || outsideGaps.size > 0) return false;
  return load.workspace.together(async (workspace) => {
    const within = { ...load, workspace };
    for (const key of await seenKeys(within)) lifted.keys.add(key);
    for (const some of batchesOf([...lifted.keys], KEYS_AT_ONCE)) {
      const asides = await placesSetAside(within, some);
      if (asides.some(({ file, line }) => !isInGap(files, (one) => one.file.name === file, line)))
        return false;
    }
    const earlier = load.earlier ?? NO_LOAD;
    await moveSeenSales(within, earlier);
    await moveRepayments(within, earlier);
    return true;
  });
};

const isInGap = (files: readonly FileToRead[], isFile: (one: FileToRead) => boolean, line: number): boolean =>
  files.some(
    (one) =>
      isFile(one) && one.gaps.some((gap) => gap.line <= line && (gap.end === undefined || line < gap.end)),
  );

/**
 * Whether there are rejected records in the gaps, or some that the previous load did not find, which might not be found
 * again.
 */
export const haveRejects = async (load: ChannelLoad, files: readonly FileToRead[]): Promise<boolean> => {
  const rows = await placesOfRejects(load);
  return rows.some(
    ({ file, line, gone }) => gone > 0 || isInGap(files, (one) => one.file.name === file, line),
  );
};

/**
 * Returns the records of the gaps whose content or place has changed, and the orders whose repayments have, or whose
 * refunds with rows of their own.
 */
export const changedRecords = async (
  load: OpenLoad,
  { keys, sales, repayments, refunded }: Lifted,
): Promise<{ readonly sales: ReadonlySet<string>; readonly repaid: ReadonlySet<string> }> => {
  const now = await statedOf(load, [...keys]);
  const paid = await repaymentTexts(load);
  const ids = [...new Set([...repayments.keys(), ...paid.keys()])];
  const changed = new Set([...keys].filter((key) => now.get(key) !== sales.get(key)));
  const repaid = [
    ...ids.filter((id) => paid.get(id) !== repayments.get(id)),
    ...refunded,
    ...(await ordersOf(load, [...changed])),
  ];
  return { sales: changed, repaid: new Set(repaid.map((id) => saleKey(load.channel.name, 'order', id))) };
};

/** Whether a refund that is not read again has taken data from one of these orders. */
export const haveRefundsElsewhere = async (
  load: OpenLoad,
  files: readonly FileToRead[],
  changed: ReadonlySet<string>,
): Promise<boolean> => {
  const orders = new Set([...changed].map((key) => nameOfKey(key).id));
  const rows = await placesOfRefunds(load);
  return rows.some(
    ({ reference, file, line }) =>
      orders.has(reference) && !isInGap(files, ({ index }) => index === file, line ?? 0),
  );
};

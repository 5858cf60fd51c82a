import { batchesOf } from '../../../../runtime/batches.ts';
import { keysOnLines, moveSeenSales, NO_LOAD, seenKeys, unseeSales } from '../../../workspace/load-sales.ts';
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

/**
 * Detach the records of the gaps, and the companion files, from the previous load. Sales and repayments stay in the
 * workspace like records that are missing from the files; set-aside records are deleted.
 *
 * @returns the keys of the records of the gaps
 */
export const liftGaps = async (load: OpenLoad, files: readonly FileToRead[]): Promise<Set<string>> => {
  const before = { ...load, number: load.earlier ?? NO_LOAD };
  await forgetFilesBut(
    load,
    files.map(({ file }) => file.name),
  );
  const sales: string[] = [];
  const asides: string[] = [];
  for (const { index, file, gaps } of files)
    for (const gap of gaps) {
      sales.push(...(await keysOnLines(before, index, gap)));
      asides.push(...(await forgetSetAside(load, file.name, gap)));
    }
  await unseeSales(load.workspace, sales);
  return new Set([...sales, ...asides.filter((key) => key !== '')]);
};

/**
 * Merge the records of the gaps with the kept ones, under the number of the previous load. Returns whether the result
 * is the same as that of a full reading: no record of the gaps may occur anywhere else.
 */
export const joinGaps = async (
  load: OpenLoad,
  lifted: Set<string>,
  files: readonly FileToRead[],
  { contested, outsideGaps, rejects }: Ambiguous,
): Promise<boolean> => {
  if (contested.size > 0 || outsideGaps.size > 0 || rejects.size > 0) return false;
  return load.workspace.together(async (workspace) => {
    const within = { ...load, workspace };
    for (const key of await seenKeys(within)) lifted.add(key);
    for (const some of batchesOf([...lifted], KEYS_AT_ONCE)) {
      const asides = await placesSetAside(within, some);
      if (asides.some(({ file, line }) => !isInGap(files, (one) => one.file.name === file, line)))
        return false;
    }
    const earlier = load.earlier ?? NO_LOAD;
    await moveSeenSales(within, earlier);
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

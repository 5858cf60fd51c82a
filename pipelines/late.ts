import * as z from 'zod';
import { extractSales } from '../src/close/stages/extract/extract-sales.ts';
import { decideRecords } from '../src/close/stages/late/decide-records.ts';
import { lateOf } from '../src/close/stages/late/late-of.ts';
import { listLate } from '../src/close/stages/late/list-late.ts';
import type { ClosePorts } from '../src/close/stages/run/close-ports.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { allLocks } from '../src/close/workspace/locks.ts';
import { definePipeline, type Watch } from '../src/runtime/pipeline.ts';
import { lock } from './lock.ts';
import { monthlyClose } from './monthly-close.ts';

/**
 * List the late items of a locked period. With a choice, also decide them: carry them into the next open period, or
 * file them in an amended version, which is then closed and locked.
 */
export const late = definePipeline(
  'late',
  z.strictObject({
    period: PeriodParam,
    choice: z.enum(['carry', 'amend']).optional(),
    /** The late items to decide; all when absent. */
    records: z.array(z.string()).optional(),
    who: z.string().default(''),
    why: z.string().default(''),
    /** Why the amended version may be locked with open exceptions. */
    openExceptions: z.string().default(''),
  }),
  async (
    run,
    close: ClosePorts & Watch,
    { period: { label }, choice, records, who, why, openExceptions },
  ) => {
    await run.stage('extract', (advanced) => extractSales(close, advanced));
    const items = await run.stage('late', () => lateOf(close, label));
    const decided =
      choice &&
      (await run.stage('decide', () => decideRecords(close, label, items, { choice, records, who, why })));
    const amended =
      choice === 'amend' ? await closeAmended(close, label, { who, openExceptions }) : undefined;
    const listing = await run.stage('list', () => listLate(close, label));

    return { listing, amended, decided };
  },
);

/**
 * Close and lock the open amended version, if there is one, even if an earlier run was interrupted while closing it. If
 * it is locked already, write the files of its lock again, in case that run stopped before writing them.
 */
const closeAmended = async (
  close: ClosePorts & Watch,
  label: string,
  wish: { readonly who: string; readonly openExceptions: string },
) => {
  const newest = (await allLocks(close.workspace)).findLast(
    ({ period, version }) => period === label && version > 0,
  );
  if (!newest) return undefined;
  const isOpen = newest.state === 'open';
  if (isOpen) await monthlyClose.run(close, { period: newest.label });
  const locked = await lock.run(close, { period: newest.label, ...wish });
  return isOpen ? locked : undefined;
};

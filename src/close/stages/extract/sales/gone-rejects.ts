import { parsePeriod } from '../../../../kernel/period.ts';
import { seenAndMissing } from '../../../workspace/load-sales.ts';
import { forgetRejects, type Settled } from '../../../workspace/set-asides.ts';
import type { OpenLoad } from '../reading/channel-load.ts';

/**
 * Delete the rejected records that were found again, as sales or set aside. If no sale is missing, delete those of the
 * days that the files still have, too: a person who removes only rejected rows from an export has settled them. A rejected
 * record of other days stays open, because an export of later days says nothing of it.
 */
export const forgetFoundRejects = async (load: OpenLoad): Promise<void> => {
  const { since, until, missing } = await seenAndMissing(load);
  await forgetRejects(load, missing === null ? settledBy(load, since, until) : undefined);
};

/**
 * Returns the days that the files of a load still have, judged by their sales, of which the first and the last are given.
 * An export moves on to later days, so the days before its first sale may have left it. Those after its last sale, to
 * the end of that month, have not, if the file of the record is still read. Records that are set aside say nothing of the
 * days: they may be new or wrongly dated. Files without a sale settle nothing, because the next ones may have later days.
 */
const settledBy = ({ sources }: OpenLoad, first: string | null, last: string | null): Settled | undefined => {
  if (first === null || last === null) return undefined;
  const files = sources.map(({ name }) => name);
  return { first, last, until: parsePeriod(last.slice(0, 7))?.last ?? last, files };
};

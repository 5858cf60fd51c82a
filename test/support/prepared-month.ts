import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Month, type MonthData, month } from './month.ts';
import { sharedFolder } from './tieout.ts';

/**
 * A month that is prepared once for the tests of a file, by a close or more. Each call puts its folder back to what it
 * was then, in the same place, because a workspace holds the paths of what it published: one at a time.
 */
export const preparedMonth = (
  data: MonthData,
  prepare: (shop: Month) => Promise<unknown>,
): (() => Promise<Month>) => {
  const folder = sharedFolder();
  const place = join(folder, 'month');
  const kept = join(folder, 'kept');
  const keep = async (): Promise<void> => {
    await prepare(await month(data, place));
    await cp(place, kept, { recursive: true, preserveTimestamps: true });
  };
  let prepared: Promise<void> | undefined;
  return async () => {
    prepared ??= keep();
    await prepared;
    await rm(place, { recursive: true });
    await cp(kept, place, { recursive: true, preserveTimestamps: true });
    return month(data, place);
  };
};

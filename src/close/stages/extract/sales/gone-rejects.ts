import { parsePeriod } from '../../../../kernel/period.ts';
import type { SalesProfile } from '../../../sales/profile.ts';
import { CONTRADICTED, UNNUMBERED_REFUND } from '../../../sales/record-id.ts';
import type { SetAside } from '../../../sales/sale.ts';
import { seenAndMissing } from '../../../workspace/load-sales.ts';
import { forgetRejects, reasonsNow, rejectedBefore, type Settled } from '../../../workspace/set-asides.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { lacksNumbers } from './further-refunds.ts';
import { REPEATED_LINE } from './repeated-record.ts';

/** The earlier reason of each record that occurred more than once, by key. */
export type Contradictions = ReadonlyMap<string, SetAside['reason']>;

/**
 * Delete the rejected records that were found again, as sales or set aside. If no sale is missing, delete those of the
 * days that the files still have, too: a person who removes only rejected rows from an export has settled them. A rejected
 * record of other days stays open, because an export of later days says nothing of it. A record that occurred more than once may
 * now be found once, as a sale. If other sales of the days that were read are missing, its second copy is probably
 * missing too, so the record stays rejected.
 *
 * @param conflicts records of which this load has several copies
 * @returns the records that stay rejected for this reason
 */
export const forgetFoundRejects = async (
  load: OpenLoad,
  profiles: readonly SalesProfile[],
  conflicts: ReadonlySet<string>,
): Promise<Contradictions> => {
  const { since, until, missing } = await seenAndMissing(load);
  // An export of only the last days does not contain the days before them, and nothing is missing in it.
  const isCut = missing !== null && since !== null && missing >= since;
  const left = isCut ? await contradictedBefore(load, profiles) : [];
  const held = new Map([...left].filter(([key]) => !conflicts.has(key)));
  const asked = await stillAsked(load, isCut);
  const settled = missing === null ? settledBy(load, since, until) : undefined;
  await forgetRejects(load, [...held.keys(), ...asked], settled);
  return held;
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

/**
 * Returns the records of lines that stood twice in a file before, and of which it is still not known whether the second
 * is a copy: the files are cut, or the two now stand in two files.
 */
const stillAsked = async (load: OpenLoad, isCut: boolean): Promise<readonly string[]> => {
  const keys = [...new Set((await rejectedBefore(load, [REPEATED_LINE])).map(({ key }) => key))];
  const now = await reasonsNow(load, keys);
  return keys.filter((key) => {
    const reasons = now.get(key) ?? [];
    return !reasons.includes(REPEATED_LINE) && (isCut || reasons.includes('duplicate'));
  });
};

/**
 * Returns the records that occurred more than once before this load, and of which it has found a copy, but not in a
 * newer file. Refunds that a profile tells apart by now contradict each other no more.
 */
const contradictedBefore = async (
  load: OpenLoad,
  profiles: readonly SalesProfile[],
): Promise<Contradictions> => {
  const codes = CONTRADICTED.filter((code) => code !== UNNUMBERED_REFUND || profiles.some(lacksNumbers));
  const rows = await rejectedBefore(load, codes);
  const age = new Map(load.sources.map(({ name }, index) => [name, index]));
  return new Map(
    rows
      .filter(({ file, place }) => (place ?? 0) <= (age.get(file) ?? 0))
      .map(({ key, body }) => [key, (JSON.parse(body) as SetAside).reason]),
  );
};

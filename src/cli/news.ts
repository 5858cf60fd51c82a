import { formatInstant, type Instant } from '../kernel/calendar.ts';
import { closedReportOf, type PublishedPeriods } from '../periods/folders.ts';
import { isComplete, type Run } from '../periods/runs.ts';

/** The runs of a period before it is closed again, oldest first, and the digest of its books. */
export type LastClose = { readonly runs: readonly Run[]; readonly books: string | undefined };

/** Returns the digest of what the folder of a period says now: a close writes another one. */
export const toldBy = async (published: PublishedPeriods, label: string): Promise<string | undefined> => {
  const found = await published.of(label);
  return found && (await closedReportOf(found)).signOff.contentDigest;
};

/** Describes in one line what has changed since a period was last closed; empty if nothing has. */
export const sinceLines = ({ runs, books }: LastClose, now: string | undefined): readonly string[] => {
  const last = runs.at(-1);
  const closed = runs.findLast(isComplete);
  const changes = [
    ...(last === undefined || isComplete(last) ? [] : [stopText(last)]),
    ...(books === undefined || books === now ? [] : ['the books have changed']),
  ];
  const at = closed ? ` of ${minuteOf(closed.started)}` : '';
  return changes.length === 0 ? [] : [`since the close${at}: ${changes.join(', ')}`];
};

const stopText = ({ started, error }: Run): string =>
  `the run of ${minuteOf(started)} ${error ? `stopped with ${error.code}` : 'was cut off'}`;

const minuteOf = (at: Instant): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`;

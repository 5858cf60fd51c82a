import { varianceOf } from '../figures/period-report.ts';
import { readinessWord } from '../judge/readiness.ts';
import { formatInstant, type Instant } from '../kernel/calendar.ts';
import { shownCount, shownMoney } from '../kernel/text.ts';
import { closedReportOf, type PublishedPeriods } from '../periods/folders.ts';
import { isComplete, type Run } from '../periods/runs.ts';
import { toPayOnTime } from './status-returns.ts';

/** What tells a change of the books of a period, in words. */
type Told = {
  readonly digest: string;
  /** The state of the books and their main figures. */
  readonly figures: readonly (readonly [name: string, text: string])[];
};

/** The runs of a period before it is closed again, oldest first, and its books. */
export type LastClose = { readonly runs: readonly Run[]; readonly books: Told | undefined };

/** Returns what the folder of a period tells now: a close writes another one. */
export const toldBy = async (published: PublishedPeriods, label: string): Promise<Told | undefined> => {
  const found = await published.of(label);
  if (!found) return undefined;
  const report = await closedReportOf(found);
  return {
    digest: report.signOff.contentDigest,
    figures: [
      ['books', readinessWord(report.readiness)],
      ['variance', shownMoney(varianceOf(report))],
      ['open exceptions', shownCount(found.manifest.content.exceptions.open)],
      ['to pay', shownMoney(toPayOnTime(report))],
    ],
  };
};

/** Describes in one line what has changed since a period was last closed; empty if nothing has. */
export const sinceLines = ({ runs, books: before }: LastClose, now: Told | undefined): readonly string[] => {
  const last = runs.at(-1);
  const closed = runs.findLast(isComplete);
  const changes = [
    ...(last === undefined || isComplete(last) ? [] : [stopText(last)]),
    ...(before === undefined || before.digest === now?.digest ? [] : ['the books have changed']),
    ...(before?.figures ?? []).flatMap(([name, was], index) => {
      const is = now?.figures[index]?.[1] ?? was;
      return was === is ? [] : [`${name} ${was} → ${is}`];
    }),
  ];
  const at = closed ? ` of ${minuteOf(closed.started)}` : '';
  return changes.length === 0 ? [] : [`since the close${at}: ${changes.join(', ')}`];
};

const stopText = ({ started, error }: Run): string =>
  `the run of ${minuteOf(started)} ${error ? `stopped with ${error.code}` : 'was cut off'}`;

const minuteOf = (at: Instant): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`;

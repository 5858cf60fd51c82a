import type { ManifestContent } from '../evidence/manifest.ts';
import { varianceOf } from '../figures/period-report.ts';
import { readinessWord } from '../judge/readiness.ts';
import { formatInstant, type Instant } from '../kernel/calendar.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownCount, shownMoney } from '../kernel/text.ts';
import { closedReportOf, type PublishedPeriods } from '../periods/folders.ts';
import { isComplete, type Run } from '../periods/runs.ts';
import { linesAboutFiles } from './readiness-lines.ts';
import { toPayOnTime } from './status-returns.ts';

type ClosedReport = Awaited<ReturnType<typeof closedReportOf>>;

/** What the folder of a period had at a moment: a close writes another one. */
type Books = { readonly content: ManifestContent; readonly report: ClosedReport };

/** The last run of a period, the last one that closed it, and its books, before the period is closed again. */
export type LastClose = {
  readonly last: Run | undefined;
  readonly closed: Run | undefined;
  readonly books: Books | undefined;
};

/** @param runs the runs of the entity, oldest first */
export const lastCloseOf = async (
  period: FilingPeriod,
  published: PublishedPeriods,
  runs: readonly Run[],
): Promise<LastClose> => {
  const own = runs.filter((run) => run.period === period.label);
  return { last: own.at(-1), closed: own.findLast(isComplete), books: await booksOf(published, period) };
};

const booksOf = async (published: PublishedPeriods, { label }: FilingPeriod): Promise<Books | undefined> => {
  const found = await published.of(label);
  return found && { content: found.manifest.content, report: await closedReportOf(found) };
};

/** Describes in one line what has changed since a period was last closed; empty if nothing has. */
export const sinceLines = async (
  { last, closed, books: before }: LastClose,
  period: FilingPeriod,
  published: PublishedPeriods,
): Promise<readonly string[]> => {
  const now = await booksOf(published, period);
  const all = [
    ...(last === undefined || isComplete(last) ? [] : [stopText(last)]),
    ...(before && now ? changesBetween(before, now) : []),
  ];
  const at = closed ? ` of ${minuteOf(closed.started)}` : '';
  return all.length === 0 ? [] : [`since the close${at}: ${all.join('; ')}`];
};

const stopText = ({ started, error }: Run): string =>
  `the run of ${minuteOf(started)} ${error ? `stopped with ${error.code}` : 'was cut off'}, and this one is complete`;

const minuteOf = (at: Instant): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`;

const changesBetween = (before: Books, now: Books): readonly string[] => {
  const was = readinessWord(before.report.readiness);
  const is = readinessWord(now.report.readiness);
  const known = linesAboutFiles(before.report);
  return [
    ...(was === is ? [] : [`${is}; before: ${was}`]),
    ...bookChanges(before, now),
    ...linesAboutFiles(now.report).filter((line) => !known.includes(line)),
  ];
};

/** The figures that tell most of a change of the books. */
const bookChanges = (before: Books, now: Books): readonly string[] => {
  if (before.report.signOff.contentDigest === now.report.signOff.contentDigest) return [];
  const changes = FIGURES.flatMap(([name, of]) => {
    const was = of(before);
    const is = of(now);
    return was === is ? [] : [`${name} ${was} → ${is}`];
  });
  return [`the books have changed${changes.length === 0 ? '' : `: ${changes.join(', ')}`}`];
};

type Figure = (books: Books) => string;

const FIGURES: readonly (readonly [name: string, of: Figure])[] = [
  ['variance', ({ report }) => shownMoney(varianceOf(report))],
  ['open exceptions', ({ content }) => shownCount(content.exceptions.open)],
  ['to pay', ({ report }) => shownMoney(toPayOnTime(report))],
];

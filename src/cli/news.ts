import { basename } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { configurationParts, settingParts } from '../close/configuration/parts.ts';
import type { ManifestContent } from '../close/evidence/manifest.ts';
import { totalOf, varianceOf } from '../close/figures/period-report.ts';
import { readinessWord } from '../close/reconcile/readiness.ts';
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
  configuration: LoadedConfiguration,
): Promise<readonly string[]> => {
  const now = await booksOf(published, period);
  const changes = before && now ? changesBetween(before, now) : [];
  const settings = before && changes.length > 0 ? changedSettings(before.content, closed, configuration) : [];
  const all = [
    ...(last === undefined || isComplete(last) ? [] : [stopText(last)]),
    ...(settings.length === 0
      ? []
      : [`configuration changed: ${settings.join(', ')} (${basename(configuration.file)})`]),
    ...changes,
  ];
  const at = closed ? ` of ${minuteOf(closed.started)}` : '';
  return all.length === 0 ? [] : [`since the close${at}: ${all.join('; ')}`];
};

const stopText = ({ started, error }: Run): string =>
  `the run of ${minuteOf(started)} ${error ? `stopped with ${error.code}` : 'was cut off'}, and this one is complete`;

const minuteOf = (at: Instant): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`;

const changesBetween = (before: Books, now: Books): readonly string[] => {
  const [was, is] = [readinessWord(before.report.readiness), readinessWord(now.report.readiness)];
  return [
    ...(was === is ? [] : [`${is}; before: ${was}`]),
    ...bookChanges(before, now),
    ...linesAboutFiles(now.report).filter((line) => !linesAboutFiles(before.report).includes(line)),
  ];
};

const bookChanges = (before: Books, now: Books): readonly string[] => {
  const [old, current] = [before.report, now.report];
  if (old.signOff.contentDigest === current.signOff.contentDigest) return [];
  const figures = FIGURES.flatMap(([name, of]) => {
    const [was, is] = [of(before), of(now)];
    return was === is ? [] : [`${name} ${was} → ${is}`];
  });
  const sources = [
    ...changedNames('registrations', old.registrations, current.registrations, {
      nameOf: ({ state }) => state,
      textOf: ({ state, since, account }) => JSON.stringify([state, since, account ?? '']),
    }),
    ...changedNames('exports', old.inputs, current.inputs, {
      nameOf: ({ path }) => basename(path),
      // Compares only the content: decisions may change the outcome of its rows.
      textOf: ({ sha256 }) => sha256,
    }),
    ...(old.service === current.service ? [] : ['another tax service or tax content']),
    ...(old.program === current.program ? [] : [`another version of the program, ${current.program}`]),
  ];
  const said = [...figures, ...sources];
  return [
    `the books have changed: ${said.length === 0 ? 'not in their totals, but in single records or texts' : said.join(', ')}`,
  ];
};

type Figure = (books: Books) => string;

const FIGURES: readonly (readonly [name: string, of: Figure])[] = [
  ['variance', ({ report }) => shownMoney(varianceOf({ ...report, exceptions: [] }))],
  ['open exceptions', ({ content }) => shownCount(content.exceptions.open)],
  ['accepted', ({ content }) => shownCount(content.exceptions.accepted)],
  ['expected tax', ({ report }) => shownMoney(totalOf(report, 'expected'))],
  ['to pay', ({ report }) => shownMoney(toPayOnTime(report))],
  ['orders', ({ report }) => shownCount(countOf(report, 'orders'))],
  ['refunds', ({ report }) => shownCount(countOf(report, 'refunds'))],
];

const countOf = ({ states }: ClosedReport, figure: 'orders' | 'refunds'): number =>
  states.reduce((total, state) => total + state[figure], 0);

/** Maximum number of names listed per kind. */
const NAMES_MAX = 5;

/** Lists by name the entries that were added, removed or changed between two lists. */
const changedNames = <Row>(
  what: string,
  before: readonly Row[],
  now: readonly Row[],
  { nameOf, textOf }: Readonly<Record<'nameOf' | 'textOf', (row: Row) => string>>,
): readonly string[] => {
  const texts = (rows: readonly Row[]) => new Map(rows.map((row) => [nameOf(row), textOf(row)]));
  const [old, current] = [texts(before), texts(now)];
  const names = [...new Set([...old.keys(), ...current.keys()])];
  const kinds = Map.groupBy(names, (name) => {
    if (!old.has(name)) return 'added';
    if (!current.has(name)) return 'removed';
    return old.get(name) === current.get(name) ? 'kept' : 'changed';
  });
  return (['added', 'removed', 'changed'] as const).flatMap((kind) => {
    const own = kinds.get(kind) ?? [];
    const more = own.length > NAMES_MAX ? ` and ${own.length - NAMES_MAX} more` : '';
    return own.length === 0 ? [] : [`${what} ${kind}: ${own.slice(0, NAMES_MAX).join(' ')}${more}`];
  });
};

/**
 * Returns the settings that changed since a period was closed, by their names in the configuration; of decision files
 * that cannot be used nothing is known. Where the run that closed it is not noted, the names are not known.
 */
export const changedSettings = (
  made: Pick<ManifestContent, 'configuration'>,
  closed: Pick<Run, 'settings'> | undefined,
  configuration: LoadedConfiguration,
): readonly string[] => {
  if (made.configuration === configurationParts(configuration).configuration) return [];
  const isUnread = configuration.undecided !== undefined;
  const [then, now] = [closed?.settings, settingParts(configuration)];
  if (!then) return isUnread ? [] : ['tieout.yaml or its decisions'];
  return Object.keys({ ...then, ...now })
    .filter((name) => then[name] !== now[name])
    .map((name) => name.replace('setting ', ''))
    .filter((name) => !isUnread || name !== 'decided');
};

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { configurationParts, settingParts } from '../close/configuration/parts.ts';
import type { ManifestContent } from '../close/evidence/manifest.ts';
import {
  acceptedExceptions,
  openExceptions,
  type PeriodReport,
  totalOf,
  varianceOf,
} from '../close/figures/period-report.ts';
import { readinessWord } from '../close/reconcile/readiness.ts';
import { formatInstant, type Instant, parseInstant } from '../kernel/calendar.ts';
import { designedError } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownCount, shownMoney, shownNumber } from '../kernel/text.ts';
import { closedReportOf, type PublishedPeriods } from '../periods/folders.ts';
import { isComplete, type Run, rewrittenBefore } from '../periods/runs.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { PRELIMINARY } from '../run/period-folder.ts';
import { exists } from '../runtime/publish-folder.ts';
import type { Closed } from './close-summary.ts';
import { linesAboutFiles } from './readiness-lines.ts';
import { toPayOnTime } from './status-returns.ts';

/** A report, whose exceptions may be counted alone. */
type Summarized = PeriodReport & { readonly counted?: Readonly<Record<'open' | 'accepted', number>> };

/** The last run of a period, and the published report, before the period is closed again. */
export type LastSummary = {
  readonly last: Run | undefined;
  readonly lastClose: Run | undefined;
  readonly report: Summarized | undefined;
  /** Registrations as configured now. */
  readonly registrations: LoadedConfiguration['registrations'];
  /** Other periods that are out of date. */
  readonly outdated: ReadonlySet<string>;
  /** The changes of the configuration since the last close; empty if there are none. */
  readonly configured: string;
};

/** @param around the folders and the runs of the entity, the runs oldest first */
export const lastSummaryOf = async (
  { configuration }: Pick<ClosePorts, 'configuration'>,
  { label }: FilingPeriod,
  around: { readonly published: PublishedPeriods; readonly runs: readonly Run[] },
): Promise<LastSummary> => {
  const { published } = around;
  const runs = around.runs.filter((run) => run.period === label);
  const before = await published.of(label);
  const { open, accepted } = before?.manifest.content.exceptions ?? { open: 0, accepted: 0 };
  const lastClose = runs.findLast(isComplete);
  const changed = before ? changedSettings(before.manifest.content, lastClose, configuration) : [];
  const outdated = new Set<string>();
  for (const version of published.versions) {
    const found = await published.of(version.label);
    if (found && (await rewrittenBefore(published, found)) !== undefined) outdated.add(version.label);
  }
  return {
    ...{ last: runs.at(-1), lastClose, outdated },
    report: before && { ...(await closedReportOf(before)), exceptions: [], counted: { open, accepted } },
    registrations: configuration.registrations,
    configured: configuredText(configuration, changed),
  };
};

const configuredText = ({ file }: LoadedConfiguration, names: readonly string[]): string =>
  names.length === 0 ? '' : `configuration changed: ${names.join(', ')} (${basename(file)})`;

/** The changes since the previous close. If only errors are gone, the books are unchanged and need no summary. */
export type News = { readonly changes: readonly string[]; readonly gone: readonly string[] };

export const newsSince = (
  { last, report: before, registrations, outdated, configured }: LastSummary,
  closed: Pick<Closed, 'written' | 'outdated'>,
  noted: NotedError | undefined,
): News => {
  const { report } = closed.written;
  const more = closed.outdated.map(({ label }) => label).filter((label) => !outdated.has(label));
  const changes = [
    ...(before === undefined
      ? [`${wordOf(report)}; the first run that came to an end`]
      : changesBetween(before, report, registrations)),
    ...(more.length === 0 ? [] : [`out of date: ${more.join(', ')}`]),
  ];
  return {
    changes: changes.length > 0 && configured !== '' ? [configured, ...changes] : changes,
    gone: [
      ...(noted ? [goneText(noted, noted.at)] : []),
      ...(last === undefined || isComplete(last) ? [] : [goneText(last.error, last.started)]),
    ],
  };
};

/** Describes in one line how the books of a period changed since they were last written; empty if they did not. */
export const sinceLines = (
  { lastClose, report: before, registrations }: LastSummary,
  report: PeriodReport,
): readonly string[] => {
  const changes = before === undefined ? [] : changesBetween(before, report, registrations);
  const at = lastClose ? ` of ${minuteOf(lastClose.started)}` : '';
  return changes.length === 0 ? [] : [`since the close${at}: ${changes.join('; ')}`];
};

const changesBetween = (
  before: PeriodReport,
  now: PeriodReport,
  registrations: LastSummary['registrations'],
): readonly string[] => [
  ...(wordOf(before) === wordOf(now) ? [] : [`${wordOf(now)}; before: ${wordOf(before)}`]),
  ...bookChanges(before, now, registrations),
  ...linesAboutFiles(now).filter((line) => !linesAboutFiles(before).includes(line)),
];

/** Formats the news as a line; if only errors are gone, with the state of the books. */
export const newsText = ({ changes, gone }: News, { written: { report }, isPreliminary }: Closed): string => {
  const about = `${report.entity} ${report.period.label}${isPreliminary ? ` (${PRELIMINARY})` : ''}: `;
  if (changes.length > 0) return `${about}new since the last run: ${[...changes, ...gone].join('; ')}\n`;
  if (gone.length === 0) return '';
  const open = shownNumber(openExceptions(report).length, 'open exception');
  return `${about}${gone.join('; ')}; the books are current: ${wordOf(report)}, variance ${shownMoney(varianceOf(report))}, ${open}\n`;
};

const wordOf = ({ readiness }: PeriodReport): string => readinessWord(readiness);

const goneText = (error: { readonly code: string; readonly message: string } | null, at: Instant): string => {
  const time = minuteOf(at);
  return error === null
    ? `the run of ${time} was cut off, and this one is complete`
    : `the error of ${time} is gone (${error.code}: ${firstLine(error.message).replace(/[.]$/, '')})`;
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const minuteOf = (at: Instant): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`;

const bookChanges = (
  before: PeriodReport,
  now: PeriodReport,
  registrations: LastSummary['registrations'],
): readonly string[] => {
  if (before.signOff.contentDigest === now.signOff.contentDigest) return [];
  const figures = FIGURES.flatMap(([name, of]) => {
    const [old, current] = [of(before, registrations), of(now, registrations)];
    return old === current ? [] : [`${name} ${old} → ${current}`];
  });
  const sources = [
    ...changedNames('registrations', before.registrations, now.registrations, {
      nameOf: ({ state }) => state,
      // What every close kept of one, whichever program made it.
      textOf: ({ state, since, account }) => JSON.stringify([state, since, account ?? '']),
    }),
    ...changedNames('exports', before.inputs, now.inputs, {
      nameOf: ({ path }) => basename(path),
      // Compares only the content: decisions may change the outcome of its rows.
      textOf: ({ sha256 }) => sha256,
    }),
    ...(before.service === now.service ? [] : ['another tax service or tax content']),
    ...(before.program === now.program ? [] : [`another version of the program, ${now.program}`]),
  ];
  const said = [...figures, ...sources];
  return [
    `the books have changed: ${said.length === 0 ? 'not in their totals, but in single records or texts' : said.join(', ')}`,
  ];
};

type Figure = (report: Summarized, registrations: LastSummary['registrations']) => string;

const FIGURES: readonly (readonly [name: string, of: Figure])[] = [
  ['variance', (report) => shownMoney(varianceOf(report))],
  ['open exceptions', ({ counted, ...report }) => shownCount(counted?.open ?? openExceptions(report).length)],
  [
    'accepted',
    ({ counted, ...report }) => shownCount(counted?.accepted ?? acceptedExceptions(report).length),
  ],
  ['expected tax', (report) => shownMoney(totalOf(report, 'expected'))],
  ['to pay', (report, registrations) => shownMoney(toPayOnTime(report, registrations))],
  ['orders', (report) => shownCount(countOf(report, 'orders'))],
  ['refunds', (report) => shownCount(countOf(report, 'refunds'))],
];

const countOf = ({ states }: PeriodReport, figure: 'orders' | 'refunds'): number =>
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
  const listed = (verb: string, names: readonly string[]): readonly string[] => {
    const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
    return names.length === 0 ? [] : [`${what} ${verb}: ${names.slice(0, NAMES_MAX).join(' ')}${more}`];
  };
  return [
    ...listed(
      'added',
      [...current.keys()].filter((name) => !old.has(name)),
    ),
    ...listed(
      'removed',
      [...old.keys()].filter((name) => !current.has(name)),
    ),
    ...listed(
      'changed',
      [...current.keys()].filter((name) => old.has(name) && old.get(name) !== current.get(name)),
    ),
  ];
};

/** The error of a configuration that could not be read, and when it first occurred. */
export type NotedError = { readonly code: string; readonly message: string; readonly at: Instant };

/**
 * Returns the path of the note, in a folder next to the configuration, which names no folder of state if it is unreadable.
 */
const noteOf = (config: string): string =>
  join(dirname(resolve(config)), '.tieout', `${basename(config)}.error.json`);

export const notedError = async (config: string): Promise<NotedError | undefined> => {
  try {
    const { code, message, at } = JSON.parse(await readFile(noteOf(config), 'utf8')) as Record<
      string,
      string
    >;
    const instant = parseInstant(at ?? '');
    return code && message && instant !== undefined ? { code, message, at: instant } : undefined;
  } catch {
    return undefined;
  }
};

/** Writes the note. If it cannot be written, the error is printed each time. */
export const noteError = async (config: string, error: unknown, now: Instant): Promise<void> => {
  const designed = designedError(error);
  if (!designed || designed.recovery === 'usage') return;
  const { code, message } = designed;
  const note = noteOf(config);
  try {
    if (await exists(config)) await mkdir(dirname(note), { recursive: true });
    await writeFile(note, `${JSON.stringify({ code, message, at: formatInstant(now) })}\n`, { mode: 0o600 });
  } catch {}
};

/** Removes the note. Problems of its folder are reported by the command itself. */
export const forgetError = (config: string): Promise<void> =>
  rm(noteOf(config), { force: true }).catch(() => {});

/**
 * Returns the settings that changed since a period was closed, by their names in the configuration; of decision files
 * that cannot be used nothing is known. Where the run that closed it is not noted, the names are not known.
 */
export const changedSettings = (
  made: Pick<ManifestContent, 'configuration'>,
  lastClose: Pick<Run, 'settings'> | undefined,
  configuration: LoadedConfiguration,
): readonly string[] => {
  if (made.configuration === configurationParts(configuration).configuration) return [];
  const isUnread = configuration.undecided !== undefined;
  const [then, now] = [lastClose?.settings, settingParts(configuration)];
  if (!then) return isUnread ? [] : ['tieout.yaml or its decisions'];
  return Object.keys({ ...then, ...now })
    .filter((name) => then[name] !== now[name])
    .map((name) => name.replace('setting ', ''))
    .filter((name) => !isUnread || name !== 'decided');
};

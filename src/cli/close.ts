import { Command, Option } from 'commander';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { outputOf } from '../configuration/load-configuration.ts';
import { nextVersion } from '../core/lock.ts';
import { lockPlaceOf, takeLocks } from '../core/reading.ts';
import { formatInstant, type Instant } from '../kernel/calendar.ts';
import type { ExitCode } from '../kernel/errors.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { readFilings } from '../periods/filings.ts';
import {
  closedReportOf,
  countingPeriods,
  type PublishedPeriods,
  publishedPeriods,
} from '../periods/folders.ts';
import { todayOf } from '../periods/period-folder.ts';
import { isComplete, type Run, runsOf } from '../periods/runs.ts';
import { unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import { planEntities, recheckEntities } from './close-previews.ts';
import { type Closed, closeFigures, closeText, endWord, exitCodeOfClose } from './close-summary.ts';
import { type EntityRun, isFailure, overPeriod, printOutcomes, warnOfOutdated } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { type CloseCommandOptions, periodOf, portOptions, withBudget, withEntities } from './options.ts';
import { datedReturns, dueLine, unclosedReturnLines } from './status-returns.ts';

/** Builds `tieout close 2026-10`: the command that a cron job runs on the second of each month. */
export const closeCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withBudget(withEntities(new Command('close')))
    .argument('<period>', 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026, or 2026-10..2026-12')
    .addOption(
      new Option('--plan', 'show what the close would calculate, send and cost, and do nothing').conflicts(
        'onlyNews',
      ),
    )
    .addOption(
      new Option(
        '--amend',
        'write the next amended version of a locked period, with the late items that are to be amended',
      ).conflicts('plan'),
    )
    .addOption(
      new Option(
        '--recheck',
        'draw a period again into the new folder --output as if it were not locked, and name what differs',
      ).conflicts(['plan', 'amend', 'onlyNews', 'workers', 'workingPapers']),
    )
    .option(
      '--working-papers',
      'write working-papers.xlsx as well: a sample of Detail for an auditor’s tests',
    )
    .addOption(
      new Option('--workers <where>', 'share the work with `tieout worker` processes').choices(['queue']),
    )
    .option('--only-news', 'print the summary only if it differs from the last run’s')
    .action(async (period: string, options: Options) => {
      periodOf(period);
      const work = options.plan ? planEntities : options.recheck ? recheckEntities : closeEntities;
      exit(await work(io, options, period));
    });

type Options = CloseCommandOptions & { readonly plan?: boolean; readonly recheck?: boolean };

/** Closes a period for the selected entities. A single entity gets a full report, several get a few lines each. */
const closeEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  const { onlyNews = false, quiet = false } = options;
  const outcomes = await overPeriod<Closed>(
    io,
    { ...options, quiet: quiet || onlyNews, period },
    exitCodeOfClose,
    (run) => closeOne(io, options, run, period),
  );
  const isNews = !onlyNews || outcomes.some((outcome) => !isFailure(outcome) && outcome.value.isNew);
  const code = printOutcomes(io, { ...options, quiet: quiet || !isNews }, outcomes, {
    period,
    figuresOf: closeFigures,
    textOf: (closed, isSeveral) =>
      `${isSeveral ? `${closed.written.report.entity}\n` : ''}${closeText(closed)}`,
    endOf: (worst) => `${period}: ${endWord(worst)}, exit code ${worst}\n`,
  });
  if (isNews) warnOfOutdated(io, outcomes);
  return code;
};

const closeOne = async (
  io: CommandIo,
  options: CloseCommandOptions,
  { configuration, entity, watch, onWait }: EntityRun,
  wanted: string,
): Promise<Closed> => {
  const place = { configuration, output: outputOf(configuration, options.output) };
  const period = options.amend ? await nextVersion(place, periodOf(wanted)) : wanted;
  const asked = periodOf(period);
  const startedMs = performance.now();
  const periods = [asked];
  return io.withClose(configuration, { ...portOptions(options), periods, onWait }, async (ports) => {
    const runs = (await runsOf(ports.state ?? '', entity)).filter((each) => each.period === asked.label);
    const before = { runs, books: await toldBy((await foldersOf(ports)).published, asked.label) };
    const done = await monthlyClose.run({ ...ports, ...watch }, { period });
    const { report } = done.written;
    const { published, locks } = await foldersOf(ports);
    const closed = await countingPeriods(published);
    const months = unclosedMonths(closed.map((each) => each.period));
    const today = todayOf(ports);
    const filings = await readFilings(configuration.resolvePath('.'), entity);
    const isLocked = locks.versions.some(({ name }) => name === report.period.label);
    const since = sinceLines(before, await toldBy(published, asked.label));
    return {
      ...done,
      since,
      isNew: !before.books || since.length > 0,
      unclosed: months.filter(({ last }) => last < asked.first).map(({ label }) => label),
      due: [
        ...dueLine(report, datedReturns(report, { today, filings, isLocked })),
        ...unclosedReturnLines(unclosedReturns(closed, configuration.registrations, today), today),
      ],
      isPreliminary: report.period.last >= today,
      seconds: (performance.now() - startedMs) / 1000,
    };
  });
};

/** Returns the locks and the folders of the entity of a close. */
const foldersOf = async (ports: ClosePorts) => {
  const locks = await takeLocks(ports);
  const { output } = lockPlaceOf(ports);
  const names = new Set(locks.versions.map(({ name }) => name));
  return { locks, published: await publishedPeriods(output, names) };
};

/** The runs of a period before it is closed again, oldest first, and the digest of its books. */
type LastClose = { readonly runs: readonly Run[]; readonly books: string | undefined };

/** Returns the digest of what the folder of a period says now: a close writes another one. */
const toldBy = async (published: PublishedPeriods, label: string): Promise<string | undefined> => {
  const found = await published.of(label);
  return found && (await closedReportOf(found)).signOff.contentDigest;
};

/** Describes in one line what has changed since a period was last closed; empty if nothing has. */
const sinceLines = ({ runs, books }: LastClose, now: string | undefined): readonly string[] => {
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

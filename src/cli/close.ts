import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { closePlan } from '../../pipelines/close-plan.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { isOverBudget } from '../ask/plan-calculations.ts';
import { gapFigures } from '../ask/rate-gaps.ts';
import { outputOf } from '../configuration/load-configuration.ts';
import { nextVersion } from '../core/lock.ts';
import { lockPlaceOf, takeLocks } from '../core/reading.ts';
import { recheck } from '../core/recheck.ts';
import { paymentsIn } from '../figures/pay-list.ts';
import type { InputFile, PeriodReport } from '../figures/period-report.ts';
import { ExitCode } from '../kernel/errors.ts';
import { subtract, sum } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { readFilings } from '../periods/filings.ts';
import { countingPeriods, publishedPeriods } from '../periods/folders.ts';
import { runsOf } from '../periods/runs.ts';
import { unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { runningPeriod } from '../run/period-folder.ts';
import { stageRunner } from '../runtime/pipeline.ts';
import { proveWritable } from '../runtime/publish-folder.ts';
import {
  type Closed,
  closeFigures,
  closeLogFields,
  closeText,
  entitiesText,
  exitCodeOfClose,
} from './close-summary.ts';
import { type EntityRun, isFailure, overPeriod, printOutcomes, warnOfOutdated } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { lastCloseOf, sinceLines } from './news.ts';
import {
  type CloseCommandOptions,
  periodOf,
  portOptions,
  usageError,
  wholeNumber,
  withBudget,
  withEntities,
  withLog,
} from './options.ts';
import { type DatedReturn, datedReturns, isUnfiled, unclosedReturnLines } from './status-returns.ts';

const ITEMS_MAX = 1_000;
const SECONDS_MAX = 86_400;

/** Builds `tieout close 2026-10`: the command that a cron job runs on the second of each month. */
export const closeCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('close'))))
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
    .option(
      '--lost-after <seconds>',
      'give the batch of a worker that is silent for so long to another (15)',
      wholeNumber(SECONDS_MAX, 10),
    )
    .option(
      '--patience <seconds>',
      'give up if no worker picks up a batch within this time (300)',
      wholeNumber(SECONDS_MAX),
    )
    .option('--batch-items <number>', 'put this many sales in a batch (500)', wholeNumber(ITEMS_MAX, 1))
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
    { codeOf: exitCodeOfClose, fieldsOf: closeLogFields },
    (run) => closeOne(io, options, run, period),
  );
  const isNews = !onlyNews || outcomes.some((outcome) => !isFailure(outcome) && outcome.value.isNew);
  const code = printOutcomes(io, { ...options, quiet: quiet || !isNews }, outcomes, {
    period,
    figuresOf: closeFigures,
    textOf: (closed, isSeveral) =>
      `${isSeveral ? `${closed.written.report.entity}\n` : ''}${closeText(closed, io.isTerminal, io.paint)}`,
    endOf: (worst) => entitiesText(outcomes, period, worst),
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
  const run = { pipeline: monthlyClose.name, periods: [asked] };
  return io.withClose(configuration, { ...portOptions(options), run, onWait }, async (ports) => {
    const runs = await runsOf(ports.state ?? '', entity);
    const before = await lastCloseOf(asked, (await foldersOf(ports)).published, runs);
    const done = await monthlyClose.run({ ...ports, ...watch(period) }, { period });
    const { report } = done.written;
    const { published, locks } = await foldersOf(ports);
    const closed = await countingPeriods(published);
    const months = unclosedMonths(closed.map((each) => each.period));
    const today = zoneCalendar(configuration.timeZone).dateAt(io.clock.now());
    const returns = datedReturns(report, {
      today,
      filings: await readFilings(configuration.resolvePath('.'), entity),
      isLocked: locks.versions.some(({ name }) => name === report.period.label),
    });
    const since = await sinceLines(before, asked, published);
    return {
      ...{ ...done, since, isNew: !before.books || since.length > 0 },
      unclosed: months.filter(({ last }) => last < asked.first).map(({ label }) => label),
      due: [
        ...dueLine(report, returns),
        ...unclosedReturnLines(unclosedReturns(closed, configuration.registrations, today), today),
      ],
      isPreliminary: runningPeriod(ports, report.period) !== undefined,
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

/** Describes the amount due for a closed period and its first due date; empty if no return is to be filed. */
const dueLine = (report: PeriodReport, returns: readonly DatedReturn[]): readonly string[] => {
  const due = returns.filter(isUnfiled);
  const owed = paymentsIn(due);
  // Without a payment, the first return to file.
  const first = owed[0] ?? due[0];
  if (!first) return [];
  const overdue = due.filter(({ isLate }) => isLate).length;
  const all = sum(owed.map((row) => subtract(row.amount, subtract(row.lost, row.lostOfBalance))));
  return [
    [
      `due${report.madeEarly === undefined ? '' : ' so far'}: ${shownNumber(due.length, 'return')}, ${shownMoney(all)} in all`,
      `first ${first.key} by ${first.payBy}`,
      ...(overdue > 0 ? [`${overdue} overdue`] : []),
      `\`tieout status ${report.period.label}\` lists them`,
    ].join('; '),
  ];
};

type Planned = Awaited<ReturnType<typeof closePlan.run>> & {
  readonly entity: string;
  readonly period: string;
  /** `embedded`, or the address of the service that would calculate. */
  readonly service: string;
};

/** Shows what closing a period would request and send, for each selected entity; 1 if it exceeds the allowed number. */
const planEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  const outcomes = await overPeriod<Planned>(
    io,
    { ...options, period },
    { codeOf: ({ calculations }) => (isOverBudget(calculations) ? ExitCode.open : ExitCode.clean) },
    async ({ configuration, entity, watch, onWait }) => {
      const plan = await io.withClose(configuration, { ...portOptions(options), onWait }, async (ports) => ({
        service: ports.serviceName,
        ...(await closePlan.run({ ...ports, ...watch(period) }, { period })),
      }));
      return { entity, period, ...plan };
    },
  );
  // The plans of the stages were already printed as they were counted.
  return printOutcomes(io, options, outcomes, {
    period,
    figuresOf: ({ inputs, gaps, ...plan }) => ({
      ...plan,
      rate_gaps: gapFigures(gaps),
      inputs: inputs.map(inputObject),
    }),
    textOf: (planned) => `cost: ${costOf(planned)}\n`,
  });
};

/** Describes possible costs: calls to a remote service. The embedded service is free. */
const costOf = ({ service, calculations, submissions }: Planned): string => {
  if (service === 'embedded') return 'none: the tax service that comes with Tieout charges nothing';
  const { toAsk, forExemptions, forLateItems, questionsMax } = calculations;
  const asked = toAsk + forExemptions + forLateItems + questionsMax;
  return `at most ${shownNumber(asked, 'calculation')} and ${shownNumber(submissions.toSend, 'record')} at ${service}, at the prices of that service`;
};

/** Returns a file of the exports as JSON. */
const inputObject = ({
  channel,
  path,
  profile,
  sha256,
  bytes,
  rows,
  used,
  ignored,
  rejected,
}: InputFile): object => ({ channel, path, profile, sha256, bytes, rows, used, ignored, rejected });

type Rechecked = Awaited<ReturnType<typeof recheck>> & {
  readonly entity: string;
  readonly period: string;
  /** The folder of the books that were drawn again. */
  readonly into: string;
};

/** Draws a period of the selected entities again and compares it with what is published: 0 if every byte is the same, else 1. */
const recheckEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  const { output, ...others } = options;
  const place = await emptyFolder(output);
  const outcomes = await overPeriod<Rechecked>(
    io,
    { ...others, period },
    { codeOf: recheckCode },
    (entityRun) => {
      const { configuration, entity, watch } = entityRun;
      const into = join(place, entity, period);
      return io.withClose(configuration, portOptions(others), async (ports) => {
        const run = stageRunner(watch(period));
        return { entity, period, into, ...(await recheck(run, ports, periodOf(period), into)) };
      });
    },
  );
  return printOutcomes(io, options, outcomes, { period, figuresOf: recheckFigures, textOf: recheckText });
};

const recheckCode = ({ differences }: Rechecked): ExitCode =>
  differences.length === 0 ? ExitCode.clean : ExitCode.open;

const recheckFigures = (rechecked: Rechecked): object => ({
  entity: rechecked.entity,
  period: rechecked.period,
  exit_code: recheckCode(rechecked),
  same: rechecked.differences.length === 0,
  folder: rechecked.into,
  files: rechecked.files,
  differences: rechecked.differences,
});

const recheckText = ({ period, differences, into }: Rechecked): string =>
  differences.length === 0
    ? `${period}: what is published is what a close draws today, byte for byte\n`
    : `${differences.map(({ path, what }) => `!! ${period}: ${path} ${what}\n`).join('')}What a close draws today is in ${into}\n`;

/** Returns the new folder that is named. @throws {TieoutError} E_USAGE, E_FOLDER_NOT_EMPTY */
const emptyFolder = async (output: string | undefined): Promise<string> => {
  if (output === undefined)
    throw usageError(
      '--recheck needs a folder to draw into',
      'Name a new one: `tieout close 2026-10 --recheck --output again`.',
    );
  const folder = resolve(output);
  await proveWritable(folder);
  if ((await readdir(folder)).length === 0) return folder;
  throw usageError(`${folder} is not empty`, 'Name a new folder with --output.', 'E_FOLDER_NOT_EMPTY');
};

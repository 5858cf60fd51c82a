import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { closePlan } from '../../pipelines/close-plan.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { isOverBudget } from '../ask/plan-calculations.ts';
import { outputOf } from '../configuration/load-configuration.ts';
import { nextVersion } from '../core/lock.ts';
import { lockPlaceOf, takeLocks } from '../core/reading.ts';
import { recheck } from '../core/recheck.ts';
import { ExitCode } from '../kernel/errors.ts';
import { type ClosePorts, todayOf } from '../periods/close-ports.ts';
import { readFilings, unclosedReturns } from '../periods/filings.ts';
import { countingPeriods, publishedPeriods } from '../periods/folders.ts';
import { isComplete, runsOf } from '../periods/runs.ts';
import { stageRunner } from '../runtime/pipeline.ts';
import { proveWritable } from '../runtime/publish-folder.ts';
import { type Closed, closeFigures, closeText, exitCodeOfClose, inputObject } from './close-summary.ts';
import { type EntityRun, isFailure, overPeriod, printOutcomes } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import {
  type CloseCommandOptions,
  periodOf,
  portOptions,
  usageError,
  withBudget,
  withEntities,
} from './options.ts';
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

/** What the command does with a period of the selected entities. */
type Work = (io: CommandIo, options: CloseCommandOptions, period: string) => Promise<ExitCode>;

/** Closes a period for the selected entities. A single entity gets a full report, several get a few lines each. */
const closeEntities: Work = async (io, options, period) => {
  const { onlyNews = false, quiet = false } = options;
  const outcomes = await overPeriod(io, { ...options, quiet: quiet || onlyNews }, period, (run) =>
    closeOne(io, options, run, period),
  );
  const isNews = !onlyNews || outcomes.some((outcome) => !isFailure(outcome) && outcome.value.isNew);
  return printOutcomes(io, { ...options, quiet: quiet || !isNews }, outcomes, {
    period,
    codeOf: exitCodeOfClose,
    figuresOf: closeFigures,
    textOf: (closed, isSeveral) =>
      `${isSeveral ? `${closed.written.report.entity}\n` : ''}${closeText(closed)}`,
  });
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
  const { label } = asked;
  const startedMs = performance.now();
  return io.withClose(configuration, { ...portOptions(options), periods: [asked], onWait }, async (ports) => {
    const last = (await runsOf(ports.state ?? '', entity)).findLast((each) => each.period === label);
    const before = await (await foldersOf(ports)).published.of(label);
    const done = await monthlyClose.run({ ...ports, ...watch }, { period });
    const { report } = done.written;
    const { isLocked, published } = await foldersOf(ports);
    const now = await published.of(label);
    const today = todayOf(ports);
    const filings = await readFilings(configuration.resolvePath('.'), entity);
    const closed = await countingPeriods(published);
    return {
      ...done,
      isNew: (last && !isComplete(last)) || before?.manifest.contentDigest !== now?.manifest.contentDigest,
      due: [
        ...dueLine(report, datedReturns(report, { today, filings, isLocked: isLocked(label) })),
        ...unclosedReturnLines(unclosedReturns(closed, configuration.registrations, today), today),
      ],
      isPreliminary: report.period.last >= today,
      seconds: (performance.now() - startedMs) / 1000,
    };
  });
};

/** Returns the folders of the entity of a close, and which versions are locked. */
const foldersOf = async (ports: ClosePorts) => {
  const names = new Set((await takeLocks(ports)).versions.map(({ name }) => name));
  const published = await publishedPeriods(lockPlaceOf(ports).output, names);
  return { published, isLocked: (label: string): boolean => names.has(label) };
};

/** Draws a period of the selected entities again and compares it with what is published: 0 if every byte is the same, else 1. */
const recheckEntities: Work = async (io, options, period) => {
  const { output, ...others } = options;
  const place = await emptyFolder(output);
  const outcomes = await overPeriod(io, others, period, (run) =>
    recheckOne(io, others, run, { place, period }),
  );
  return printOutcomes(io, options, outcomes, {
    period,
    codeOf: recheckCode,
    figuresOf: recheckFigures,
    textOf: recheckText,
  });
};

/** Draws a period of an entity again into a folder of its own in the place. */
const recheckOne = (
  io: CommandIo,
  options: CloseCommandOptions,
  { configuration, entity, watch }: EntityRun,
  { place, period }: { readonly place: string; readonly period: string },
) => {
  const into = join(place, entity, period);
  return io.withClose(configuration, portOptions(options), async (ports) => {
    const run = stageRunner(watch);
    return { entity, period, into, ...(await recheck(run, ports, periodOf(period), into)) };
  });
};

type Rechecked = Awaited<ReturnType<typeof recheckOne>>;

const recheckCode = ({ differences }: Rechecked): ExitCode =>
  differences.length === 0 ? ExitCode.clean : ExitCode.open;

const recheckFigures = (rechecked: Rechecked): object => ({
  entity: rechecked.entity,
  period: rechecked.period,
  exit_code: recheckCode(rechecked),
  same: rechecked.differences.length === 0,
  same_build: rechecked.isOfThisBuild,
  folder: rechecked.into,
  files: rechecked.files,
  differences: rechecked.differences,
});

const OF_ANOTHER_BUILD =
  'The published books are of another build of Tieout, which may draw the same figures in other bytes: `tieout verify` says whether they hold\n';

const recheckText = ({ period, differences, into, isOfThisBuild }: Rechecked): string => {
  if (differences.length === 0)
    return `${period}: what is published is what a close draws today, byte for byte\n`;
  const lines = differences.map(({ path, what }) => `!! ${period}: ${path} ${what}\n`);
  return `${lines.join('')}${isOfThisBuild ? '' : OF_ANOTHER_BUILD}What a close draws today is in ${into}\n`;
};

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

/** Shows what closing a period would request and send, for each selected entity; 1 if it exceeds the allowed number. */
const planEntities: Work = async (io, options, period) => {
  const outcomes = await overPeriod(io, options, period, ({ configuration, entity, watch, onWait }) =>
    io.withClose(configuration, { ...portOptions(options), onWait }, async (ports) => {
      // `embedded`, or the address of the service that would calculate.
      const service = ports.serviceName;
      return { entity, period, service, ...(await closePlan.run({ ...ports, ...watch }, { period })) };
    }),
  );
  // The plans of the stages were already printed as they were counted.
  return printOutcomes(io, options, outcomes, {
    period,
    codeOf: ({ calculations }) => (isOverBudget(calculations) ? ExitCode.open : ExitCode.clean),
    figuresOf: ({ inputs, gaps, ...plan }) => ({
      ...plan,
      rate_gaps: gaps,
      inputs: inputs.map(inputObject),
    }),
    textOf: () => '',
  });
};

import { dirname, join } from 'node:path';
import { decisionIndexOf } from '../close/configuration/decisions-of.ts';
import type { Entry } from '../close/evidence/entry.ts';
import type { GoneFile, ManifestContent } from '../close/evidence/manifest.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { type EarlierPeriods, earlierPeriods, ledgerOf } from '../close/published/earlier.ts';
import { type PublishedPeriod, publishedPeriods } from '../close/published/folders.ts';
import { refuseUnread } from '../close/published/forms.ts';
import { answersOf, goneFiles, refuseGone } from '../close/published/gone.ts';
import { doublesByDay } from '../close/reconcile/alike-orders.ts';
import { gapsOf, gapsText } from '../close/stages/coverage/rate-gaps.ts';
import type { ReadBackFigures } from '../close/stages/read-back/read-back-records.ts';
import { calculationCache } from '../close/stages/recompute/calculation-cache.ts';
import { checkBudget, planOfSales } from '../close/stages/recompute/plan-calculations.ts';
import { recomputeText } from '../close/stages/recompute/recompute-tax.ts';
import { reconcileText } from '../close/stages/reconcile/reconcile-sales.ts';
import { withLogs } from '../close/stages/report/render-pack.ts';
import { silentAmong } from '../close/stages/report/silent-channels.ts';
import type { WrittenReport } from '../close/stages/report/write-report.ts';
import type { Advanced, ClosePorts } from '../close/stages/run/close-ports.ts';
import { periodFolder } from '../close/stages/run/period-folder.ts';
import { notedRun } from '../close/stages/run/record-run.ts';
import { dayBeforeEnd, runningPeriod } from '../close/stages/run/running-period.ts';
import { refuseAmong } from '../close/stages/submit/refuse-contradictions.ts';
import { submitText } from '../close/stages/submit/submit-transactions.ts';
import { registerOfFiles } from '../close/workspace/certificate-files.ts';
import { DefectError } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownCount as shown } from '../kernel/shown-figures.ts';
import { batchesOf } from '../runtime/batches.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { publishFolder } from '../runtime/publish-folder.ts';
import { watchedAnswers } from './answers.ts';
import { postedSales } from './plan.ts';
import { drawPeriod } from './publish.ts';
import { readExports } from './read-exports.ts';
import { asidesOf, gathering } from './report.ts';
import { SALES_AT_ONCE, settling } from './settle.ts';
import { allSales, daysOf, type Exports } from './shapes.ts';
import { type Strays, straysOf } from './strays.ts';

/**
 * Closes a period from nothing: the exports are read, its sales are settled a day at a time, and the books are drawn from
 * what comes out. Nothing is remembered of earlier runs but what the service has and what published folders say.
 */
export const closeDays = (run: StageRunner, ports: ClosePorts, period: FilingPeriod) =>
  notedRun(ports, 'monthly-close', period, async () => {
    const early = runningPeriod(ports, period);
    if (early !== undefined) await run.stage('period', async () => ({ value: early, summary: early }));
    return closeRead({ run, ports, period, exports: await readStage(run, ports) });
  });

/** The folder for what does not fit in memory while a run lasts. */
const partsFolder = ({ state = '' }: ClosePorts): string => join(state, 'parts');

/** Reads all exports. */
export const readStage = (run: StageRunner, ports: ClosePorts): Promise<Exports> =>
  run.stage('extract', async (advanced) => {
    const folder = partsFolder(ports);
    const value = await readExports(ports.configuration, { folder, advanced });
    return { value, summary: value.summary };
  });

/** A close under way. */
type Close = {
  readonly run: StageRunner;
  readonly ports: ClosePorts;
  readonly period: FilingPeriod;
  readonly exports: Exports;
};

/** Closes a period whose exports are read. */
export const closeRead = async (close: Close) => {
  const { run, ports, period, exports } = close;
  const folder = periodFolder(ports, period);
  const published = await publishedPeriods(dirname(folder));
  const last = await published.of(period.label);
  const earlier = await earlierPeriods(published, ports.configuration, period);
  const ledger = await ledgerOf(exports.ledger, published, period);
  const silent = await nameSilent(close);
  await nameNexus(close);
  refuseAmong(ports.configuration, period, {
    asides: asidesOf(exports, period),
    sales: allSales(exports, period),
  });
  if (last) await refuseUnread(ports, last);
  const gone = last && !last.isLocked ? await goneFiles(last, exports) : [];
  refuseGone(gone, decisionIndexOf(ports.configuration), period);
  let done: Awaited<ReturnType<typeof fillFolder>> | undefined;
  const { files, changed } = await publishFolder(folder, async (staging) => {
    done = await fillFolder(close, staging, { earlier, ledger, last, gone });
  });
  if (!done) throw new DefectError(`${folder} was published and not drawn`);
  const { report, ...figures } = done;
  const written = await run.stage('report', async () => {
    const value: WrittenReport = { report, folder, files };
    return { value, summary: `${files.length} files in the folder, ${changed ? 'written' : 'unchanged'}` };
  });
  const late = { open: 0, carried: 0, amended: 0, behind: 0 };
  return { silent, ...figures, late, contentChange: undefined, written, outdated: [] };
};

/** What folders of earlier closes say. */
type Folders = {
  readonly earlier: EarlierPeriods;
  readonly ledger: Awaited<ReturnType<typeof ledgerOf>>;
  /** The folder of the period itself. */
  readonly last: PublishedPeriod | undefined;
  readonly gone: readonly GoneFile[];
};

/** Settles a period and writes its books, its evidence and the manifest over both into an empty folder. */
const fillFolder = async (close: Close, staging: string, { earlier, ledger, last, gone }: Folders) => {
  const { run, ports, period, exports } = close;
  const folder = join(staging, '.parts');
  const { result, logs } = await withLogs(staging, async (evidence) => {
    const books = gathering(ports, period, { folder, logs: evidence, exports });
    const { settled, doubles } = await run.stage('recompute', async (advanced) => {
      const value = await settleAll(close, books.add, advanced);
      return { value, summary: recomputeText(value.settled.recomputed) };
    });
    const strays = await straysOf(
      ports,
      period,
      settled.keeper.listed,
      answersOf(gone, decisionIndexOf(ports.configuration)),
    );
    const figures = await nameFigures(close, settled, strays);
    const before = await last?.frame();
    const gathered = await books.end({
      ...{ strays, doubles, earlier, ledger, gone },
      early: earlyDay(close, before),
      before: {
        ...(before?.madeEarly && { madeEarly: before.madeEarly }),
        drawnFrom: last?.leaves.drawnFrom,
      },
      hasWorkingPapers: ports.workingPapers ?? before?.sampling !== undefined,
    });
    return { gathered, figures };
  });
  const { gathered, figures } = result;
  const report = await drawPeriod(ports, staging, gathered, {
    logs,
    previous: previousOf(earlier),
    gone,
    readings: exports.readings,
  });
  return { report, ...figures };
};

/** Settles the sales of a period, day by day, and then those that waited for all of them. */
const settleAll = async (close: Close, add: (entries: readonly Entry[]) => void, advanced: Advanced) => {
  const { ports, period, exports } = close;
  const register = registerOfFiles(exports.certificates);
  const channels = ports.configuration.channels.map(({ name }) => name);
  const doubles = doublesByDay(exports.inputs, channels);
  let done = 0;
  const watched = watchedAnswers(ports.answers);
  const cache = calculationCache(ports, () => advanced(done), watched.answers);
  const spare = await spareCalls(close);
  const settle = settling(ports, period, { register, cache, spare, isKept: watched.isKept });
  for (const day of daysOf(exports, period)) {
    const statements = exports.sales.read(day);
    doubles.see(statements.map(({ sale }) => sale));
    for (const some of batchesOf(statements, SALES_AT_ONCE)) {
      add(await settle.settle(day, some));
      done += some.length;
      advanced(done);
    }
  }
  const { entries, figures } = await settle.end(() => advanced(done));
  add(entries);
  const { keeper, gaps, statuses, counts } = settle;
  return { doubles, settled: { keeper, gaps, statuses, recomputed: { ...counts, ...figures } } };
};

/** Returns the calls that the sales of the period leave over. @throws {TieoutError} E_CALL_BUDGET before the first call */
const spareCalls = async ({ ports, period, exports }: Close): Promise<number> => {
  if (ports.maxCalculations === undefined) return Number.MAX_SAFE_INTEGER;
  const plan = await planOfSales(ports, postedSales(exports, period));
  checkBudget(plan);
  return ports.maxCalculations - plan.toAsk;
};

/** Reports what was recorded, read back and compared while the sales were settled. */
const nameFigures = async (
  { run, ports, period }: Close,
  { keeper, gaps, statuses, recomputed }: Awaited<ReturnType<typeof settleAll>>['settled'],
  { extras, unshown, listed, deleted }: Strays,
) => {
  const name = <Value>(stage: string, value: Value, summary: string): Promise<Value> =>
    run.stage(stage, async () => ({ value, summary }));
  const coverage = gapsOf(ports, period, gaps);
  if (coverage.states.length + coverage.outdated.length > 0)
    await name('coverage', coverage, gapsText(coverage));
  const { read, ...sent } = keeper.counts;
  const submitted = { ...sent, vanished: 0, withdrawn: deleted };
  await name('submit', submitted, submitText(submitted));
  const readBack: ReadBackFigures = {
    listed: listed + sent.created,
    read: read + extras.length,
    unshown: unshown.length,
  };
  await name('read back', readBack, `${shown(readBack.read)} records read back`);
  await name('reconcile', statuses, reconcileText(statuses));
  return { gaps: coverage, recomputed, submitted, readBack, reconciled: statuses };
};

/** Reports before any calculation which channels sold until shortly before the period, but not in it. */
const nameSilent = async ({ run, ports, period, exports }: Close): Promise<readonly string[]> => {
  const { configuration } = ports;
  const selling = sellingIn(exports, period, configuration.channels.length);
  const drafts = selling.size === 0 ? [] : silentAmong(configuration, period, selling, exports);
  const messages = drafts.map(({ message }) => message);
  if (messages.length > 0)
    await run.stage('channels', async () => ({ value: messages, summary: messages.join('; ') }));
  return messages;
};

/** Returns the channels with an order of the period. It looks no further when all of them have one. */
const sellingIn = (exports: Exports, period: FilingPeriod, channels: number): ReadonlySet<string> => {
  const selling = new Set<string>();
  for (const { kind, channel } of allSales(exports, period)) {
    if (selling.size === channels) break;
    if (kind === 'order') selling.add(channel);
  }
  return selling;
};

/** Reports before any calculation where the service has no nexus. */
const nameNexus = async ({ run, ports: { nexusMissing = [] } }: Close): Promise<void> => {
  if (nexusMissing.length === 0) return;
  const summary = `the account with the tax service has none today in ${nexusMissing.join(', ')}; add these states to the account, or no tax is calculated there`;
  await run.stage('nexus', async () => ({ value: nexusMissing, summary }));
};

/** Returns today for books of a period that is not over. One that was over when it was closed last remains so. */
const earlyDay = (
  { ports, period }: Close,
  before: Pick<PeriodReport, 'madeEarly'> | undefined,
): PeriodReport['madeEarly'] =>
  before && before.madeEarly === undefined ? undefined : dayBeforeEnd(ports, period);

/** The content of the period before, so that an unannounced edit of it is detected. */
const previousOf = ({ before }: EarlierPeriods): ManifestContent['previous'] =>
  before ? { period: before.period.label, contentDigest: before.manifest.contentDigest } : null;

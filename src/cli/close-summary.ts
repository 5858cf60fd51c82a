import { join } from 'node:path';
import type { monthlyClose } from '../../pipelines/monthly-close.ts';
import {
  acceptedExceptions,
  type InputFile,
  oldRatesIn,
  openExceptions,
  type PeriodReport,
  seenExceptions,
  totalOf,
  unexplainedOf,
  varianceOf,
} from '../figures/period-report.ts';
import { clustersOf } from '../judge/clusters.ts';
import type { Finding } from '../judge/finding.ts';
import { columnSumsOf, wasRead } from '../judge/input-findings.ts';
import { type StateTotals, splitVariance } from '../judge/period-totals.ts';
import { readinessFigures } from '../judge/readiness.ts';
import { partOf, VARIANCE_PART_NAMES, VARIANCE_PARTS } from '../judge/reason.ts';
import { ExitCode } from '../kernel/errors.ts';
import { formatMoney, formatRate, subtract, sum } from '../kernel/money.ts';
import { shownCount, shownMoney, shownNumber } from '../kernel/text.ts';
import { PRELIMINARY } from '../periods/period-folder.ts';
import { type LogFields, shownSeconds } from '../runtime/progress.ts';
import { type EntityOutcome, isFailure } from './entity-runs.ts';
import type { Paint } from './io.ts';
import { tableLines } from './print.ts';
import { endWord, linesAboutFiles, readinessLines } from './readiness-lines.ts';

export type Closed = Awaited<ReturnType<typeof monthlyClose.run>> & {
  /** Months between closed ones that are not closed. */
  readonly unclosed: readonly string[];
  /** Changes since the previous close. */
  readonly since: readonly string[];
  /** Whether there was no close before, or something has changed since. */
  readonly isNew: boolean;
  /** The amount due and its due date. */
  readonly due: readonly string[];
  /** Whether the period is not over, so that sales may still come. */
  readonly isPreliminary: boolean;
  readonly seconds: number;
};

/** Returns 0 if nothing is open that the policy forbids. */
export const exitCodeOfClose = ({ written }: Closed): ExitCode =>
  written.report.readiness.ready ? ExitCode.clean : ExitCode.open;

/** Returns the run's figures and the paths it wrote as JSON, with amounts as decimal text. */
export const closeFigures = (closed: Closed): object => {
  const { report, folder, files } = closed.written;
  const unexplained = unexplainedOf(report);
  return {
    entity: report.entity,
    period: report.period.label,
    exit_code: exitCodeOfClose(closed),
    preliminary: closed.isPreliminary,
    readiness: readinessFigures(report.readiness),
    inputs: report.inputs.filter(wasRead).map(inputObject),
    unclosed: closed.unclosed,
    rate_gaps: closed.gaps,
    calculations: closed.recomputed,
    submissions: closed.submitted,
    pull_back: closed.readBack,
    statuses: closed.reconciled,
    totals: {
      ...totalFigures([report]),
      variance: formatMoney(varianceOf(report)),
      unexplained: formatMoney(unexplained),
      ...partFigures(report.reasons),
    },
    states: report.states.map(stateFigures),
    reasons: report.reasons.map(({ code, sales, over, under }) => ({
      code,
      sales,
      over: formatMoney(over),
      under: formatMoney(under),
    })),
    clusters: clustersOf(report.exceptions).map((cluster) => ({
      code: cluster.code,
      state: cluster.state,
      where: cluster.where,
      shop: cluster.shop === null ? null : formatRate(cluster.shop),
      tieout: cluster.own === null ? null : formatRate(cluster.own),
      part: cluster.part,
      records: cluster.records,
      open: cluster.open,
      effect: formatMoney(cluster.effect),
      message: cluster.message,
    })),
    exceptions: report.exceptions.map(exceptionFigures),
    files: files.map((file) => join(folder, file)),
    outdated: closed.outdated.map(({ label }) => label),
  };
};

/** The posted sales of a state, in dollars as decimal text. */
export const stateFigures = ({ state, orders, refunds, ...of }: StateTotals) => ({
  state,
  orders,
  refunds,
  gross: formatMoney(of.gross),
  shipping: formatMoney(of.shipping),
  taxable: formatMoney(of.taxable),
  collected: formatMoney(of.collected),
  expected: formatMoney(of.expected),
  recorded: formatMoney(of.recorded),
});

const FIGURES = ['gross', 'taxable', 'collected', 'expected', 'recorded'] as const;

/** Returns the totals of periods as decimal text. */
export const totalFigures = (reports: readonly Totalled[]): object =>
  Object.fromEntries(
    FIGURES.map((figure) => [figure, formatMoney(sum(reports.map((each) => totalOf(each, figure))))]),
  );

type Totalled = Parameters<typeof totalOf>[0];

const exceptionFigures = (finding: Finding): object => {
  const { origin, effect, shared: _shared, held: _held, tax: _tax, decision, ...exception } = finding;
  return {
    ...exception,
    ...origin,
    effect: formatMoney(effect),
    decision: decision?.verdict ?? null,
  };
};

/** Returns a file of the exports as JSON. */
export const inputObject = ({
  columns,
  orderTax: _tax,
  taxColumn: _column,
  ...input
}: InputFile): object => ({
  ...input,
  columns: columnSumsOf(columns),
});

/** Formats the run for people: with a table by state on a terminal, without it in a mail. */
export const closeText = (closed: Closed, withStates: boolean, paint: Paint): string => {
  const { report, folder, files } = closed.written;
  const open = openExceptions(report);
  const accepted = acceptedExceptions(report).length;
  const noted = seenExceptions(report);
  const lines = [
    ...(withStates ? ['', `${report.seller}, ${report.period.label}`, '', ...stateTable(closed), ''] : []),
    ...closed.since,
    `variance ${shownMoney(varianceOf(report))}: ${reasonList(closed)}`,
    ...partLines(report.reasons),
    `exceptions: ${shownCount(open.length)} open, ${shownCount(accepted)} accepted, ${shownCount(noted)} for information`,
    // The last line says READY; these lines list what keeps the period from it, or was accepted for it.
    ...readinessLines(report.readiness, folder).filter((line) => line !== 'READY'),
    ...(files.includes('open-items.csv') && report.readiness.reasons.some(isDecided)
      ? [howToDecide(folder)]
      : []),
    ...linesAboutFiles(report).filter((line) => !closed.since.some((said) => said.includes(line))),
    ...(closed.unclosed.length === 0 ? [] : [`not closed yet: ${closed.unclosed.join(', ')}`]),
    ...closed.due,
    `${folder}: ${placesOf(files).join(', ')}`,
    outcomeLine(closed, paint),
  ];
  return `${lines.join('\n')}\n`;
};

/** Whether a reason goes away with a decision. */
const isDecided = ({ kind }: { readonly kind: string }): boolean => kind === 'open' || kind === 'gap';

const howToDecide = (folder: string): string =>
  `or decide: copy ${join(folder, 'open-items.csv')} beside tieout.yaml as decisions.csv, fill it in, and close again (docs/tax-manager.md)`;

/** Formats the whole outcome as the last line, where readers of a log or a mail look first. */
const outcomeLine = (closed: Closed, paint: Paint): string => {
  const { report } = closed.written;
  const [oldest] = oldRatesIn(report);
  return [
    `${report.period.label}: ${report.readiness.ready ? paint('good', 'READY') : paint('bad', 'NOT READY')}`,
    ...(closed.isPreliminary ? [PRELIMINARY] : []),
    ...(oldest && report.readiness.ready ? [`with local rates known until ${oldest.until}`] : []),
    `exit code ${exitCodeOfClose(closed)}`,
    `variance ${shownMoney(varianceOf(report))}`,
    shownNumber(openExceptions(report).length, 'open exception'),
    shownSeconds(closed.seconds),
  ].join(', ');
};

/** Returns the outcome as fields of a log entry. */
export const closeLogFields = (closed: Closed): LogFields => ({
  exit_code: exitCodeOfClose(closed),
  ready: closed.written.report.readiness.ready,
  variance: formatMoney(varianceOf(closed.written.report)),
  open_exceptions: openExceptions(closed.written.report).length,
});

/** Splits the variance by cause if not all of it is the seller's. */
const partLines = (reasons: PeriodReport['reasons']): readonly string[] => {
  const parts = splitVariance(reasons);
  if (reasons.every(({ code }) => partOf(code) === 'seller')) return [];
  return [
    `of which: ${VARIANCE_PART_NAMES.map((part) => `${VARIANCE_PARTS[part]} ${shownMoney(parts[part])}`).join(', ')}`,
  ];
};

const partFigures = (reasons: PeriodReport['reasons']): object => {
  const parts = splitVariance(reasons);
  return { seller_errors: formatMoney(parts.seller), tieout_gaps: formatMoney(parts.gap) };
};

/** Lists files by name, and those in folders only by folder, to keep a mail short. */
const placesOf = (files: readonly string[]): readonly string[] => [
  ...new Set(files.map((file) => (file.includes('/') ? `${file.split('/')[0]}/` : file))),
];

/** Maximum number of reasons listed, by amount; the sheet Tie-out has all of them. */
const REASONS_SHOWN_MAX = 5;

const reasonList = ({ written: { report } }: Closed): string => {
  const net = report.reasons.map(({ code, over, under }) => ({ code, amount: sum([over, under]) }));
  if (net.length === 0) return 'collected equals expected';
  const parts = net
    .sort((left, right) => Math.abs(right.amount) - Math.abs(left.amount))
    .slice(0, REASONS_SHOWN_MAX)
    .map(({ code, amount }) => `${code} ${shownMoney(amount)}`);
  return `${parts.join(', ')}${net.length > parts.length ? ` and ${net.length - parts.length} more` : ''}`;
};

const stateTable = ({ written: { report } }: Closed): readonly string[] => {
  const count = (pick: 'orders' | 'refunds') =>
    report.states.reduce((total, state) => total + state[pick], 0);
  const total = {
    state: 'Total',
    orders: count('orders'),
    refunds: count('refunds'),
    gross: totalOf(report, 'gross'),
    collected: totalOf(report, 'collected'),
    expected: totalOf(report, 'expected'),
  };
  const rows = [...report.states, total].map(({ state, orders, refunds, gross, collected, expected }) => [
    ...[state, shownCount(orders), shownCount(refunds)],
    ...[gross, collected, expected, subtract(collected, expected)].map((amount) => shownMoney(amount)),
  ]);
  return tableLines(
    [['State', 'Orders', 'Refunds', 'Gross', 'Collected', 'Expected', 'Variance'], ...rows],
    '',
    'end',
  );
};

/** Formats the end of the closes of several entities. */
export const entitiesText = (
  outcomes: readonly EntityOutcome<Closed>[],
  period: string,
  code: ExitCode,
): string => {
  const count = (of: (outcome: EntityOutcome<Closed>) => boolean) => outcomes.filter(of).length;
  const counts = [
    [count((outcome) => outcome.code === ExitCode.clean), 'closed'],
    [count((outcome) => outcome.code === ExitCode.open), 'closed with something open'],
    [count(isFailure), 'stopped'],
  ] as const;
  const told = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `${period}: ${[endWord(code) ?? 'stopped', `exit code ${code}`, ...told].join(', ')}\n`;
};

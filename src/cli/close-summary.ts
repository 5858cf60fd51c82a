import { join } from 'node:path';
import type { monthlyClose } from '../../pipelines/monthly-close.ts';
import { clusterFigures } from '../close/evidence/manifest-content.ts';
import {
  acceptedExceptions,
  type InputFile,
  openExceptions,
  type PeriodReport,
  seenExceptions,
  totalOf,
  unexplainedOf,
  varianceOf,
} from '../close/figures/period-report.ts';
import { clustersOf } from '../close/reconcile/clusters.ts';
import { columnSumsOf } from '../close/reconcile/control-totals.ts';
import type { Exception } from '../close/reconcile/exceptions.ts';
import { wasRead } from '../close/reconcile/input-exceptions.ts';
import { readinessFigures } from '../close/reconcile/readiness.ts';
import {
  partOf,
  splitVariance,
  VARIANCE_PART_NAMES,
  VARIANCE_PARTS,
} from '../close/reconcile/variance-part.ts';
import { changeFigures, changeText } from '../close/stages/content/content-change.ts';
import { gapFigures } from '../close/stages/coverage/rate-gaps.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { formatMoney, type Money, subtract, sum } from '../kernel/money.ts';
import { shownCount, shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import { shownSeconds } from '../runtime/progress.ts';
import type { LogFields } from '../runtime/run-log.ts';
import { earlyEndLines } from './early-end-lines.ts';
import type { Paint } from './io.ts';
import { linesAboutFiles } from './lines-about-files.ts';
import { readinessLines } from './readiness-lines.ts';
import { voidedFigures } from './warn-of-voided.ts';

export type Closed = Awaited<ReturnType<typeof monthlyClose.run>> & {
  /** Months before it that have sales and that no one has closed. */
  readonly unclosed: readonly string[];
  /** Decisions of the configuration that fit nothing. */
  readonly unused: readonly string[];
  /** What has changed since the close before it. */
  readonly since: readonly string[];
  /** What is to be paid, and by when. */
  readonly due: readonly string[];
  /** Options of a further command that name the configuration and the entity. */
  readonly options: string;
  readonly seconds: number;
};

/** 0 when nothing the policy forbids is open. */
export const exitCodeOfClose = ({ written }: Closed): ExitCode =>
  written.report.readiness.ready ? ExitCode.clean : ExitCode.open;

/** The run's figures and the paths it wrote, for scripts. Amounts are decimal text. */
export const closeFigures = (closed: Closed): object => {
  const { report, folder, files } = closed.written;
  const unexplained = unexplainedOf(report);
  return {
    entity: report.entity,
    period: report.period.label,
    exit_code: exitCodeOfClose(closed),
    readiness: readinessFigures(report.readiness),
    inputs: report.inputs.filter(wasRead).map(inputObject),
    unclosed: closed.unclosed,
    unused_decisions: closed.unused,
    rate_gaps: gapFigures(closed.gaps),
    content_change: closed.contentChange ? changeFigures(closed.contentChange) : null,
    calculations: closed.recomputed,
    submissions: closed.submitted,
    pull_back: closed.readBack,
    statuses: closed.reconciled,
    totals: {
      gross: formatMoney(totalOf(report, 'gross')),
      taxable: formatMoney(totalOf(report, 'taxable')),
      collected: formatMoney(totalOf(report, 'collected')),
      expected: formatMoney(totalOf(report, 'expected')),
      recorded: formatMoney(totalOf(report, 'recorded')),
      variance: formatMoney(varianceOf(report)),
      unexplained: formatMoney(unexplained),
      ...partFigures(report.reasons),
    },
    states: report.states.map((state) => ({
      state: state.state,
      orders: state.orders,
      refunds: state.refunds,
      gross: formatMoney(state.gross),
      shipping: formatMoney(state.shipping),
      taxable: formatMoney(state.taxable),
      collected: formatMoney(state.collected),
      expected: formatMoney(state.expected),
      recorded: formatMoney(state.recorded),
    })),
    reasons: report.reasons.map(({ code, sales, over, under }) => ({
      code,
      sales,
      over: formatMoney(over),
      under: formatMoney(under),
    })),
    clusters: clustersOf(report.exceptions).map((cluster) => ({
      ...clusterFigures(cluster),
      message: cluster.message,
    })),
    exceptions: report.exceptions.map((exception) => ({
      ...exceptionFigures(exception),
      decision: exception.decision?.verdict ?? null,
    })),
    files: files.map((file) => join(folder, file)),
    outdated: closed.outdated,
    ...voidedFigures(closed.written.voided),
  };
};

const exceptionFigures = ({
  origin,
  effect,
  shared,
  held,
  tax,
  decision,
  ...exception
}: Exception): object => ({
  ...exception,
  ...origin,
  effect: formatMoney(effect),
});

const inputObject = ({ columns, ...input }: InputFile): object => ({
  ...input,
  columns: columnSumsOf(columns),
});

/** The run as a person reads it: with the states on a terminal, without them in a mail. */
export const closeText = (closed: Closed, withStates: boolean, paint: Paint): string => {
  const { report, folder, files } = closed.written;
  const open = openExceptions(report);
  const accepted = acceptedExceptions(report).length;
  const noted = seenExceptions(report);
  const lines = [
    ...(withStates ? ['', `${report.seller}, ${report.period.label}`, '', ...stateTable(closed), ''] : []),
    ...contentLines(closed),
    `variance ${shownMoney(varianceOf(report))}: ${reasonList(closed)}`,
    ...partLines(report.reasons),
    ...closed.since,
    `exceptions: ${shownCount(open.length)} open, ${shownCount(accepted)} accepted, ${shownCount(noted)} for information`,
    // The last line says READY; what keeps a period from it, or was accepted for it, stands here.
    ...readinessLines(report.readiness, closed.options, folder).filter((line) => line !== 'READY'),
    ...(report.readiness.ready || !files.includes('decisions.csv') ? [] : [howToDecide(folder)]),
    ...linesAboutFiles(report).filter((line) => !closed.since.some((said) => said.includes(line))),
    ...earlyEndLines(report),
    ...unclosedLines(closed),
    ...closed.unused,
    ...closed.due,
    `${folder}: ${placesOf(files).join(', ')}`,
    outcomeLine(closed, paint),
  ];
  return `${lines.join('\n')}\n`;
};

const howToDecide = (folder: string): string =>
  `or decide: fill in ${join(folder, 'decisions.csv')} or the sheet Decide of variance.xlsx, name the file under \`decisions:\` in the configuration, and close again (docs/deciding.md)`;

/** The whole outcome in the last line, where a log or a mail is looked at first. */
const outcomeLine = (closed: Closed, paint: Paint): string => {
  const { report } = closed.written;
  return [
    `${report.period.label}: ${report.readiness.ready ? paint('good', 'READY') : paint('bad', 'NOT READY')}`,
    `exit code ${exitCodeOfClose(closed)}`,
    `variance ${shownMoney(varianceOf(report))}`,
    shownNumber(openExceptions(report).length, 'open exception'),
    shownSeconds(closed.seconds),
  ].join(', ');
};

/** The outcome for a log. */
export const closeLogFields = (closed: Closed): LogFields => ({
  exit_code: exitCodeOfClose(closed),
  ready: closed.written.report.readiness.ready,
  variance: formatMoney(varianceOf(closed.written.report)),
  open_exceptions: openExceptions(closed.written.report).length,
});

/** What of the variance is whose, where not all of it is the seller's. */
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

/** What another tax content than that of the last close changes. */
export const contentLines = ({ contentChange }: Closed): readonly string[] =>
  [contentChange && changeText(contentChange)].flatMap((text) => (text ? [`tax content: ${text}`] : []));

export const unclosedLines = ({ unclosed }: Closed): readonly string[] =>
  unclosed.length === 0 ? [] : [`not closed yet, and has sales: ${unclosed.join(', ')}`];

/** Files by name, and those in folders by their folder: a mail need not list them. */
const placesOf = (files: readonly string[]): readonly string[] => [
  ...new Set(files.map((file) => (file.includes('/') ? `${file.split('/')[0]}/` : file))),
];

/** Reasons shown by their amounts; the sheet By reason has them all. */
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

const stateTable = ({ written: { report } }: Closed): string[] => {
  const header = ['State', 'Orders', 'Refunds', 'Gross', 'Collected', 'Expected', 'Variance'];
  const rows = report.states.map((row) => [
    row.state,
    shownCount(row.orders),
    shownCount(row.refunds),
    shownMoney(row.gross),
    shownMoney(row.collected),
    shownMoney(row.expected),
    shownMoney(subtract(row.collected, row.expected)),
  ]);
  const count = (pick: 'orders' | 'refunds') =>
    shownCount(report.states.reduce((total, state) => total + state[pick], 0));
  const figures = (['gross', 'collected', 'expected'] as const).map((figure) => totalOf(report, figure));
  const [, collected, expected] = figures as [Money, Money, Money];
  const totals = [
    'Total',
    count('orders'),
    count('refunds'),
    ...figures.map(shownMoney),
    shownMoney(subtract(collected, expected)),
  ];
  const all = [header, ...rows, totals];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
};

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
import { bucketsOf, type StateTotals } from '../judge/period-totals.ts';
import { type ReadinessReason, readinessFigures, readinessLine } from '../judge/readiness.ts';
import { ExitCode } from '../kernel/errors.ts';
import { formatMoney, formatRate, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownChange, shownCount, shownMoney, shownNumber } from '../kernel/text.ts';
import { outdatedText, PRELIMINARY } from '../periods/close-ports.ts';
import { shownSeconds } from '../runtime/pipeline.ts';

export type Closed = Awaited<ReturnType<typeof monthlyClose.run>> & {
  /** Whether there was no close before, it was stopped, or its books were others. */
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

/** Returns the totals over all states, and the variance, as decimal text. */
export const totalsOf = (report: Parameters<typeof varianceOf>[0]): object => ({
  ...Object.fromEntries(FIGURES.map((figure) => [figure, formatMoney(totalOf(report, figure))])),
  variance: formatMoney(varianceOf(report)),
});

/** Returns the run's figures and the paths it wrote as JSON, with amounts as decimal text. */
export const closeFigures = (closed: Closed): object => {
  const { report, folder, files } = closed.written;
  const variance = varianceOf(report);
  const { gap, unexplained } = bucketsOf(report.reasons);
  return {
    entity: report.entity,
    period: report.period.label,
    exit_code: exitCodeOfClose(closed),
    preliminary: closed.isPreliminary,
    readiness: readinessFigures(report.readiness),
    inputs: report.inputs.filter(wasRead).map(inputObject),
    rate_gaps: closed.gaps,
    calculations: closed.recomputed,
    submissions: closed.submitted,
    pull_back: closed.readBack,
    statuses: closed.reconciled,
    totals: {
      ...totalsOf(report),
      unexplained: formatMoney(unexplainedOf(report)),
      seller_errors: formatMoney(subtract(variance, sum([gap, unexplained]))),
      tieout_gaps: formatMoney(gap),
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

/** Formats the run for people. */
export const closeText = (closed: Closed): string => {
  const { report, folder, files } = closed.written;
  const open = openExceptions(report).length;
  const accepted = acceptedExceptions(report).length;
  const isDecidable = report.readiness.reasons.some(({ kind }) => kind === 'open' || kind === 'gap');
  const lines = [
    `variance ${shownMoney(varianceOf(report))}: ${reasonList(report)}`,
    `exceptions: ${shownCount(open)} open, ${shownCount(accepted)} accepted, ${shownCount(seenExceptions(report))} for information`,
    // The last line says READY.
    ...[readinessLine(report.readiness)].filter((line) => line !== 'READY'),
    ...reasonLines(report.readiness.reasons).map((line) => `  ${line}`),
    ...(isDecidable && files.includes('open-items.csv') ? [howToDecide(folder)] : []),
    ...closed.due,
    ...outdatedLines(closed.outdated),
    folder,
    outcomeLine(closed),
  ];
  return `${lines.join('\n')}\n`;
};

/** Names the other periods that must be closed again. */
export const outdatedLines = (outdated: Closed['outdated']): readonly string[] =>
  outdated.map(({ label, before }) => `${label} is out of date: ${outdatedText(before)}. Close it again.`);

/** Maximum number of reasons listed; the sheet Decide has everything to decide. */
const LISTED_MAX = 10;

/** Formats what keeps a period from being filed; a step that several reasons share follows them once. */
export const reasonLines = (reasons: readonly ReadinessReason[]): readonly string[] => [
  ...[...Map.groupBy(reasons.slice(0, LISTED_MAX), ({ todo }) => todo)].flatMap(([todo, of]) => [
    ...of.map(reasonLine),
    `  to do: ${todo}`,
  ]),
  ...(reasons.length > LISTED_MAX ? [`and ${reasons.length - LISTED_MAX} more in Decide or on Checks`] : []),
];

const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${shownMoney(effect)}: ${what}`;
  if (kind === 'period') return `${code} ${state}: ${what}`;
  const amount = effect === ZERO ? '' : shownChange(effect);
  return `${[kind, code, record, state, amount].filter((word) => word !== '').join(' ')}: ${what}`;
};

const howToDecide = (folder: string): string =>
  `or decide: copy ${join(folder, 'open-items.csv')} beside tieout.yaml as decisions.csv, fill it in, and close again (docs/tax-manager.md)`;

const ENDS: Readonly<Record<number, string>> = { 0: 'READY', 1: 'NOT READY' };

/** Returns the word for the end of a run: that of its books, or that it was stopped. */
export const endWord = (exitCode: number): string => ENDS[exitCode] ?? 'stopped';

/** Formats the whole outcome as the last line, where readers of a log or a mail look first. */
const outcomeLine = (closed: Closed): string => {
  const { report } = closed.written;
  const code = exitCodeOfClose(closed);
  const [oldest] = report.readiness.ready ? oldRatesIn(report) : [];
  return [
    `${report.period.label}: ${endWord(code)}`,
    ...(closed.isPreliminary ? [PRELIMINARY] : []),
    ...(oldest ? [`with local rates known until ${oldest.until}`] : []),
    `exit code ${code}`,
    `variance ${shownMoney(varianceOf(report))}`,
    shownNumber(openExceptions(report).length, 'open exception'),
    shownSeconds(closed.seconds),
  ].join(', ');
};

/** Maximum number of reasons listed, by amount; the sheet Tie-out has all of them. */
const REASONS_SHOWN_MAX = 5;

const reasonList = ({ reasons }: Pick<PeriodReport, 'reasons'>): string => {
  const net = reasons.map(({ code, over, under }) => ({ code, amount: sum([over, under]) }));
  if (net.length === 0) return 'collected equals expected';
  const parts = net
    .sort((left, right) => Math.abs(right.amount) - Math.abs(left.amount))
    .slice(0, REASONS_SHOWN_MAX)
    .map(({ code, amount }) => `${code} ${shownMoney(amount)}`);
  return `${parts.join(', ')}${net.length > parts.length ? ` and ${net.length - parts.length} more` : ''}`;
};

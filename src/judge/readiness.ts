import { absolute, formatMoney, type Money, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownChange, shownNumber } from '../kernel/text.ts';
import { type Cluster, clusterKeyOf, clusterOf, clustersOf, gapTodo, rateLine } from './clusters.ts';
import { aboutFinding, type Finding, isCancelled, isOpen, isUndecidedGap } from './finding.ts';

/** Kinds of reasons that keep a period from being filed. */
export type ReadinessKind = 'open' | 'gap' | 'unexplained' | 'period' | 'check';

/** One thing to decide or do before a period can be filed. */
export type ReadinessReason = {
  readonly kind: ReadinessKind;
  /** The code of the exceptions; `check` for a failed check, `several-periods` for returns of shorter periods. */
  readonly code: string;
  /** Empty if it does not concern a single state. */
  readonly state: string;
  /** The record, if it concerns only one; otherwise empty. */
  readonly record: string;
  readonly what: string;
  /** Tax at stake, with its sign. */
  readonly effect: Money;
  readonly todo: string;
};

/** Whether a period can be filed; determined once for all outputs that show it. */
export type Readiness = {
  readonly ready: boolean;
  readonly reasons: readonly ReadinessReason[];
};

/** Readiness before any result is known. */
export const UNDECIDED: Readiness = { ready: false, reasons: [] };

/** A state that wants a return of a shorter period than the one that was closed. */
export type ShorterReturn = {
  readonly state: string;
  /** The label of the first period that has a return of its own: `2026-10`. */
  readonly period: string;
  /** Whether the close covers no later period of the state. */
  readonly isLast: boolean;
};

export type ReadinessGiven = {
  readonly period: Pick<FilingPeriod, 'label' | 'first'>;
  readonly exceptions: readonly Finding[];
  /** Unexplained variance, as the sum of absolute amounts. */
  readonly unexplained: Money;
  /** Maximum tolerated unexplained variance, which also applies to gaps on their own. */
  readonly tolerance: Money;
  /** The states of which the closed period contains several returns; none of them can be filed from it. */
  readonly shorterReturns: readonly ShorterReturn[];
  /** Failed checks of all workbooks, except those for open exceptions and unexplained variance. */
  readonly failedTests: readonly string[];
};

export const readinessOf = (given: ReadinessGiven): Readiness => {
  const { exceptions, tolerance, period } = given;
  const open = exceptions.filter(isOpen);
  const undecided = [...Map.groupBy(exceptions.filter(isUndecidedGap), clusterKeyOf).values()]
    .filter((group) => !isCancelled(group))
    .map(clusterOf);
  const isTolerated = sum(undecided.map(({ effect }) => absolute(effect))) <= tolerance;
  const reasons = [
    ...clustersOf(open).map(openReason).sort(largestFirst),
    ...(isTolerated ? [] : undecided.map((cluster) => gapReason(cluster, period)).sort(largestFirst)),
    ...unexplainedReason(given, open),
    ...given.shorterReturns.map((shorter) => shorterReason(shorter, period)),
    ...given.failedTests.map(checkReason),
  ];
  return { ready: reasons.length === 0, reasons };
};

/** Sort order of reasons: missing data first, since its effect is unknown; then the largest effect. */
const largestFirst = (one: ReadinessReason, other: ReadinessReason): number =>
  Number(isIncomplete(other)) - Number(isIncomplete(one)) || Math.abs(other.effect) - Math.abs(one.effect);

/** Whether data is missing (sales, or the nexus in a state), so that no amount is reliable. */
export const isIncomplete = ({ code }: Pick<ReadinessReason, 'code'>): boolean =>
  code === 'sales-not-read' || code === 'no-nexus';

type About = Partial<Pick<ReadinessReason, 'state' | 'record' | 'effect'>>;

const reasonOf = (
  kind: ReadinessKind,
  code: string,
  what: string,
  todo: string,
  { state = '', record = '', effect = ZERO }: About = {},
): ReadinessReason => ({
  kind,
  code,
  state,
  record,
  what,
  effect,
  todo,
});

const openReason = (cluster: Cluster): ReadinessReason =>
  reasonOf('open', cluster.code, cluster.message, aboutFinding(cluster.code).todo, cluster);

/** The reason for a gap. It says that the limit is Tieout's, and what to do about it. */
const gapReason = (cluster: Cluster, period: ReadinessGiven['period']): ReadinessReason => {
  const what = `${cluster.message}${rateLine(cluster, period)}`;
  return reasonOf('gap', cluster.code, what, gapTodo(cluster), cluster);
};

/** Report unexplained variance above the tolerance, unless open R99 exceptions already do. */
const unexplainedReason = (
  { unexplained, tolerance }: ReadinessGiven,
  open: readonly Finding[],
): readonly ReadinessReason[] =>
  unexplained <= tolerance || open.some(({ code }) => code === 'R99')
    ? []
    : [
        reasonOf(
          'unexplained',
          'R99',
          `Unexplained variance is ${formatMoney(unexplained)}; the policy allows ${formatMoney(tolerance)}.`,
          'Find the cause in the sheet Exceptions, or raise `policy.unexplained`.',
          { effect: unexplained },
        ),
      ];

const shorterReason = (
  { state, period, isLast }: ShorterReturn,
  closed: Pick<FilingPeriod, 'label'>,
): ReadinessReason =>
  reasonOf(
    'period',
    'several-periods',
    `The return is for ${period} alone, and this close covers ${closed.label}.`,
    `File it from a close of its own period: \`tieout close ${period}\`.${isLast ? '' : ' Close each later period, too.'}`,
    { state },
  );

const checkReason = (test: string): ReadinessReason =>
  reasonOf(
    'check',
    'check',
    test,
    'Look at the row that fails under Checks: on Tie-out of variance.xlsx, or on Checks of filing-summary.xlsx.',
  );

/**
 * The reasons that keep the return of one state from being final: missing data first, then the state's own reasons by
 * effect, then those that concern no single state. Outputs with room for one reason show the first.
 */
export const reasonsOf = ({ reasons }: Readiness, state: string): readonly ReadinessReason[] => [
  ...reasons.filter((reason) => reason.state === '' && isIncomplete(reason)),
  ...reasons.filter((reason) => reason.state === state).sort(largestFirst),
  ...reasons.filter((reason) => reason.state === '' && !isIncomplete(reason)),
];

/** The word for readiness in all outputs. */
export const readinessWord = ({ ready }: Pick<Readiness, 'ready'>): 'READY' | 'NOT READY' =>
  ready ? 'READY' : 'NOT READY';

/** Summarize readiness in one line: the word, and how much is left to do. */
export const readinessLine = (readiness: Readiness): string => {
  const { length } = readiness.reasons;
  const effect = shownChange(sum(readiness.reasons.map((reason) => reason.effect)));
  const left = length === 0 ? '' : `: ${shownNumber(length, 'reason')}, effect on tax ${effect}`;
  return `${readinessWord(readiness)}${left}`;
};

/** Readiness for `--json`, the note of a run and the manifest. Amounts are decimal text. */
export const readinessFigures = ({ ready, reasons }: Readiness) => ({
  ready,
  reasons: reasons.map((reason) => ({ ...reason, effect: formatMoney(reason.effect) })),
});

import { absolute, formatMoney, type Money, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownChange, shownNumber } from '../kernel/text.ts';
import { type Cluster, clusterKeyOf, clustersOf, gapTodo, rateLine } from './clusters.ts';
import {
  aboutFinding,
  type Finding,
  isAccepted,
  isCancelled,
  isGap,
  isOpen,
  isUndecidedGap,
} from './finding.ts';
import { HERE } from './period-codes.ts';

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

/** Missing rates of one place that a decision accepts. */
export type AcceptedGap = Pick<ReadinessReason, 'code' | 'state' | 'what' | 'effect'> & {
  readonly why: string;
};

/** Whether a period can be filed; determined once for all outputs that show it. */
export type Readiness = {
  readonly ready: boolean;
  readonly reasons: readonly ReadinessReason[];
  readonly accepted: readonly AcceptedGap[];
};

/** Readiness before any result is known. */
export const UNDECIDED: Readiness = { ready: false, reasons: [], accepted: [] };

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
  const gaps = exceptions.filter(isGap);
  const placesOf = (own: readonly Finding[]) => [...Map.groupBy(own, clusterKeyOf).values()];
  const undecided = placesOf(gaps.filter(isUndecidedGap)).flatMap((group) =>
    isCancelled(group) ? [] : clustersOf(group),
  );
  const size = sum(undecided.map(({ effect }) => absolute(effect)));
  const isTolerated = size <= tolerance;
  const reasons = [
    ...clustersOf(open).map(openReason).sort(largestFirst),
    ...(isTolerated ? [] : undecided.map((cluster) => gapReason(cluster, period)).sort(largestFirst)),
    ...unexplainedReason(given, open),
    ...given.shorterReturns.map((shorter) => shorterReason(shorter, period)),
    ...given.failedTests.map(checkReason),
  ];
  const accepted = [
    ...placesOf(gaps.filter(isAccepted)).flatMap((group) =>
      clustersOf(group).map((cluster) => ({ ...acceptedGap(cluster), why: group[0]?.accepted ?? '' })),
    ),
    ...(isTolerated
      ? undecided.map((cluster) => ({
          ...acceptedGap(cluster),
          why: `Within the tolerance of the policy, ${formatMoney(tolerance)}`,
        }))
      : []),
  ];
  return { ready: reasons.length === 0, reasons, accepted };
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
): ReadinessReason => ({ kind, code, state, record, what, effect, todo });

const openReason = (cluster: Cluster): ReadinessReason =>
  reasonOf('open', cluster.code, cluster.message, orDecide(aboutFinding(cluster.code).todo), cluster);

/** Adds that every exception can be decided, unless the step itself says what to write in Decide. */
const orDecide = (todo: string): string =>
  todo.includes(HERE) ? todo : `${todo} Or decide it in decisions.csv, with the reason.`;

/** The reason for a gap. It says that the limit is Tieout's, and what to do about it. */
const gapReason = (cluster: Cluster, period: ReadinessGiven['period']): ReadinessReason => {
  const what = `${cluster.message}${rateLine(cluster, period)}`;
  return reasonOf(
    'gap',
    cluster.code,
    what,
    `${gapTodo(cluster)} Or accept the gap in decisions.csv.`,
    cluster,
  );
};

/** The action without the alternative of deciding it, which is the same for every reason. */
export const actionOf = ({ todo }: Pick<ReadinessReason, 'todo'>): string =>
  todo.split(DECIDE_INSTEAD)[0] ?? todo;

const DECIDE_INSTEAD = / Or (?:decide it|accept the gap) in decisions.csv/;

const acceptedGap = (cluster: Cluster) => ({
  code: cluster.code,
  state: cluster.state,
  what: cluster.message,
  effect: cluster.effect,
});

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
  const { reasons, accepted } = readiness;
  const all = [
    ...(reasons.length === 0
      ? []
      : [`${shownNumber(reasons.length, 'reason')}, effect on tax ${shownChange(totalOf(reasons))}`]),
    ...(accepted.length === 0
      ? []
      : [
          `${shownNumber(accepted.length, 'gap')} of Tieout’s rates accepted, ${formatMoney(totalOf(accepted))}`,
        ]),
  ];
  return `${readinessWord(readiness)}${all.length === 0 ? '' : `: ${all.join('; ')}`}`;
};

const totalOf = (rows: readonly { readonly effect: Money }[]): Money => sum(rows.map(({ effect }) => effect));

/** Readiness for `--json`, the note of a run and the manifest. Amounts are decimal text. */
export const readinessFigures = ({ ready, reasons, accepted }: Readiness) => ({
  ready,
  reasons: reasons.map((reason) => ({ ...reason, effect: formatMoney(reason.effect) })),
  accepted: accepted.map((gap) => ({ ...gap, effect: formatMoney(gap.effect) })),
});

export type ReadinessFigures = ReturnType<typeof readinessFigures>;

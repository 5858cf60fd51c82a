import { type Money, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { NEWER_UNKNOWN } from '../sales/sale-name.ts';
import { causeKey, choicesOf, ON_NO_RETURN } from './apply-policy.ts';
import { clusterOf, gapTodo, rateLine } from './clusters.ts';
import { type Decision, lineKey, sameKey, signedWhy, type Verdict } from './decision.ts';
import { aboutFinding, countOf, type Finding, isCancelled, isEffectKnown, isGap, isOpen } from './finding.ts';
import { RETURNED_TODO } from './period-findings.ts';
import type { ReadinessReason } from './readiness.ts';
import type { ReasonCode } from './reason.ts';

/** Section of a line: to decide, a limit of Tieout, a cause with a default, or decided. */
export type DecideBand = 'open' | 'gap' | 'cause' | 'decided';
export const DECIDE_BANDS = ['open', 'gap', 'cause', 'decided'] as const;

/** One thing to decide: the exceptions with one cause and place. */
export type DecideLine = {
  /** `D01`, in the order of the lines. */
  readonly no: string;
  /** Key by which a decision is matched to its line. */
  readonly key: string;
  readonly band: DecideBand;
  readonly code: string;
  readonly name: string;
  readonly place: string;
  readonly means: string;
  /** The records that a decision covers. A decision about a cause covers all of its records, whether listed or not. */
  readonly records: readonly string[];
  /** Number of records, including those not listed by name. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly effect: Money;
  /** `false` if it includes rows whose tax is unknown. */
  readonly isEffectKnown: boolean;
  readonly todo: string;
  readonly choices: readonly Verdict[];
  readonly decision: Decision | undefined;
  /** The exceptions that the line covers. */
  readonly exceptions: readonly Finding[];
};

export type ToDecide = {
  readonly exceptions: readonly Finding[];
  readonly period: Pick<FilingPeriod, 'label' | 'first'>;
  /** The reasons of the variance. */
  readonly reasons: readonly { readonly code: ReasonCode }[];
};

/** List what to decide and what is decided, band by band, the largest effect first. */
export const decideLines = (given: ToDecide): readonly DecideLine[] => {
  const moving = new Set<string>(given.reasons.map(({ code }) => code));
  const groups = Map.groupBy(given.exceptions, (exception) => {
    const band = bandOf(exception, moving);
    return band && JSON.stringify([band, groupOf(exception, given.period)]);
  });
  const lines = [...groups].flatMap(([group, [first, ...others]]) => {
    if (group === undefined || !first) return [];
    const [band] = JSON.parse(group) as [DecideBand];
    const line = lineOf(band, [first, ...others], given.period);
    return (band === 'cause' || band === 'gap') && isCancelled(line.exceptions) ? [] : [line];
  });
  return lines
    .sort(
      (one, other) =>
        DECIDE_BANDS.indexOf(one.band) - DECIDE_BANDS.indexOf(other.band) ||
        Math.abs(other.effect) - Math.abs(one.effect) ||
        compareText(one.key, other.key),
    )
    .map((line, index) => ({ ...line, no: `D${String(index + 1).padStart(2, '0')}` }));
};

/** The lines to decide for a reason that keeps the period from being filed. */
export const linesOfReason = (
  lines: readonly DecideLine[],
  { kind, code, state, what }: ReadinessReason,
): readonly DecideLine[] =>
  lines.filter(
    (line) =>
      line.band === kind &&
      line.code === code &&
      line.exceptions.some(
        ({ state: own, shared, message }) =>
          own === state && (kind === 'open' || what === message || what.startsWith(`${shared?.where}: `)),
      ),
  );

const bandOf = (exception: Finding, moving: ReadonlySet<string>): DecideBand | undefined => {
  if (isOpen(exception)) return 'open';
  if (exception.decision) return 'decided';
  if (isGap(exception)) return 'gap';
  return exception.severity === 'warning' && moving.has(exception.code) && exception.effect !== 0
    ? 'cause'
    : undefined;
};

/** Group key of the line of an exception; each unexplained record has a line of its own. */
const groupOf = (exception: Finding, period: ToDecide['period']): string =>
  JSON.stringify([
    sameKey(causeKey(exception, period)),
    exception.code === 'R99' ? exception.record : (exception.asked?.stated ?? ''),
    exception.decision?.verdict ?? '',
    exception.decision ? signedWhy(exception.decision) : '',
  ]);

type Group = readonly [Finding, ...Finding[]];

const lineOf = (band: DecideBand, group: Group, period: ToDecide['period']): Omit<DecideLine, 'no'> => {
  const [first] = group;
  const { code, state, shared, decision } = first;
  const charge = chargeOf(group);
  const about = aboutFinding(code);
  const { name } = about;
  const cluster = clusterOf(group);
  const isGapLine = band === 'gap';
  const todo = (charge ?? first).isReturned ? RETURNED_TODO : isGapLine ? gapTodo(cluster) : about.todo;
  const named = group.filter(({ standsFor }) => standsFor === undefined);
  const records = [...new Set(named.map(({ record }) => record))].sort(compareText);
  const count = records.length + countOf(group) - named.length;
  // Missing rates, proved reasons and pairs of files are decided as a whole, unless some of their records were decided individually.
  const isWhole =
    isGap(first) || code === NEWER_UNKNOWN || (decision ? decision.cause !== '' : band === 'cause');
  const effect = sum(group.map((each) => each.effect));
  const choices = choicesOf(first);
  return {
    key:
      !first.asked && (isWhole || records.length > 1)
        ? causeKey(isWhole ? first : { ...first, code: decision?.code ?? code }, period)
        : recordKey(first, period),
    band,
    code,
    name,
    records,
    count,
    isWhole,
    decision,
    exceptions: group,
    todo,
    place: code === NEWER_UNKNOWN ? (first.column ?? '') : placeText(state, shared?.where),
    means: `${cluster.record && `${cluster.record}: `}${cluster.message}${isGapLine ? rateLine(cluster, period) : ''}`,
    effect,
    isEffectKnown: group.every(isEffectKnown),
    choices: decision && !choices.includes(decision.verdict) ? [decision.verdict, ...choices] : choices,
  };
};

/**
 * A charge among exceptions of tax that no duty asked for. What to do about the charges is decided whatever refunds gave
 * back of others.
 */
const chargeOf = (group: Group): Finding | undefined =>
  group.find(({ code, effect }) => ON_NO_RETURN.has(code) && effect > ZERO);

/** The key of a record, with the code that was decided: applying the decision may change the exception's code. */
const recordKey = (
  { code, record, decision, asked, tax = decision?.tax }: Finding,
  { label: period }: ToDecide['period'],
): string =>
  asked
    ? lineKey({ period, code: asked.code, place: '', record: asked.key, stated: asked.stated })
    : lineKey({
        ...{ period, code: decision?.code ?? code, place: '', record },
        ...(tax !== undefined && { tax }),
      });

const placeText = (state: string, where = ''): string => (where === '' ? state : `${where}, ${state}`);

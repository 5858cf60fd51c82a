import { formatPercent } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod } from '../kernel/period.ts';
import { bareName, NEWER_UNKNOWN, nameInChannel } from '../sales/sale-name.ts';
import {
  ANSWERS,
  type Decision,
  type DecisionIndex,
  decidedTwice,
  decisionError,
  isSameDecision,
  lineKey,
  READ_BY,
  sameKey,
  signedWhy,
  VERDICTS,
  type Verdict,
} from './decision.ts';
import { canBePosted, type Finding, finding, isDecidedAtTax, isDecidedByTax, isGap } from './finding.ts';
import { REASONS } from './reason.ts';
import { isFoundByReading } from './sale-findings.ts';

/**
 * Returns the findings of a period with their decisions, and a finding for each decision of the period that meets none,
 * since somebody made it for a reason.
 *
 * @param given the decisions of the files of the period
 * @throws {TieoutError} E_DECISION for a decision that does not fit its finding, or conflicts with another one
 */
export const applyPolicy = (
  findings: readonly Finding[],
  given: readonly Decision[],
  decisions: DecisionIndex,
  period: FilingPeriod,
): readonly Finding[] => {
  const ofSeveral = namesOfSeveral(findings);
  const met = new Map(given.map((decision) => [decision, new Set<string>()]));
  const decided = findings.map((each): Finding => {
    const { channel } = each;
    const own = ofSeveral.has(nameKey(each)) ? { ...each, record: ofChannel(channel, each.record) } : each;
    const found = decisionsOn(own, decisions, period);
    for (const one of found) for (const name of namesOf(own)) met.get(one)?.add(name);
    const [decision] = found;
    if (!decision) return own;
    const other = found.find((one) => !isSameDecision(one, decision));
    if (other) throw decidedTwice(decision, other);
    refuseUnfit(decision, each);
    return { ...own, accepted: settles(decision, each) ? signedWhy(decision) : '', decision };
  });
  return [...decided, ...[...met].flatMap(unmatched)];
};

/** The findings for what a decision is about, and none of the findings is. */
const unmatched = ([decision, met]: readonly [Decision, ReadonlySet<string>]): readonly Finding[] => {
  const { stated, cause, records } = decision;
  // What is stated and decided may be on the returns already; where it is not, it is asked about again.
  if (stated !== undefined || (cause !== '' && met.size > 0)) return [];
  return (cause === '' ? records.map(bareName) : [cause])
    .filter((record) => !met.has(record))
    .map((record) => decidedOfNothing(decision, record));
};

/** The finding for a decision about a record, or a cause, of which there is nothing to decide. */
const decidedOfNothing = (decision: Decision, record: string): Finding => {
  const { verdict, code, place } = decision;
  const message = `“${VERDICTS[verdict]}” was decided of ${code}: ${signedWhy(decision)}, and this close finds no such thing to decide`;
  return finding('decision-without-line', message, { record, origin: { file: place, line: 0, record } });
};

/** Whether a finding has a decision. */
export const isDecided = (each: Finding, decisions: DecisionIndex, period: FilingPeriod): boolean =>
  decisionsOn(each, decisions, period).length > 0;

const nameKey = ({ code, record }: Finding): string => JSON.stringify([code, record]);

const ofChannel = (channel: string | undefined, record: string): string =>
  channel === undefined || record.startsWith(nameInChannel(channel, ''))
    ? record
    : nameInChannel(channel, record);

/** Returns the names that records of several channels have, by code: a decision must say of which channel it is. */
const namesOfSeveral = (drafts: readonly Finding[]): ReadonlySet<string> => {
  const channels = new Map<string, Set<string>>();
  for (const draft of drafts)
    if (draft.channel !== undefined)
      channels.set(nameKey(draft), (channels.get(nameKey(draft)) ?? new Set()).add(draft.channel));
  return new Set([...channels].filter(([, { size }]) => size > 1).map(([key]) => key));
};

/** The names by which a decision can name the record, with its channel or without. */
const namesOf = ({ record, channel, asked }: Finding): readonly string[] => [
  record,
  ofChannel(channel, record),
  ...(asked ? [bareName(asked.key)] : []),
];

/** All decisions on an exception; those taken over only if there are no others. */
const decisionsOn = (
  exception: Finding,
  decisions: DecisionIndex,
  period: FilingPeriod,
): readonly Decision[] => {
  const { code, origin, record, channel, tax, effect, asked } = exception;
  if (asked) {
    const answer = decisions.ofStated(asked.code, asked.key, asked.stated);
    return answer ? [answer] : [];
  }
  const isOfSeveral = channel !== undefined && record === ofChannel(channel, record);
  const names = isOfSeveral ? [record] : [origin.record, ...namesOf(exception)];
  const known = names.flatMap((name) => namesInPeriod(name, period));
  // A decision that was applied before gave the exception another code: others under the old one may contradict it.
  const applied = decisions.ofRecord(known, [code]).filter(({ verdict }) => APPLIED_BEFORE.has(verdict));
  const ofRecord = decisions
    .ofRecord(known, [code, ...applied.map((one) => one.code)])
    .filter(
      (one) =>
        one.period === period.label &&
        (one.effect === undefined || one.effect === effect) &&
        (!isDecidedAtTax(code) || one.tax === undefined || one.tax === tax),
    );
  const ofCause = decisions.ofCause(sameKey(causeKey(exception, period)));
  const all = [...ofRecord, ...(ofCause ? [ofCause] : [])];
  const own = all.filter(({ isTakenOver }) => isTakenOver !== true);
  return own.length > 0 ? own : all;
};

/** A place or a channel is named with its period: in an amended version, the name in the period itself counts, too. */
const namesInPeriod = (name: string, { label }: FilingPeriod): readonly string[] => {
  const period = amendedPeriod(label);
  const isVersion = period !== label && name.endsWith(` ${label}`);
  return isVersion ? [name, `${name.slice(0, -label.length)}${period}`] : [name];
};

/** The key of a cause, whichever records it affects. */
export const causeKey = (
  exception: Pick<Finding, 'code' | 'state' | 'shared' | 'column'>,
  { label }: Pick<FilingPeriod, 'label'>,
): string =>
  lineKey({
    period: label,
    code: isGap(exception) ? 'gap' : exception.code,
    place: placeIn(exception),
    record: '',
  });

const placeIn = (exception: Pick<Finding, 'code' | 'state' | 'shared' | 'column'>): string => {
  const { code, state, shared, column = '' } = exception;
  if (code === NEWER_UNKNOWN) return column;
  if (!shared) return state;
  const place = shared.where === '' ? state : `${state}: ${shared.where}`;
  if (isGap(exception)) return place;
  const shop = shared.shop === null ? '' : ` at ${formatPercent(shared.shop)}`;
  return `${place}${shop}${shared.own === null ? '' : ` for ${formatPercent(shared.own)}`}`;
};

type Decidable = Pick<Finding, 'code' | 'held' | 'asked'>;

/** The decisions that fit an exception. */
export const choicesOf = ({ code, held, asked }: Decidable): readonly Verdict[] => {
  if (asked) return asked.choices;
  if (isGap({ code })) return ['accept'];
  if (code === NEWER_UNKNOWN) return ['first-file', 'second-file'];
  if (held === 'row') return ['keep-out', 'ignore', 'accept'];
  if (held === 'sale') {
    if (code === 'refund-not-split') return ['split', 'keep-out', 'ignore', 'accept'];
    return [...(canBePosted(code) ? (['post'] as const) : []), 'keep-out', 'ignore', 'accept'];
  }
  if (isDecidedByTax(code)) return ['set-by-hand', 'accept'];
  return ON_NO_RETURN.has(code) ? ['accept', 'remit'] : ['accept'];
};

/** All decisions that fit an exception with this code; which of them fit a single one depends on its record, too. */
export const verdictsOf = (code: string): readonly Verdict[] => {
  if (code === 'gap') return ['accept'];
  const held = code in REASONS && !isFoundByReading(code) ? [] : (['sale', 'row'] as const);
  const each = [...held.map((kind) => ({ code, held: kind })), { code }].flatMap(choicesOf);
  return [...new Set(each)];
};

/** The next step where a decision does not fit: what may be written instead. */
export const writeOneOf = (choices: readonly Verdict[]): string =>
  `Write ${choices.length === 1 ? '' : 'one of '}${choices.map((choice) => `“${VERDICTS[choice]}”`).join(', ')}.`;

/** Reasons for tax charged without a duty to collect it: it goes on no return, unless it `isReturned`. */
export const ON_NO_RETURN: ReadonlySet<string> = new Set(['R09', 'R10']);

/** Decisions applied while sales are read and explained, which changes their exceptions before this point. */
const APPLIED_BEFORE: ReadonlySet<Verdict> = new Set([...READ_BY, 'set-by-hand']);

/** Whether an exception is the remainder of one to which the decision was applied. */
const isLeftOf = (verdict: Verdict, { code, severity }: Finding): boolean =>
  severity === 'warning' &&
  ((verdict === 'post' && canBePosted(code)) || (verdict === 'split' && code === 'refund-prorated'));

const refuseUnfit = ({ verdict, place }: Decision, draft: Finding): void => {
  const choices = choicesOf(draft);
  if (choices.includes(verdict) || isLeftOf(verdict, draft)) return;
  throw decisionError(
    place,
    `“${VERDICTS[verdict]}” does not fit ${draft.code} of ${draft.origin.record || draft.origin.file}`,
    writeOneOf(choices),
  );
};

/** Whether a decision leaves nothing open. One that should have been applied but could not be stays open. */
const settles = ({ verdict }: Decision, { severity, code }: Finding): boolean =>
  !(APPLIED_BEFORE.has(verdict) && severity === 'error') && code !== 'R23';

/**
 * Refuse decisions that contradict each other about a record, and those that fit nothing of their code. Both show before
 * it is known what the decisions are about.
 *
 * @param decisions those of one period
 * @throws {TieoutError} E_DECISION
 */
export const refuseDecisions = (decisions: readonly Decision[], index: DecisionIndex): void => {
  const given = new Set(decisions);
  for (const decision of decisions) {
    refuseOfCode(decision);
    const others = index.ofRecord(decision.records, [decision.code]).filter((one) => given.has(one));
    const other = others.find((one) => isOfOneTax(one, decision) && !isSameDecision(one, decision));
    if (other) throw decidedTwice(other, decision);
  }
};

/** Whether two decisions may be about one tax: what is set by hand is about exactly the tax that it names. */
const isOfOneTax = (one: Decision, other: Decision): boolean =>
  one.tax === undefined || other.tax === undefined || one.tax === other.tax;

const refuseOfCode = ({ verdict, code, records: [record], place, stated }: Decision): void => {
  const fitting = stated === undefined ? verdictsOf(code) : answersTo(code);
  if (fitting.length === 0 || fitting.includes(verdict)) return;
  const what = record === undefined ? code : `${code} of ${record}`;
  throw decisionError(place, `“${VERDICTS[verdict]}” does not fit ${what}`, writeOneOf(fitting));
};

const answersTo = (code: string): readonly Verdict[] =>
  Object.hasOwn(ANSWERS, code) ? ANSWERS[code as keyof typeof ANSWERS] : [];

/**
 * Returns the decisions that an amended version takes over from the version before it, as that was locked. One about a
 * record is limited to the effect that it was made about; one about a cause covers the cause in this version, too.
 *
 * @param exceptions those of the version before
 * @param period the amended version
 */
export const decisionsTakenOver = (
  exceptions: readonly Finding[],
  period: Pick<FilingPeriod, 'label'>,
): readonly Decision[] =>
  exceptions.flatMap((exception): readonly Decision[] => {
    const { decision, record, effect } = exception;
    if (decision === undefined) return [];
    const takenOver = { ...decision, period: period.label, isTakenOver: true } as const;
    return decision.cause === ''
      ? [{ ...takenOver, records: [record], effect }]
      : [{ ...takenOver, cause: sameKey(causeKey(exception, period)) }];
  });

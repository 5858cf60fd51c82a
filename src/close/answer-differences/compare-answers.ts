import type { Explanation } from '../../contract/explanation.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import { type Money, subtract, ZERO } from '../../kernel/money.ts';
import { type Answer, type AnswerFields, answerFields, REFUSED } from './answer-fields.ts';

/** A field that differs between two services. */
export type DifferentField = { readonly field: string; readonly own: string; readonly other: string };

/** The differences between two services about a sale, with the reasons each gives. */
export type AnswerDifference = {
  readonly fields: readonly DifferentField[];
  /** Tax of the other service minus the tax of one's own; zero if either refused. */
  readonly tax: Money;
  /** Reasons that only this side gives; empty if it explains nothing. */
  readonly ownReasons: readonly string[];
  readonly otherReasons: readonly string[];
};

/** Shown for a field that an answer lacks. */
const ABSENT = '-';

/** Compare two answers about one sale, field by field; `undefined` when they agree. */
export const compareAnswers = (own: Answer, other: Answer): AnswerDifference | undefined => {
  const [left, right] = [answerFields(own), answerFields(other)];
  const fields = comparable(left, right)
    .map((field) => ({ field, own: left.get(field) ?? ABSENT, other: right.get(field) ?? ABSENT }))
    .filter((difference) => difference.own !== difference.other);
  if (fields.length === 0) return undefined;
  const [ownReasons, otherReasons] = [reasonsOf(own), reasonsOf(other)];
  return {
    fields,
    tax: taxBetween(own, other),
    ownReasons: ownReasons.filter((reason) => !otherReasons.includes(reason)),
    otherReasons: otherReasons.filter((reason) => !ownReasons.includes(reason)),
  };
};

/**
 * The fields to compare. If either was refused, only the refusal is compared. Levels and jurisdiction names are
 * compared only if both answers have them: without nexus, the difference shows in `has_nexus`.
 */
const comparable = (left: AnswerFields, right: AnswerFields): readonly string[] => {
  const all = [...new Set([...left.keys(), ...right.keys()])];
  if (all.includes(REFUSED)) return [REFUSED];
  const [inLeft, inRight] = [groupsOf(left), groupsOf(right)];
  return all.filter((field) => inLeft.has(groupOf(field)) && inRight.has(groupOf(field)));
};

/** `county` for `county.rate`; a field without a dot is its own group. */
const groupOf = (field: string): string => field.split('.')[0] ?? field;

const groupsOf = (fields: AnswerFields): ReadonlySet<string> => new Set([...fields.keys()].map(groupOf));

/** Returns the tax of the other service minus the tax of one's own; zero if either refused. */
export const taxBetween = (own: Answer, other: Answer): Money =>
  own instanceof ServiceRefusal || other instanceof ServiceRefusal
    ? ZERO
    : subtract(other.amount_to_collect, own.amount_to_collect);

const reasonsOf = (answer: Answer): readonly string[] =>
  answer instanceof ServiceRefusal || !answer.explanation ? [] : sentencesOf(answer.explanation);

/** An explanation as sentences, most decisive first. */
const sentencesOf = (explanation: Explanation): readonly string[] => [
  `nexus by ${explanation.nexus}`,
  ...(explanation.precision === undefined ? [] : [`place known by ${explanation.precision}`]),
  `law of ${explanation.as_of}`,
  ...(explanation.jurisdictions ?? []).map(
    ({ level, name, rate, from, source }) =>
      `${level} ${name} ${rate}${from === null ? '' : ` since ${from}`} (${source})`,
  ),
  ...(explanation.rules ?? []).map(
    ({ unit, rule, outcome, source }) => `${unit}: ${rule}, ${outcome} (${source})`,
  ),
  ...explanation.flags,
];

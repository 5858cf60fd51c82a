import { TieoutError } from '../../kernel/errors.ts';
import type { Decision } from './decision.ts';
import { VERDICTS } from './verdict.ts';

/** A decision that cannot be taken as it stands. @param place file and line, or cell */
export const decisionError = (place: string, rule: string, nextStep: string): TieoutError =>
  new TieoutError({
    code: 'E_DECISION',
    recovery: 'fix-input',
    message: `${place}: ${rule}`,
    nextStep,
    details: { place },
  });

/** One thing that is decided in two ways. */
export const decidedTwice = (one: Decision, other: Decision): TieoutError =>
  decisionError(
    other.place,
    `it says “${VERDICTS[other.verdict]}: ${other.why}”, and ${one.place} says “${VERDICTS[one.verdict]}: ${one.why}”`,
    'Make both the same, or clear one of the two.',
  );

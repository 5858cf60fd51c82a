import { TieoutError } from '../../kernel/errors.ts';
import { configuredKey, type Decision, isConfigured } from './decision.ts';
import { VERDICTS } from './verdict.ts';

/** The error for an unusable decision. @param place file and line, or cell */
export const decisionError = (place: string, rule: string, nextStep: string): TieoutError =>
  new TieoutError({
    code: 'E_DECISION',
    message: `${place}: ${rule}`,
    nextStep,
    details: { place },
  });

/** The error for two conflicting decisions about the same thing. */
export const decidedTwice = (one: Decision, other: Decision): TieoutError =>
  decisionError(
    placeOf(other),
    `it says “${VERDICTS[other.verdict]}: ${other.why}”, and ${placeOf(one)} says “${VERDICTS[one.verdict]}: ${one.why}”`,
    [one, other].some(isConfigured)
      ? 'To decide it again, change or remove the entry of the configuration; else clear the cell.'
      : 'Make both the same, clear one of the two, or give the later one its day in the column on.',
  );

/** Where a decision is written. An entry of the configuration is identified by its key, records and code. */
const placeOf = (decision: Decision): string =>
  isConfigured(decision)
    ? `\`${configuredKey(decision)}\` of the configuration (${decision.records.join(', ')}, ${decision.code})`
    : decision.place;

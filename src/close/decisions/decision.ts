import type { Money } from '../../kernel/money.ts';
import { VERDICTS, type Verdict } from './verdict.ts';

/** A person's decision about records, or about a cause as a whole, and where it is written. */
export type Decision = {
  /** The label of the period; empty for a decision of the configuration, which applies to every period. */
  readonly period: string;
  /** The code of the exceptions that the decision covers. */
  readonly code: string;
  /** Key of the cause decided as a whole; empty if the decision names records. */
  readonly cause: string;
  readonly records: readonly string[];
  readonly verdict: Verdict;
  readonly why: string;
  readonly by: string;
  /** The day of the decision, as `2026-11-03`; empty if not given. */
  readonly on: string;
  /** What the exports or the service state of its one record: the decision is limited to this digest. */
  readonly stated?: string;
  /** For a tax set by hand: the collected tax that the decision is limited to. */
  readonly tax?: Money;
  /** File and line, or cell. */
  readonly place: string;
  /** Whether it was made of an earlier version of the period; then a decision of the version itself comes first. */
  readonly isTakenOver?: true;
  /** For a decision about records that was taken over: the effect that it is limited to. */
  readonly effect?: Money;
};

/** The contents of the decision files. */
export type Decided = {
  readonly decisions: readonly Decision[];
  /** Line numbers by key, decided or not, so that each line keeps its number. */
  readonly numbers: Readonly<Record<string, string>>;
};

export const NOTHING_DECIDED: Decided = { decisions: [], numbers: {} };

/** Whether two entries make the same decision. */
export const isSameDecision = (one: Decision, other: Decision): boolean =>
  one.verdict === other.verdict && one.why === other.why;

/** Whether the decision is in the configuration rather than in a decision file. */
export const isConfigured = ({ period }: Decision): boolean => period === '';

/** The configuration key that holds the decision. */
export const configuredKey = ({ place }: Decision): string => place.replace(/\[\d+\]$/, '');

/** A decision as the workbooks show it; one from the configuration also names its key. */
export const shownDecision = (decision: Decision): string =>
  `${VERDICTS[decision.verdict]}${isConfigured(decision) ? ` (${configuredKey(decision)})` : ''}`;

/** Whether a cell repeats a decision of the configuration. Such a cell decides nothing, and lapses with that entry. */
export const repeatsConfiguration = (cell: string): boolean => /\((?:policy\.accept|overrides)\)$/.test(cell);

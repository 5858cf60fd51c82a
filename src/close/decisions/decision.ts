import type { Money } from '../../kernel/money.ts';
import { VERDICTS, type Verdict } from './verdict.ts';

/** What a person decided about records, or about a cause as a whole, and where that is written. */
export type Decision = {
  /** The label of the period; empty of what the configuration says for every period. */
  readonly period: string;
  /** The code of the exceptions that it is about. */
  readonly code: string;
  /** Key of the cause that it is about as a whole; empty where it names records. */
  readonly cause: string;
  readonly records: readonly string[];
  readonly verdict: Verdict;
  readonly why: string;
  readonly by: string;
  /** The day of the decision, as `2026-11-03`; empty where no one wrote it down. */
  readonly on: string;
  /** Of a tax that was set by hand: the tax that it speaks of. */
  readonly tax?: Money;
  /** File and line, or cell. */
  readonly place: string;
};

/** What the files of decisions say. */
export type Decided = {
  readonly decisions: readonly Decision[];
  /** Number of each line by its key, decided or not, so that it stays with its line. */
  readonly numbers: Readonly<Record<string, string>>;
};

export const NOTHING_DECIDED: Decided = { decisions: [], numbers: {} };

/** Whether two places say the same. */
export const isSameDecision = (one: Decision, other: Decision): boolean =>
  one.verdict === other.verdict && one.why === other.why;

/** Whether the configuration says it, and not a file of decisions. */
export const isConfigured = ({ period }: Decision): boolean => period === '';

/** The key of the configuration under which it stands. */
export const configuredKey = ({ place }: Decision): string => place.replace(/\[\d+\]$/, '');

/** The decision of a line as the books say it: one of the configuration names the key under which it stands. */
export const shownDecision = (decision: Decision): string =>
  `${VERDICTS[decision.verdict]}${isConfigured(decision) ? ` (${configuredKey(decision)})` : ''}`;

/** Whether a cell repeats what the configuration says: it decides nothing, and ends with the entry there. */
export const repeatsConfiguration = (cell: string): boolean => /\((?:policy\.accept|overrides)\)$/.test(cell);

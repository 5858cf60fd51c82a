import { type Money, sum, ZERO } from '../kernel/money.ts';
import type { Origin } from '../sales/sale.ts';
import { bareName } from '../sales/sale-name.ts';
import type { Decision, Verdict } from './decision.ts';
import { type AboutCode, PERIOD_CODES, type Severity } from './period-codes.ts';
import type { SharedRate } from './rate-claim.ts';
import { partOf, REASONS, type ReasonCode } from './reason.ts';
import { EXPORT_AGAIN, RECORD_CODES } from './record-codes.ts';

/**
 * Anything a person should see, with the tax at stake and the decision about it: made once, and carried to every output.
 * Its name and what to do about it stand in `CODES`.
 */
export type Finding = {
  readonly code: string;
  /** `notice` changes nothing, `warning` was handled and should be checked, `error` is open until it is decided. */
  readonly severity: Severity;
  readonly origin: Origin;
  /** The record name as all sheets and files show it. */
  readonly record: string;
  /** The channel of the record; absent where it is of none. */
  readonly channel?: string;
  /** The rule and what was found, as a sentence. */
  readonly message: string;
  readonly column?: string;
  readonly value?: string;
  /** Empty if it does not concern a single state. */
  readonly state: string;
  /**
   * Collected tax above (positive) or below (negative) the returns: positive if too much was charged, or if a sale that
   * is kept out would add to a return.
   */
  readonly effect: Money;
  /** The rate that the sale shares with others, if that is the reason. */
  readonly shared?: SharedRate;
  /** Whether it is kept out of the period: a `sale` whose tax is known, or a `row` whose tax is not. */
  readonly held?: 'sale' | 'row';
  /** What a person answers about its record as it is stated now. */
  readonly asked?: Asked;
  /** Whether it is of the reversal of a filed record: it cancels what the record had of its cause, and asks for nothing. */
  readonly reverses?: true;
  /** Whether a return of the period takes the tax, although nothing was due. */
  readonly isReturned?: boolean;
  /** The tax collected, for a sale that is unexplained or set by hand: a decision to set it by hand names this tax. */
  readonly tax?: Money;
  /** Number of further findings of its cause that it stands for, with their total: see `findingList`. */
  readonly standsFor?: number;
  /** Reason why a person accepted it; empty while it is open. */
  readonly accepted: string;
  readonly decision?: Decision;
};

/** A question about what is stated of one record: an answer holds until something else is stated. */
export type Asked = {
  readonly code: string;
  /** The key of the sale, or the name of the record at the service. */
  readonly key: string;
  /** Digest of what is stated, 16 hex digits. */
  readonly stated: string;
  readonly choices: readonly Verdict[];
};

/** What a finding is about. Without an origin it is about what `record` names: a channel, a state, a period. */
export type About = Partial<Omit<Finding, 'code' | 'message' | 'accepted' | 'decision'>>;

/** Makes a finding, with the severity of its code unless another is given. */
export const finding = (code: string, message: string, about: About = {}): Finding => {
  const { origin = { file: '', line: 0, record: about.record ?? '' } } = about;
  return {
    severity: CODES[code]?.severity ?? 'error',
    state: '',
    effect: ZERO,
    accepted: '',
    ...about,
    code,
    origin,
    message,
    record: bareName(about.record ?? origin.record),
  };
};

/** All codes of findings. `docs/reasons.md` is printed from this table. */
export const CODES: Readonly<Record<string, AboutCode>> = { ...REASONS, ...RECORD_CODES, ...PERIOD_CODES };

/** What is known of a code. A user's own profile may have codes that are not in the table. */
export const aboutFinding = (code: string, severity?: Severity): AboutCode =>
  CODES[code] ?? {
    name: code,
    // A profile ignores what is not a sale, such as test orders.
    todo: severity === 'notice' ? 'Nothing, if it is not a sale.' : EXPORT_AGAIN,
  };

/** Whether a sale held only for this reason has everything that a record needs. */
export const canBePosted = (code: string): boolean => CODES[code]?.posted !== undefined;

/** Whether “Post” answers that the seller remits the tax of a sale that counts as the marketplace's. */
export const isPostedAsSellers = (code: string): boolean => CODES[code]?.posted === 'as the seller’s';

/** Count findings, including those that others stand for. */
export const countOf = (findings: readonly Pick<Finding, 'standsFor'>[]): number =>
  findings.reduce((count, { standsFor = 1 }) => count + standsFor, 0);

/** Whether it is a rate that the tax content lacks: a limit of Tieout, not an error of the seller. */
export const isGap = ({ code }: Pick<Finding, 'code'>): boolean =>
  code in REASONS && partOf(code as ReasonCode) === 'gap';

/** Whether it is a missing rate that has not been accepted. */
export const isUndecidedGap = (each: Finding): boolean => isGap(each) && !isAccepted(each);

/** Whether the tax at stake is known; it is not for a row that does not state it. */
export const isEffectKnown = ({ held }: Pick<Finding, 'held'>): boolean => held !== 'row';

/** Whether it keeps the close from being clean: an error that has not been accepted. */
export const isOpen = ({ severity, accepted }: Finding): boolean => severity === 'error' && accepted === '';

export const isAccepted = ({ accepted }: Finding): boolean => accepted !== '';

/**
 * Whether findings of one cause ask for nothing: corrections take back what was found of it, or all that is found of it
 * now and more, which another period has asked about.
 */
export const isCancelled = (findings: readonly Finding[]): boolean => {
  if (!findings.some(({ reverses }) => reverses)) return false;
  const left = sum(findings.map(({ effect }) => effect));
  const found = sum(findings.flatMap(({ effect, reverses }) => (reverses ? [] : effect)));
  return left === ZERO || found === ZERO || left > ZERO !== found > ZERO;
};

/** Whether a decision about such a finding names the tax that it is about. */
export const isDecidedByTax = (code: string): boolean => code === 'R99' || code === 'R23';

/** Whether a decision that names a tax holds for exactly this tax. */
export const isDecidedAtTax = (code: string): boolean => isDecidedByTax(code) || DECIDED_AT_TAX.has(code);

const DECIDED_AT_TAX: ReadonlySet<string> = new Set(['possible-double', 'ledger-difference']);

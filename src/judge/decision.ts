import type { CalendarDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { formatMoney, type Money, parseMoney } from '../kernel/money.ts';
import { parseVersion } from '../kernel/period.ts';
import { bareName } from '../sales/sale-name.ts';

/** A person's decision about records, or about a cause as a whole, and where it is written. */
export type Decision = {
  /** The label of the period. */
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

/** Whether two entries make the same decision. */
export const isSameDecision = (one: Decision, other: Decision): boolean =>
  one.verdict === other.verdict && one.why === other.why;

/** Returns why something was decided, with who did and when: `the shop was asked (Dana Reyes, 2026-11-03)`. */
export const signedWhy = ({ why, by, on }: Pick<Decision, 'why' | 'by' | 'on'>): string => {
  const signed = [by, on].filter((part) => part !== '').join(', ');
  return signed === '' ? why : `${why.replace(/\.$/, '')} (${signed})`;
};

/** The possible decisions, by the labels of the workbooks. */
export const VERDICTS = {
  post: 'Post',
  split: 'Split by share',
  'first-file': 'First file is newer',
  'second-file': 'Second file is newer',
  'keep-out': 'Keep out',
  accept: 'Accept',
  ignore: 'Ignore',
  'set-by-hand': 'Set by hand',
  remit: 'Remit',
  next: 'Next period',
  amend: 'Amend',
  leave: 'Leave as filed',
  keep: 'Keep the record',
  delete: 'Delete the record',
  same: 'Same sale',
} as const;
export type Verdict = keyof typeof VERDICTS;

/** What may be answered of exactly what is stated of a record, by the code that asks. */
export const ANSWERS = {
  R17: ['next', 'amend', 'leave'],
  R20: ['keep', 'delete'],
  'export-gone': ['keep', 'delete'],
  'number-in-use': ['same', 'delete'],
} as const satisfies Readonly<Record<string, readonly Verdict[]>>;

/** The decisions that are applied while exports are read. */
export const READ_BY: ReadonlySet<Verdict> = new Set(['post', 'split', 'first-file', 'second-file']);

const VERDICT_NAMES = Object.keys(VERDICTS) as readonly Verdict[];

/** Parse the decision in a cell, by its identifier or its label; `undefined` if it is not one. */
export const verdictIn = (cell: string): Verdict | undefined => {
  const text = bare(cell);
  return VERDICT_NAMES.find((verdict) => text === bare(verdict) || text === bare(VERDICTS[verdict]));
};

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '');

/** The parts of a key. Its period and words keep spreadsheets from converting it to a number or a date. */
export type LineKey = {
  readonly period: string;
  readonly code: string;
  /** The place of a cause; empty if it has none, or if a record is named. */
  readonly place: string;
  readonly record: string;
  /** The tax collected on the record, if the decision covers exactly that amount. */
  readonly tax?: Money;
  /** Digest of what is stated of the record, if the decision covers exactly that: 16 hex digits. */
  readonly stated?: string;
};

/** Codes that can be decided for a whole cause: missing rates, proved reasons of a variance, and which file is newer. */
export const CAUSES = /^(gap|newer-unknown|R(?!19|20|24|99)\d\d)$/;

/** `2026-10 R10 in AZ`, `2026-10 bad-cell of 5115`, `2026-10 R99 of D-523 at 5.00`, `2026-11 R17 of desk/order/7 as 0f3a…`. */
export const lineKey = ({ period, code, place, record, tax, stated }: LineKey): string => {
  const what = record !== '' ? ` of ${record}` : place !== '' ? ` in ${place}` : '';
  const limit = stated === undefined ? '' : ` as ${stated}`;
  return `${period} ${code}${what}${tax === undefined ? '' : ` at ${formatMoney(tax)}`}${limit}`;
};

const FORM =
  /^(?<period>\S+) (?<code>[A-Za-z][\w-]*)(?: of (?<record>.+?)(?: at (?<tax>-?\d+\.\d\d)| as (?<stated>[0-9a-f]{16}))?| in (?<place>.+))?$/;

/** Parse a key; `undefined` if the text is not one. */
export const parseLineKey = (text: string): LineKey | undefined => {
  const { period = '', code = '', place = '', record = '', tax, stated } = FORM.exec(text)?.groups ?? {};
  const amount = tax === undefined ? undefined : parseMoney(tax);
  return (
    parseVersion(period) && {
      period,
      code,
      place,
      record,
      ...(amount !== undefined && { tax: amount }),
      ...(stated !== undefined && { stated }),
    }
  );
};

/** Normalize a key for comparison: spreadsheets and people change spaces and capitals. */
export const sameKey = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

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
    other.place,
    `it says “${VERDICTS[other.verdict]}: ${other.why}”, and ${one.place} says “${VERDICTS[one.verdict]}: ${one.why}”`,
    'Make both the same, clear one of the two, or give the later one its day in the column on.',
  );

/** Looks up decisions by record or by cause. */
export type DecisionIndex = {
  /**
   * All decisions about a record, under any of these names, with one of these codes. With the day of the record, only
   * those that can be about it: none of a period that was over before.
   */
  readonly ofRecord: (
    names: readonly string[],
    codes: readonly string[],
    day?: CalendarDate,
  ) => readonly Decision[];
  readonly ofCause: (key: string) => Decision | undefined;
  /** The decision about exactly what is stated of a record, of whatever period its line was. */
  readonly ofStated: (code: string, record: string, stated: string) => Decision | undefined;
};

export const decisionIndex = (decisions: readonly Decision[]): DecisionIndex => {
  const causes = new Map(decisions.filter(({ cause }) => cause !== '').map((one) => [one.cause, one]));
  const unbound = decisions.filter(({ stated }) => stated === undefined);
  const records = Map.groupBy(
    unbound.flatMap((decision) => decision.records.map((record) => ({ name: bareName(record), decision }))),
    ({ name }) => name,
  );
  return {
    ofRecord: (names, codes, day) =>
      names.flatMap((name) => {
        const found = records.get(bareName(name)) ?? [];
        return found.flatMap(({ decision }) =>
          isAbout(decision, codes) && !isOverBefore(decision, day) ? [decision] : [],
        );
      }),
    ofCause: (key) => causes.get(key),
    ofStated: (code, record, stated) =>
      decisions.find((one) => one.stated === stated && one.code === code && one.records.includes(record)),
  };
};

const isAbout = ({ code, verdict }: Decision, codes: readonly string[]): boolean =>
  codes.includes(code) || codes.includes(BECOMES[verdict] ?? '');

const isOverBefore = ({ period }: Decision, day: CalendarDate | undefined): boolean => {
  const last = parseVersion(period)?.last;
  return day !== undefined && last !== undefined && last < day;
};

/** The code of an exception after its decision is applied. */
const BECOMES: Partial<Readonly<Record<Verdict, string>>> = {
  split: 'refund-prorated',
  'set-by-hand': 'R23',
};

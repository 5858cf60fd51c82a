import { parseVersion } from '../../kernel/amended-version.ts';
import { canonicalJson, type Json } from '../../kernel/digest.ts';
import { formatMoney, sum } from '../../kernel/money.ts';
import type { BookReport } from '../figures/period-report.ts';
import type { PriorPeriodState } from '../figures/prior-period-states.ts';
import { causeOf } from '../reconcile/exception-list.ts';
import { countOf, type DraftException, exceptionsOfRefund } from '../reconcile/exceptions.ts';
import { followsFromLogs } from '../reconcile/finding.ts';
import { exceptionsOfInputs } from '../reconcile/input-exceptions.ts';
import type { StateTotals } from '../reconcile/period-totals.ts';
import { exceptionsOfSilence } from '../reconcile/silent-days.ts';
import type { Derived } from './derived.ts';
import type { ManifestContent } from './manifest.ts';
import { type ReportFigures, reportFigures } from './manifest-content.ts';
import type { Problem } from './verify-files.ts';

/** Checks that the manifest follows from the report, and that the log of the report agrees with the other logs. */
export const checkReport = (content: ManifestContent, report: BookReport, derived: Derived): Problem =>
  membersProblem(reportFigures(report), content) ??
  periodProblem(content) ??
  trendProblem(report) ??
  inputsProblem(report, derived) ??
  exceptionsProblem(report, derived);

const membersProblem = (computed: ReportFigures, content: ManifestContent): Problem => {
  for (const [name, value] of Object.entries(computed)) {
    const stated = content[name as keyof ReportFigures];
    const problem = firstDifference(name, value, stated, 'the manifest');
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** Checks that the dates follow from the label. */
const periodProblem = ({ period }: ManifestContent): Problem => {
  const dates = parseVersion(period.label);
  if (!dates) return `the manifest is of ${period.label}, which is not a period`;
  return firstDifference('period', dates, period, 'the manifest');
};

/** Checks that the rows of this period in the trend are its states. */
const trendProblem = ({ trend, period, states }: BookReport): Problem => {
  const own = trend.filter((row) => row.period === period.label && row.orders + row.refunds > 0);
  const shown = (rows: readonly Pick<PriorPeriodState, keyof StateTotals & keyof PriorPeriodState>[]) =>
    rows.map(({ state, orders, refunds, gross, collected, expected }) => ({
      ...{ state, orders, refunds, gross, collected, expected },
    }));
  return firstDifference('trend', shown(states), shown(own), 'the log of the report');
};

/** Checks that every row of a file is used, ignored or rejected, and that its counts cover those of the period. */
const inputsProblem = ({ inputs }: BookReport, { inputRows }: Derived): Problem => {
  for (const input of inputs) {
    const { channel, path, rows, used, ignored, rejected } = input;
    if (used + ignored + rejected !== rows)
      return `${path}: ${rows} rows were read, and ${used + ignored + rejected} were used, ignored or rejected`;
    const counted = inputRows.get(`${channel}/${path}`);
    for (const outcome of ['used', 'ignored', 'rejected'] as const)
      if (counted && counted[outcome] > input[outcome] + (outcome === 'used' ? earlierRows(input) : 0))
        return `${path}: ${counted[outcome]} rows of the period are ${outcome}, and of the whole file only ${input[outcome]}`;
  }
  return undefined;
};

const earlierRows = ({ earlier = 0, twice = 0 }: BookReport['inputs'][number]): number => earlier + twice;

/** Codes for records that the service holds without a posted sale. */
const EXTRA_RECORDS: ReadonlySet<string> = new Set(['R20', 'recorded-not-posted']);

/** The code that may be missing: the policy may tolerate it, and late items do not get it. */
const MAY_BE_MISSING = 'R16';

const exceptionsProblem = (report: BookReport, { drafts, extraRecords }: Derived): Problem => {
  const wanted = countsOf([
    ...drafts,
    ...exceptionsOfInputs(report.inputs),
    ...report.refundLinks.flatMap(exceptionsOfRefund),
    ...exceptionsOfSilence(report.days, report.period),
  ]);
  const found = countsOf(report.exceptions.filter(({ standsFor }) => standsFor === undefined));
  const unlisted: DraftException[] = [];
  for (const [text, { count, draft }] of wanted)
    for (let left = count - (found.get(text)?.count ?? 0); left > 0; left -= 1) unlisted.push(draft);
  const problem = unlistedProblem(report, unlisted);
  if (problem !== undefined) return problem;
  for (const [text, { count, draft }] of found)
    if (count > (wanted.get(text)?.count ?? 0) && followsFromLogs(draft.code))
      return `the exception ${named(draft)} stands in the log of the report, and follows from no other log`;
  const extras = countOf(report.exceptions.filter(({ code }) => EXTRA_RECORDS.has(code)));
  return extras === extraRecords
    ? undefined
    : `${extraRecords} records that were read back belong to no sale, and the log of the report has ${extras}`;
};

/** Checks the exceptions that are not listed one by one: one exception stands for all others of its cause. */
const unlistedProblem = ({ exceptions }: BookReport, unlisted: readonly DraftException[]): Problem => {
  const others = new Map(
    exceptions.flatMap((each) => (each.standsFor === undefined ? [] : [[causeOf(each), each]])),
  );
  const byCause = Map.groupBy(unlisted, causeOf);
  for (const [cause, [draft]] of byCause)
    if (draft && !others.has(cause) && draft.code !== MAY_BE_MISSING)
      return `the exception ${named(draft)} follows from the logs, and the log of the report does not have it`;
  for (const [cause, { code, state, effect, standsFor = 0 }] of others) {
    const own = byCause.get(cause) ?? [];
    const isSame = own.length === standsFor && sum(own.map((draft) => draft.effect)) === effect;
    if (!isSame && followsFromLogs(code) && !(code === MAY_BE_MISSING && own.length > standsFor))
      return `the log of the report has ${standsFor} more ${code} of ${state}, ${formatMoney(effect)} in all, and the other logs have ${own.length}`;
  }
  return undefined;
};

type Counted = ReadonlyMap<string, { readonly count: number; readonly draft: DraftException }>;

const countsOf = (drafts: readonly DraftException[]): Counted => {
  const counts = new Map<string, { count: number; readonly draft: DraftException }>();
  for (const draft of drafts) {
    const { code, severity, origin, message, state, effect } = draft;
    // R99 (unexplained) is an error or a warning, depending on the policy.
    const weight = code === 'R99' ? '' : severity;
    const text = canonicalJson({ code, weight, origin, message, state, effect } as Json);
    const known = counts.get(text);
    if (known) known.count += 1;
    else counts.set(text, { count: 1, draft });
  }
  return counts;
};

const named = ({ code, origin }: DraftException): string => `${code} of ${origin.record || origin.file}`;

/** Fields that identify a member of a list, if present. */
const NAMES = ['state', 'level', 'name', 'code', 'day', 'channel', 'path', 'id', 'record', 'order'] as const;

/**
 * Describes the first difference between two values: `states CA: collected comes to 10.75, and the manifest says 1.00`.
 * `undefined` if they are equal.
 *
 * @param what The name of the value, such as `states`
 * @param who The source of the second value
 */
export const firstDifference = (
  what: string,
  computed: unknown,
  stated: unknown,
  who: string,
): string | undefined => {
  const [left, right] = [plain(computed), plain(stated)];
  if (textOf(left) === textOf(right)) return undefined;
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
      const [one, other] = [left[index] as Json | undefined, right[index] as Json | undefined];
      if (textOf(one) === textOf(other)) continue;
      const [name, otherName] = [nameOf(one), nameOf(other)];
      if (one === undefined || other === undefined || name !== otherName)
        return `${what}: number ${index + 1} is ${name || textOf(one)}, and ${who} says ${otherName || textOf(other)}`;
      return firstDifference(`${what} ${name}`.trim(), one, other, who);
    }
  }
  if (isObject(left) && isObject(right)) {
    const field = Object.keys({ ...left, ...right }).find((key) => textOf(left[key]) !== textOf(right[key]));
    if (field !== undefined) return firstDifference(joined(what, field), left[field], right[field], who);
  }
  return `${what} comes to ${textOf(left)}, and ${who} says ${textOf(right)}`;
};

const joined = (what: string, field: string): string => `${what}${what.includes(': ') ? '.' : ': '}${field}`;

/** Returns a value as it reads back from a file. */
const plain = (value: unknown): Json | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);

const textOf = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' && value !== '' ? value : canonicalJson(value);
};

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json | undefined } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameOf = (value: Json | undefined): string =>
  isObject(value)
    ? NAMES.flatMap((name) => (value[name] === undefined ? [] : String(value[name]))).join(' ')
    : '';

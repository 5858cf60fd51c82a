import { canonicalJson, type Json } from '../../kernel/json.ts';
import { parseVersion } from '../../kernel/period.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { ManifestContent } from './manifest.ts';
import { type ReportFigures, reportFigures } from './manifest-content.ts';
import type { RowCounts } from './row-counter.ts';
import type { Problem } from './verify-files.ts';

/**
 * Checks that the manifest follows from the report.
 *
 * @param inputRows the rows of each input by outcome, as far as they are of the period
 */
export const checkReport = (
  content: ManifestContent,
  report: PeriodReport,
  inputRows: ReadonlyMap<string, Readonly<RowCounts>>,
): Problem =>
  membersProblem(reportFigures(report), content) ??
  periodProblem(content) ??
  inputsProblem(report, inputRows);

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

/** Checks that every row of a file is used, ignored or rejected, and that its counts cover those of the period. */
const inputsProblem = ({ inputs }: PeriodReport, inputRows: Parameters<typeof checkReport>[2]): Problem => {
  for (const input of inputs) {
    const { channel, path, rows, used, ignored, rejected } = input;
    if (used + ignored + rejected !== rows)
      return `${path}: ${rows} rows were read, and ${used + ignored + rejected} were used, ignored or rejected`;
    const counted = inputRows.get(`${channel}/${path}`);
    for (const outcome of ['used', 'ignored', 'rejected'] as const)
      if (counted && counted[outcome] > input[outcome])
        return `${path}: ${counted[outcome]} rows of the period are ${outcome}, and of the whole file only ${input[outcome]}`;
  }
  return undefined;
};

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

import { parseVersion } from '../../kernel/amended-version.ts';
import { canonicalJson, type Json } from '../../kernel/digest.ts';
import { type DraftException, exceptionsOfRefund } from '../reconcile/exceptions.ts';
import { exceptionsOfInput } from '../reconcile/input-exceptions.ts';
import type { StateTotals } from '../reconcile/period-totals.ts';
import { exceptionsOfSilence } from '../reconcile/silent-days.ts';
import type { KeptState } from '../report/kept-states.ts';
import type { PeriodReport } from '../report/period-report.ts';
import type { Derived } from './derived.ts';
import { firstDifference } from './first-difference.ts';
import type { ManifestContent } from './manifest.ts';
import { type ReportFigures, reportFigures } from './manifest-content.ts';
import type { Problem } from './verify-files.ts';

/** The manifest follows from the report, and what is in the log of the report fits the other logs. */
export const checkReport = (content: ManifestContent, report: PeriodReport, derived: Derived): Problem =>
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

/** The dates follow from the label. */
const periodProblem = ({ period }: ManifestContent): Problem => {
  const dates = parseVersion(period.label);
  if (!dates) return `the manifest is of ${period.label}, which is not a period`;
  return firstDifference('period', dates, period, 'the manifest');
};

/** The rows of this period in the trend are its states. */
const trendProblem = ({ trend, period, states }: PeriodReport): Problem => {
  const own = trend.filter((row) => row.period === period.label && row.orders + row.refunds > 0);
  const shown = (rows: readonly Pick<KeptState, keyof StateTotals & keyof KeptState>[]) =>
    rows.map(({ state, orders, refunds, gross, collected, expected }) => ({
      ...{ state, orders, refunds, gross, collected, expected },
    }));
  return firstDifference('trend', shown(states), shown(own), 'the log of the report');
};

/** Every row of a file is used, ignored or rejected, and no fewer than those of this period. */
const inputsProblem = ({ inputs }: PeriodReport, { inputRows }: Derived): Problem => {
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

/** Exceptions that rest on more than the logs: the seller's ledger, certificates, locks, decisions, the totals of shops, rates of another day. */
const BESIDE_LOGS =
  /^(R08|R17|R20|bad-ledger-row|ledger-.*|bad-certificate|duplicate-certificate|certificate.*|no-.*-?sales|todays-rates|expected-.*|decision-without-line|decision-withdrawn)$/;

/** What the policy may change: whether it is tolerated. What came late has no edge of its period. */
const MAY_BE_MISSING = 'R16';

const exceptionsProblem = (report: PeriodReport, { drafts, extraRecords }: Derived): Problem => {
  const wanted = countsOf([
    ...drafts,
    ...report.inputs.flatMap(exceptionsOfInput),
    ...report.refundLinks.flatMap(exceptionsOfRefund),
    ...exceptionsOfSilence(report.days, report.period),
  ]);
  const found = countsOf(report.exceptions);
  for (const [text, { count, draft }] of wanted)
    if ((found.get(text)?.count ?? 0) < count && draft.code !== MAY_BE_MISSING)
      return `the exception ${named(draft)} follows from the logs, and the log of the report does not have it`;
  for (const [text, { count, draft }] of found)
    if (count > (wanted.get(text)?.count ?? 0) && !BESIDE_LOGS.test(draft.code))
      return `the exception ${named(draft)} stands in the log of the report, and follows from no other log`;
  const extras = report.exceptions.filter(({ code }) => code === 'R20').length;
  return extras === extraRecords
    ? undefined
    : `${extraRecords} records that were read back belong to no sale, and the log of the report has ${extras}`;
};

type Counted = ReadonlyMap<string, { readonly count: number; readonly draft: DraftException }>;

const countsOf = (drafts: readonly DraftException[]): Counted => {
  const counts = new Map<string, { count: number; readonly draft: DraftException }>();
  for (const draft of drafts) {
    const { code, severity, origin, message, state, effect } = draft;
    // What stays unexplained is an error or a warning, as the policy has it.
    const weight = code === 'R99' ? '' : severity;
    const text = canonicalJson({ code, weight, origin, message, state, effect } as Json);
    const known = counts.get(text);
    if (known) known.count += 1;
    else counts.set(text, { count: 1, draft });
  }
  return counts;
};

const named = ({ code, origin }: DraftException): string => `${code} of ${origin.record || origin.file}`;

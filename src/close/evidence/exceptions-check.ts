import { canonicalJson, type Json } from '../../kernel/digest.ts';
import { add, formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { causeOf } from '../reconcile/exception-list.ts';
import type { DraftException } from '../reconcile/exceptions.ts';
import { followsFromLogs } from '../reconcile/finding.ts';
import type { Problem } from './verify-files.ts';

/** Compares the exceptions that follow from the logs, one by one, with those of the report. */
export type ExceptionsCheck = {
  readonly see: (draft: DraftException) => void;
  /** The first difference, after all of them were seen. */
  readonly problem: () => Problem;
};

/** The code that may be missing: the policy may tolerate it, and late items do not get it. */
const MAY_BE_MISSING = 'R16';

/** An exception of the report, how often the report lists it, and how often it follows from the logs. */
type Listed = { readonly draft: DraftException; count: number; seen: number };

/** The exceptions of one cause that follow from the logs and that the report does not list. */
type Unlisted = { readonly draft: DraftException; count: number; effect: Money };

/**
 * Starts a check of the exceptions of a report. Memory is bounded by what the report lists, however many exceptions
 * follow from the logs.
 */
export const exceptionsCheck = (report: Pick<PeriodReport, 'exceptions'>): ExceptionsCheck => {
  // Whether tax that no duty asked for is open depends on the returns and the policy.
  const exceptions = report.exceptions.map((each) =>
    each.code === 'R10' ? { ...each, severity: 'warning' as const } : each,
  );
  const listed = new Map<string, Listed>();
  for (const draft of exceptions.filter(({ standsFor }) => standsFor === undefined)) {
    const known = listed.get(textOf(draft));
    if (known) known.count += 1;
    else listed.set(textOf(draft), { draft, count: 1, seen: 0 });
  }
  const unlisted = new Map<string, Unlisted>();
  return {
    see: (draft) => {
      const known = listed.get(textOf(draft));
      if (known && known.seen < known.count) {
        known.seen += 1;
        return;
      }
      const cause = causeOf(draft);
      const others = unlisted.get(cause) ?? { draft, count: 0, effect: ZERO };
      others.count += 1;
      others.effect = add(others.effect, draft.effect);
      unlisted.set(cause, others);
    },
    problem: () => unlistedProblem(exceptions, unlisted) ?? strangerProblem(listed),
  };
};

/** Checks the exceptions that are not listed one by one: one exception stands for all others of its cause. */
const unlistedProblem = (
  exceptions: PeriodReport['exceptions'],
  unlisted: ReadonlyMap<string, Unlisted>,
): Problem => {
  const others = new Map(
    exceptions.flatMap((each) => (each.standsFor === undefined ? [] : [[causeOf(each), each]])),
  );
  for (const [cause, { draft }] of unlisted)
    if (!others.has(cause) && draft.code !== MAY_BE_MISSING)
      return `the exception ${named(draft)} follows from the logs, and the log of the report does not have it`;
  for (const [cause, { code, state, effect, standsFor = 0 }] of others) {
    const own = unlisted.get(cause) ?? { count: 0, effect: ZERO };
    const isSame = own.count === standsFor && own.effect === effect;
    if (!isSame && followsFromLogs(code) && !(code === MAY_BE_MISSING && own.count > standsFor))
      return `the log of the report has ${standsFor} more ${code} of ${state}, ${formatMoney(effect)} in all, and the other logs have ${own.count}`;
  }
  return undefined;
};

const strangerProblem = (listed: ReadonlyMap<string, Listed>): Problem => {
  for (const { draft, count, seen } of listed.values())
    if (count > seen && followsFromLogs(draft.code))
      return `the exception ${named(draft)} stands in the log of the report, and follows from no other log`;
  return undefined;
};

/** Identifies an exception. R99 (unexplained) is an error or a warning, depending on the policy. */
const textOf = ({ code, severity, origin, message, state, effect }: DraftException): string =>
  canonicalJson({
    ...{ code, weight: code === 'R99' ? '' : severity, origin, message, state, effect },
  } as Json);

const named = ({ code, origin }: DraftException): string => `${code} of ${origin.record || origin.file}`;

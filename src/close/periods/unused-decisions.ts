import { compareText } from '../../kernel/compare-text.ts';
import { decisionsOf } from '../configuration/decisions-of.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { Exception } from '../reconcile/exceptions.ts';
import { bareName } from '../sales/record-id.ts';
import { saleKey } from '../sales/sale-name.ts';
import { closingHeads } from '../workspace/closings.ts';
import { datedAmong } from '../workspace/sale-index.ts';
import { setAsidesNamed } from '../workspace/set-asides.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { exceptionsOfClosing } from './closing.ts';

type Decision = ReturnType<typeof decisionsOf>[number];

/**
 * A decision that matches nothing, the exceptions of the closed periods on its records, and exports that may lack
 * records.
 */
export type UnusedDecision = Decision & {
  readonly found: readonly Exception[];
  readonly lacking: readonly string[];
};

/** Codes of findings that say a file may be incomplete. */
const NOT_WHOLE = new Set(['cut-off', 'no-final-line-end', 'days-missing', 'read-before']);

/**
 * Returns the acceptances and taxes set by hand in the configuration that match nothing in any period closed here: the
 * record is misspelt, or its exception has gone. Decisions on records of other periods may still match there, so they
 * are left out.
 */
export const unusedDecisions = async (
  workspace: Workspace,
  configuration: LoadedConfiguration,
): Promise<readonly UnusedDecision[]> => {
  let left = decisionsOf(configuration).filter(({ period }) => period === '');
  const closed = (await closingHeads(workspace)).toSorted((one, other) =>
    compareText(other.period, one.period),
  );
  const found: Exception[] = [];
  const lacking = new Set<string>();
  for (const { period } of left.length === 0 ? [] : closed) {
    if (left.length === 0) break;
    const exceptions = await exceptionsOfClosing(workspace, period);
    for (const { code, origin } of exceptions)
      if (NOT_WHOLE.has(code) && origin.file !== '') lacking.add(origin.file);
    const used = new Set(exceptions.flatMap(({ decision }) => (decision ? [keyOf(decision)] : [])));
    left = left.filter((decision) => !used.has(keyOf(decision)));
    const wanted = new Set(left.flatMap(({ records }) => records.map(bareName)));
    found.push(...exceptions.filter(({ record }) => wanted.has(bareName(record))));
  }
  const waiting = await recordsOutside(workspace, configuration, { decisions: left, closed });
  return left
    .filter(({ records }) => !records.some((record) => waiting.has(record)))
    .map((decision) => {
      const names = new Set(decision.records.map(bareName));
      return {
        ...decision,
        found: found.filter(({ record }) => names.has(bareName(record))),
        lacking: [...lacking],
      };
    });
};

type Days = { readonly first: string; readonly last: string };

/** Returns the records of these decisions that the exports date outside the closed periods. */
const recordsOutside = async (
  workspace: Workspace,
  { channels }: LoadedConfiguration,
  { decisions, closed }: { readonly decisions: readonly Decision[]; readonly closed: readonly Days[] },
): Promise<ReadonlySet<string>> => {
  const records = decisions.flatMap((decision) => decision.records);
  if (records.length === 0) return new Set();
  const keys = new Map<string, string>(
    records.flatMap((record) =>
      channels.flatMap(({ name }) =>
        (['order', 'refund'] as const).map(
          (kind) => [saleKey(name, kind, record.replace(/^#/, '')), record] as const,
        ),
      ),
    ),
  );
  const asides = await setAsidesNamed(workspace, records);
  const sales = await datedAmong(workspace, [...keys.keys()]);
  const dated = [
    ...asides,
    ...sales.map(({ key, business_date: day }) => ({ record: keys.get(key) as string, day })),
  ];
  const isOutside = ({ day }: { readonly day: string | null }): boolean =>
    day !== null && !closed.some(({ first, last }) => first <= day && day <= last);
  return new Set(dated.filter(isOutside).map(({ record }) => record));
};

/** The place of a decision in the file is left out, because it may have moved. */
const keyOf = ({ verdict, code, records }: Decision): string => JSON.stringify([verdict, code, records]);

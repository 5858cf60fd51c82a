import { isDeepStrictEqual } from 'node:util';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { calendarDate, daysFrom } from '../../../kernel/calendar.ts';
import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { FoundOut, KeptVariance } from '../../period-sales/expectation-of.ts';
import { slotsOf } from '../../period-sales/sales-of.ts';
import {
  explainVariance,
  isExempt,
  isUnexplained,
  type VarianceInput,
} from '../../reconcile/explain-variance.ts';
import { NOTHING_DUE } from '../../reconcile/nothing-due.ts';
import { type OpenVariance, openModelOf } from '../../reconcile/open-variance.ts';
import { statedClaims } from '../../reconcile/stated-rates.ts';
import { type Sale, taxLinesOf } from '../../sales/sale.ts';
import { beginningOf, type StoredSale } from '../../workspace/sale-page.ts';
import { dropPages, keepPage, pageHeads, readPage } from '../../workspace/stage-pages.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type Answers, nothingDue } from './calculations.ts';
import { gapAt } from './content-gap.ts';

/** Returns the variance of a sale if its own calculation does not explain the tax it carries. */
export const openVariance = (ports: ClosePorts, sale: Sale, answers: Answers): KeptVariance | undefined => {
  const isDue = nothingDue(ports, sale) === undefined;
  const answer = isDue ? answers.get(sale)?.answer : NOTHING_DUE;
  if (answer === undefined || answer instanceof ServiceRefusal) return undefined;
  const whole = isDue ? answers.get(sale)?.whole : undefined;
  const isOpen = isDue
    ? isLeftOpen(ports, sale, answer)
    : sale.salesTax !== ZERO && registeredLater(ports, sale) !== undefined;
  return isOpen ? { key: sale.key, sale, expectation: answer, ...(whole && { whole }) } : undefined;
};

const isLeftOpen = (ports: ClosePorts, sale: Sale, answer: TaxResult): boolean => {
  if (sale.salesTax === answer.amount_to_collect) return false;
  if (isExempt(answer)) return true;
  const open = { sale, expectation: answer, gap: gapAt(ports, sale) };
  if (answer.has_nexus && statedClaims(open, openModelOf(open)).length > 0) return true;
  return isWithoutReason(open);
};

/**
 * Whether neither a common error nor a line explains what was collected. A sale can also be open because of what its
 * tax lines state.
 */
export const isWithoutReason = (open: OpenVariance): boolean =>
  isUnexplained(explainVariance(varianceCase(open, 'brief')));

/** Returns the input for explaining a sale on its own, without its order and answers to questions. */
export const varianceCase = (
  { sale, expectation }: OpenVariance,
  search: NonNullable<VarianceInput['search']>,
): VarianceInput => ({
  kind: sale.kind,
  collected: sale.salesTax,
  shipping: sale.shipping,
  lines: sale.lines,
  amount: sale.amount,
  partOf: sale.partOf,
  taxLines: taxLinesOf(sale),
  expectation,
  alternatives: [],
  search,
});

/** Returns the day on which the duty to collect in the destination begins, when it is soon after the sale. */
export const registeredLater = ({ configuration }: ClosePorts, { shipTo, taxDate }: Sale) => {
  const found = configuration.registrations.find(({ state }) => state === shipTo.state);
  if (found === undefined) return undefined;
  const since = calendarDate(found.since);
  return since > taxDate && daysFrom(taxDate, since) <= SOON_DAYS ? since : undefined;
};

/** The length of the longest filing period. */
const SOON_DAYS = 366;

/**
 * Store the open variances of the sales of a page: new ones for the sales just calculated, and the known ones of the
 * others.
 */
export const keepVariances = async (
  { workspace }: ClosePorts,
  slot: string,
  sales: readonly StoredSale[],
  made: ReadonlyMap<string, KeptVariance | undefined>,
): Promise<void> => {
  const before = await readPage<KeptVariance>(workspace, 'variances', slot);
  const known = new Map(before?.rows.map((row) => [row.key, row]));
  const rows = sales.flatMap(({ sale: { key } }) => (made.has(key) ? made.get(key) : known.get(key)) ?? []);
  if (rows.length > 0) await keepPage(workspace, 'variances', slot, { input: '', open: rows.length, rows });
  else if (before) await dropPages(workspace, 'variances', [slot]);
};

/** The open variances of one page. */
export type OpenPage = { readonly slot: string; readonly variances: readonly OpenVariance[] };

/** Yields the pages of a period with open variances, or those in some slots. */
export async function* openPages(
  ports: ClosePorts,
  period: FilingPeriod,
  slots: ReadonlySet<string> | undefined = undefined,
): AsyncGenerator<OpenPage> {
  for (const slot of await openSlots(ports.workspace, period)) {
    if (slots && !slots.has(slot)) continue;
    const page = await readPage<KeptVariance>(ports.workspace, 'variances', slot);
    if (page)
      yield {
        slot,
        variances: page.rows.map(({ found: _, key: __, ...open }) => ({
          ...open,
          gap: gapAt(ports, open.sale),
        })),
      };
  }
}

/** Returns the slots of the period with open variances: first those of late sales, then day by day. */
const openSlots = async (workspace: Workspace, period: FilingPeriod): Promise<readonly string[]> => {
  const days = { first: beginningOf(period.first), last: beginningOf(period.last) };
  const late = { first: beginningOf('late'), last: beginningOf('late') };
  const heads = [
    ...(await pageHeads(workspace, 'variances', late)),
    ...(await pageHeads(workspace, 'variances', days)),
  ];
  if (heads.length === 0) return [];
  const slots = new Set<string>();
  for await (const slot of slotsOf(workspace, period)) slots.add(slot);
  return heads.map(({ slot }) => slot).filter((slot) => slots.has(slot));
};

/** What is stored of a variance that there was no question left for. */
export const NOT_ASKED: FoundOut = { claims: [], alternatives: [], isCutShort: true };

/** Store the results for the open variances of a period. Returns how many were not fully asked about. */
export const keepFound = async (
  { workspace }: ClosePorts,
  period: FilingPeriod,
  found: ReadonlyMap<string, FoundOut>,
): Promise<number> => {
  let cutShort = 0;
  for (const slot of await openSlots(workspace, period)) {
    const page = await readPage<KeptVariance>(workspace, 'variances', slot);
    const rows = (page?.rows ?? []).map((row) => ({ ...row, found: found.get(row.key) ?? NOT_ASKED }));
    cutShort += rows.filter((row) => row.found.isCutShort).length;
    if (!isDeepStrictEqual(rows, page?.rows))
      await keepPage(workspace, 'variances', slot, { input: '', open: rows.length, rows });
  }
  return cutShort;
};

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
import { readingsOf } from '../../reconcile/other-readings.ts';
import { statedClaims } from '../../reconcile/stated-rates.ts';
import { type Sale, taxLinesOf } from '../../sales/sale.ts';
import { beginningOf, type StoredSale } from '../../workspace/sale-page.ts';
import { dropPages, keepPage, type PageHead, pageHeads, readPage } from '../../workspace/stage-pages.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type Answers, nothingDue } from './calculations.ts';
import { gapAt } from './content-gap.ts';

/** An open variance, with its result if that was found with the present inputs. */
export type StoredVariance = OpenVariance & Pick<KeptVariance, 'found'>;

/** Returns the variance of a sale if its own calculation does not explain the tax it carries. */
export const openVariance = (ports: ClosePorts, sale: Sale, answers: Answers): KeptVariance | undefined => {
  const isDue = nothingDue(ports, sale) === undefined;
  const answer = isDue ? answers.get(sale)?.answer : NOTHING_DUE;
  if (answer === undefined || answer instanceof ServiceRefusal) return undefined;
  const whole = isDue ? answers.get(sale)?.whole : undefined;
  const isOpen = isDue
    ? isLeftOpen(ports, sale, answer, whole)
    : sale.salesTax !== ZERO && registeredLater(ports, sale) !== undefined;
  return isOpen ? { key: sale.key, sale, expectation: answer, ...(whole && { whole }) } : undefined;
};

const isLeftOpen = (
  ports: ClosePorts,
  sale: Sale,
  answer: TaxResult,
  whole: TaxResult | undefined,
): boolean => {
  if (sale.salesTax === answer.amount_to_collect) return false;
  if (isExempt(answer) || dependsOnOrder(sale, whole)) return true;
  const open = {
    sale,
    expectation: answer,
    gap: gapAt(ports, sale),
    readings: readingsOf(ports, sale, answer),
  };
  if (answer.has_nexus && statedClaims(open, openModelOf(open)).length > 0) return true;
  return isWithoutReason(open);
};

/**
 * Whether a refund without tax has less to give back than its own tax, which only the answer about its order shows:
 * refunds before it may have given it back, or the order was charged too little.
 */
const dependsOnOrder = ({ salesTax, partOf }: Sale, order: TaxResult | undefined): boolean =>
  salesTax === ZERO &&
  partOf !== undefined &&
  ((partOf.before?.salesTax ?? ZERO) > ZERO ||
    (partOf.salesTax > ZERO && order !== undefined && partOf.salesTax < order.amount_to_collect));

/**
 * Whether neither a common error nor a line explains what was collected. A sale can also be open because of what its
 * tax lines state.
 */
export const isWithoutReason = (open: OpenVariance): boolean =>
  isUnexplained(explainVariance(varianceCase(open, 'brief')));

/** Returns the input for explaining a sale on its own, without its order and answers to questions. */
export const varianceCase = (
  { sale, expectation, readings = [] }: OpenVariance,
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
  readings,
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
  if (rows.length > 0)
    await keepPage(workspace, 'variances', slot, { input: before?.input ?? '', open: rows.length, rows });
  else if (before) await dropPages(workspace, 'variances', [slot]);
};

/** The open variances of one page. */
export type OpenPage = { readonly slot: string; readonly variances: readonly StoredVariance[] };

/** Iterates over the pages of a period with open variances, or those in some slots; can be called several times. */
export type OpenPages = (slots?: ReadonlySet<string>) => AsyncIterable<OpenPage> | Iterable<OpenPage>;

/**
 * Returns the pages with open variances. At most `heldMax` variances are kept in memory; if there are more, the pages
 * are read again each time.
 *
 * @param input what results depend on; results with a different input are left out
 */
export const openPagesOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { input, heldMax }: { readonly input: string | undefined; readonly heldMax: number },
): Promise<OpenPages> => {
  const heads = await openHeads(ports.workspace, period);
  async function* pages(slots?: ReadonlySet<string>): AsyncGenerator<OpenPage> {
    for (const { slot } of heads) {
      if (slots && !slots.has(slot)) continue;
      const page = await readPage<KeptVariance>(ports.workspace, 'variances', slot);
      if (page)
        yield { slot, variances: page.rows.map((row) => storedVariance(ports, row, page.input === input)) };
    }
  }
  if (heads.reduce((total, { rows }) => total + rows, 0) > heldMax) return pages;
  const held: OpenPage[] = [];
  for await (const page of pages()) held.push(page);
  return (slots) => (slots ? held.filter(({ slot }) => slots.has(slot)) : held);
};

const storedVariance = (
  ports: ClosePorts,
  { sale, expectation, whole, found }: KeptVariance,
  isCurrent: boolean,
): StoredVariance => ({
  sale,
  expectation,
  gap: gapAt(ports, sale),
  readings: readingsOf(ports, sale, expectation),
  ...(whole && { whole }),
  ...(isCurrent && found && { found }),
});

/** Returns the pages of the period with open variances: first those of late sales, then day by day. */
const openHeads = async (workspace: Workspace, period: FilingPeriod): Promise<readonly PageHead[]> => {
  const days = { first: beginningOf(period.first), last: beginningOf(period.last) };
  const late = { first: beginningOf('late'), last: beginningOf('late') };
  const heads = [
    ...(await pageHeads(workspace, 'variances', late)),
    ...(await pageHeads(workspace, 'variances', days)),
  ];
  if (heads.length === 0) return heads;
  const slots = new Set<string>();
  for await (const slot of slotsOf(workspace, period)) slots.add(slot);
  return heads.filter(({ slot }) => slots.has(slot));
};

/** Store the results for sales of a page. */
export const keepFound = async (
  { workspace }: ClosePorts,
  slot: string,
  input: string,
  found: ReadonlyMap<string, FoundOut>,
): Promise<void> => {
  const page = await readPage<KeptVariance>(workspace, 'variances', slot);
  if (!page) return;
  const rows = page.rows.map((row) => {
    const now = found.get(row.key);
    return now ? { ...row, found: now } : row;
  });
  await keepPage(workspace, 'variances', slot, { input, open: rows.length, rows });
};

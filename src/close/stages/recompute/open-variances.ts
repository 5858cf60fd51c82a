import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { calendarDate, daysFrom } from '../../../kernel/calendar.ts';
import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { explainVariance, isExempt, isUnexplained } from '../../reconcile/explain-variance.ts';
import { type OpenVariance, openModelOf } from '../../reconcile/open-variance.ts';
import { statedClaims } from '../../reconcile/stated-rates.ts';
import type { Sale } from '../../sales/sale.ts';
import { type CalculatedSale, expectationsOf, isOpenDetail } from '../../workspace/expectation-of.ts';
import { beginningOf, type StoredSale } from '../../workspace/sale-page.ts';
import { postedSalesOf } from '../../workspace/sales-of.ts';
import { keepPage, type PageHead, pageHeads, readPage } from '../../workspace/stage-pages.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import { gapAt } from '../content-gap.ts';
import { nothingDue } from './calculations.ts';

/** An open variance with the row that says what was found of it. */
export type StoredVariance = OpenVariance & { readonly row: CalculatedSale };

/** Whether its own calculation leaves open why a sale carries another tax. */
export const isOpenVariance = (
  ports: ClosePorts,
  sale: Sale,
  answer: TaxResult | ServiceRefusal | undefined,
): boolean => {
  if (nothingDue(ports, sale) !== undefined)
    return sale.salesTax !== ZERO && registeredLater(ports, sale) !== undefined;
  if (answer === undefined || answer instanceof ServiceRefusal) return false;
  if (sale.salesTax === answer.amount_to_collect) return false;
  if (isExempt(answer)) return true;
  const open = { sale, expectation: answer, gap: gapAt(ports, sale) };
  if (answer.has_nexus && statedClaims(open, openModelOf(open)).length > 0) return true;
  return isUnexplained(
    explainVariance({
      collected: sale.salesTax,
      shipping: sale.shipping,
      lines: sale.lines,
      expectation: answer,
      alternatives: [],
      search: 'brief',
    }),
  );
};

/** The day on which the duty to collect in the destination begins, when it is soon after the sale. */
export const registeredLater = ({ configuration }: ClosePorts, { shipTo, taxDate }: Sale) => {
  const found = configuration.registrations.find(({ state }) => state === shipTo.state);
  if (found === undefined) return undefined;
  const since = calendarDate(found.since);
  return since > taxDate && daysFrom(taxDate, since) <= SOON_DAYS ? since : undefined;
};

/** The longest filing period there is. */
const SOON_DAYS = 366;

/** The open variances of one page. */
export type OpenPage = { readonly slot: string; variances: readonly StoredVariance[] };

/** The pages with open variances, to be gone through several times. */
export type OpenPages = {
  readonly all: () => AsyncIterable<OpenPage> | Iterable<OpenPage>;
  /** Keep these rows in the place of what their page had of their sales. */
  readonly keep: (page: OpenPage, changed: readonly CalculatedSale[]) => Promise<void>;
  /** Resolves when everything that was to be kept is. */
  readonly kept: () => Promise<void>;
};

/**
 * No more than so many open variances are held in memory, and a page with changed rows is written once, at the end: what a
 * kill takes away is worked out again, and no answer is lost with it. Of more, each page is read again each time and written
 * at once.
 */
export const openPagesOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  heldMax: number,
): Promise<OpenPages> => {
  const heads = await openHeads(ports.workspace, period);
  if (heads.reduce((total, { open }) => total + open, 0) > heldMax)
    return {
      all: () => openPages(ports, period),
      keep: ({ slot }, changed) => keepRows(ports, slot, changed),
      kept: async () => {},
    };
  const held: OpenPage[] = [];
  for await (const page of openPages(ports, period)) held.push(page);
  const waiting = new Map<string, Map<string, CalculatedSale>>();
  return {
    all: () => held,
    keep: async (page, changed) => {
      const rows = waiting.get(page.slot) ?? new Map<string, CalculatedSale>();
      for (const row of changed) rows.set(row.key, row);
      waiting.set(page.slot, rows);
      page.variances = page.variances.map((one) => ({ ...one, row: rows.get(one.row.key) ?? one.row }));
    },
    kept: async () => {
      for (const [slot, rows] of waiting) await keepRows(ports, slot, [...rows.values()]);
    },
  };
};

/** The pages that may have open variances of the period. */
export const openHeads = async (workspace: Workspace, period: FilingPeriod): Promise<readonly PageHead[]> => {
  const days = { first: beginningOf(period.first), last: beginningOf(period.last) };
  const late = { first: beginningOf('late'), last: beginningOf('late') };
  const heads = [
    ...(await pageHeads(workspace, 'calculated', late)),
    ...(await pageHeads(workspace, 'calculated', days)),
  ];
  return heads.filter(({ open }) => open > 0);
};

/** The pages of the period that have open variances. */
async function* openPages(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<OpenPage> {
  const { workspace } = ports;
  const slots = (await openHeads(workspace, period)).map(({ slot }) => slot);
  if (slots.length === 0) return;
  for await (const { slot, sales } of postedSalesOf(workspace, period, { slots })) {
    const page = await readPage<CalculatedSale>(workspace, 'calculated', slot);
    const variances = page && (await variancesIn(ports, page.rows, sales));
    if (variances && variances.length > 0) yield { slot, variances };
  }
}

const variancesIn = async (
  ports: ClosePorts,
  rows: readonly CalculatedSale[],
  sales: readonly StoredSale[],
): Promise<readonly StoredVariance[]> => {
  const open = rows.filter(({ detail }) => isOpenDetail(detail));
  const expectations = await expectationsOf(
    ports.workspace,
    open.map((row) => ({ ...row, alternatives: [] })),
  );
  const stored = new Map(sales.map(({ sale }) => [sale.key, sale]));
  return open.flatMap((row) => {
    const sale = stored.get(row.key);
    const expectation = expectations.get(row.key);
    if (!sale || !expectation || expectation.basis === 'refused') return [];
    return [{ sale, expectation: expectation.result, gap: gapAt(ports, sale), row }];
  });
};

const keepRows = async (
  { workspace }: ClosePorts,
  slot: string,
  changed: readonly CalculatedSale[],
): Promise<void> => {
  const page =
    changed.length === 0 ? undefined : await readPage<CalculatedSale>(workspace, 'calculated', slot);
  if (!page) return;
  const found = new Map(changed.map((row) => [row.key, row]));
  const rows = page.rows.map((row) => found.get(row.key) ?? row);
  const left = rows.filter(({ basis, detail }) => basis === 'refused' || isOpenDetail(detail)).length;
  await keepPage(workspace, 'calculated', slot, { input: page.input, open: left, rows });
};

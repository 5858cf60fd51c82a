import type { FilingPeriod } from '../../../kernel/period.ts';
import type { LoggedSales } from '../../evidence/logged.ts';
import { type DetailedSale, detailedPage } from '../../period-sales/detailed-sales.ts';
import type { SettledSale } from '../../period-sales/settled-sale.ts';
import { type ListedRow, listedRow } from '../../reconcile/detail-row.ts';
import { digestOfPage, openSlotOf, placesOfPage, type SalesPage } from '../../workspace/sale-page.ts';
import {
  keepBytes,
  keepPage,
  pageDigests,
  pageHead,
  readBytes,
  readPage,
} from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../close-ports.ts';
import { pageInput } from '../page-input.ts';
import { reconciledFrom } from '../reconciled-from.ts';
import { type FoundOfPage, foundOfPage, logSales } from './log-sales.ts';
import { type PageSums, sumsOfPage } from './page-sums.ts';

/** What the books need of a page of sales: the lines of the evidence, and what its sales come to. */
export type GatheredPage = Pick<LoggedSales, 'sales' | 'questions' | 'records'> & { readonly sums: PageSums };

/** Beside the lines of the sales, which are kept as the evidence has them. */
type Beside = Omit<GatheredPage, 'sales'>;

/** What the books need of a page of sales: as it was kept, where nothing of it has changed. */
export const gatheredPage = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
): Promise<GatheredPage> => {
  const { workspace } = ports;
  const { slot } = page;
  if (!isKept(page)) {
    const { sales } = await detailedPage(workspace, page);
    return gathered(ports, period, sales, await foundOfPage(ports, slot));
  }
  const input = await inputOf(ports, period, page);
  const head = await pageHead(workspace, 'logged', slot);
  if (head?.input === input) {
    const beside = await readPage<Beside>(workspace, 'gathered', slot);
    const [found] = beside?.input === input ? beside.rows : [];
    if (found)
      return { sales: { records: head.rows, member: await readBytes(workspace, 'logged', head) }, ...found };
  }
  const { sales } = await detailedPage(workspace, page);
  return keepGathered(ports, period, page, sales, await foundOfPage(ports, slot));
};

/** The rows of Detail of a page whose gathered page stands. */
export const listedPage = async (
  ports: ClosePorts,
  page: SalesPage<SettledSale>,
): Promise<readonly ListedRow[]> => {
  const { workspace } = ports;
  const known = isKept(page) ? await readPage<ListedRow>(workspace, 'listed', page.slot) : undefined;
  if (known && known.input === (await pageHead(workspace, 'gathered', page.slot))?.input) return known.rows;
  return (await detailedPage(workspace, page)).sales.map(({ row }) => listedRow(row));
};

/** Keep what the books need of a page, while what it follows from is at hand. */
export const gatherPage = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
  given: () => Promise<{ readonly sales: readonly DetailedSale[]; readonly found: FoundOfPage }>,
): Promise<void> => {
  if (!isKept(page)) return;
  const { sales, found } = await given();
  await keepGathered(ports, period, page, sales, found);
};

const keepGathered = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
  detailed: readonly DetailedSale[],
  found: FoundOfPage,
): Promise<GatheredPage> => {
  const { workspace } = ports;
  const { slot } = page;
  const input = await inputOf(ports, period, page);
  const { sales, ...beside } = await gathered(ports, period, detailed, found);
  await keepPage<Beside>(workspace, 'gathered', slot, { input, open: 0, rows: [beside] });
  const rows = detailed.map(({ row }) => listedRow(row));
  await keepPage<ListedRow>(workspace, 'listed', slot, { input, open: 0, rows });
  await keepBytes(workspace, 'logged', slot, { input, rows: sales.records, body: sales.member });
  return { sales, ...beside };
};

const gathered = async (
  ports: ClosePorts,
  period: FilingPeriod,
  detailed: readonly DetailedSale[],
  found: FoundOfPage,
): Promise<GatheredPage> => {
  const { recorded, ...logged } = await logSales(ports, detailed, found);
  return { ...logged, sums: sumsOfPage(ports, period, detailed, recorded) };
};

/** Filed sales are seldom reported again. */
const isKept = ({ slot }: SalesPage): boolean => openSlotOf(slot) !== undefined;

/** Digest of everything that follows from a page. */
const inputOf = async (
  ports: ClosePorts,
  { label }: FilingPeriod,
  page: SalesPage<SettledSale>,
): Promise<string> => {
  const stages = [...reconciledFrom(ports), 'reconciled'] as const;
  return pageInput(ports, 'gather', {
    period: label,
    sales: digestOfPage(page),
    // The lines name where each sale stands, which moves when the export is taken again.
    places: placesOfPage(page),
    heads: await pageDigests(ports.workspace, stages, page.slot),
  });
};

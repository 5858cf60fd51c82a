import type { FilingPeriod } from '../../../kernel/period.ts';
import type { LoggedSales } from '../../evidence/logged.ts';
import { type DetailedSale, detailedPage } from '../../period-sales/detailed-sales.ts';
import type { SettledSale } from '../../period-sales/with-settled-exemption.ts';
import { type DetailLine, detailLineOf } from '../../reconcile/detail-row.ts';
import { digestOfPage, openSlotOf, placesOfPage, type SalesPage } from '../../workspace/sale-page.ts';
import {
  keepBytes,
  keepPage,
  pageDigests,
  pageHead,
  readBytes,
  readPage,
} from '../../workspace/stage-pages.ts';
import { pageInput } from '../inputs/page-input.ts';
import { reconciledFrom } from '../inputs/reconciled-from.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type FoundOfPage, foundOfPage, logSales } from './log-sales.ts';
import { type PageSums, sumsOfPage } from './page-sums.ts';

/** What the books need of a page of sales: the lines of the evidence, and what its sales come to. */
export type BookPage = Pick<LoggedSales, 'sales' | 'questions' | 'records'> & { readonly sums: PageSums };

/** What is kept as rows; the lines of the sales are kept as the evidence has them. */
type KeptRow = Omit<BookPage, 'sales'>;

/** What the books need of a page of sales: as it was kept, where nothing of it has changed. */
export const bookPage = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
): Promise<BookPage> => {
  const { workspace } = ports;
  const { slot } = page;
  if (!isKept(page)) {
    const { sales } = await detailedPage(workspace, page);
    return partsOf(ports, period, sales, await foundOfPage(ports, slot));
  }
  const input = await inputOf(ports, period, page);
  const head = await pageHead(workspace, 'evidence', slot);
  if (head?.input === input) {
    const kept = await readPage<KeptRow>(workspace, 'sums', slot);
    const [found] = kept?.input === input ? kept.rows : [];
    if (found)
      return {
        sales: { records: head.rows, member: await readBytes(workspace, 'evidence', head) },
        ...found,
      };
  }
  const { sales } = await detailedPage(workspace, page);
  return keepParts(ports, period, page, sales, await foundOfPage(ports, slot));
};

/** The rows of Detail of a page: as they were kept with what it comes to, where that stands. */
export const detailLinesOf = async (
  ports: ClosePorts,
  page: SalesPage<SettledSale>,
): Promise<readonly DetailLine[]> => {
  const { workspace } = ports;
  const known = isKept(page) ? await readPage<DetailLine>(workspace, 'detail', page.slot) : undefined;
  if (known && known.input === (await pageHead(workspace, 'sums', page.slot))?.input) return known.rows;
  return (await detailedPage(workspace, page)).sales.map(({ row }) => detailLineOf(row));
};

/** Keep what the books need of a page, while what it follows from is at hand. */
export const keepBookPage = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
  given: () => Promise<{ readonly sales: readonly DetailedSale[]; readonly found: FoundOfPage }>,
): Promise<void> => {
  if (!isKept(page)) return;
  const { sales, found } = await given();
  await keepParts(ports, period, page, sales, found);
};

const keepParts = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
  detailed: readonly DetailedSale[],
  found: FoundOfPage,
): Promise<BookPage> => {
  const { workspace } = ports;
  const { slot } = page;
  const input = await inputOf(ports, period, page);
  const { sales, ...row } = await partsOf(ports, period, detailed, found);
  await keepPage<KeptRow>(workspace, 'sums', slot, { input, open: 0, rows: [row] });
  const rows = detailed.map(({ row }) => detailLineOf(row));
  await keepPage<DetailLine>(workspace, 'detail', slot, { input, open: 0, rows });
  await keepBytes(workspace, 'evidence', slot, { input, rows: sales.records, body: sales.member });
  return { sales, ...row };
};

const partsOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  detailed: readonly DetailedSale[],
  found: FoundOfPage,
): Promise<BookPage> => {
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
  return pageInput(ports, 'book', {
    period: label,
    sales: digestOfPage(page),
    // The lines name where each sale stands, which moves when the export is taken again.
    places: placesOfPage(page),
    heads: await pageDigests(ports.workspace, stages, page.slot),
  });
};

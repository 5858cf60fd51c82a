import type { FilingPeriod } from '../../../kernel/period.ts';
import { setDigest } from '../../../kernel/set-digest.ts';
import type { LoggedSales, RecordedSum } from '../../evidence/logged.ts';
import { filingFigures } from '../../figures/filing-figures.ts';
import { type Correction, type GivenBackBeyond, givenBackBeyond } from '../../figures/given-back-beyond.ts';
import { type DetailedSale, detailedPage } from '../../period-sales/detailed-sales.ts';
import type { SettledSale } from '../../period-sales/with-settled-exemption.ts';
import { figuredText } from '../../periods/closing.ts';
import { addStated } from '../../periods/exports-digests-of.ts';
import type { FoundOfSale } from '../../reconcile/corrected-findings.ts';
import { deniedNexus } from '../../reconcile/denied-nexus.ts';
import { type DetailLine, detailLineOf } from '../../reconcile/detail-row.ts';
import { type DraftException, exceptionsOfOpinion, exceptionsOfSale } from '../../reconcile/exceptions.ts';
import { channelTotals } from '../../reconcile/expected-totals.ts';
import { addRecorded, addRow, emptyTotals, keptTotals } from '../../reconcile/period-totals.ts';
import {
  type RefundedOrder,
  type Repayment,
  refundedOrderOf,
  repaymentOf,
} from '../../reconcile/refund-link.ts';
import { entryOf } from '../../sales/corrections.ts';
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
import { nothingDue } from '../recompute/calculations.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { exemptSalesOf } from './exempt-sales.ts';
import { type FoundOfPage, foundOfPage, logSales } from './log-sales.ts';

/** The data that the books need from a page of sales: the lines of the evidence, and the totals of its sales. */
export type BookPage = Pick<LoggedSales, 'sales' | 'questions' | 'records'> & { readonly sums: PageSums };

/** The parts that are stored as rows. The lines of the sales are stored as bytes, as in the evidence. */
type KeptRow = Omit<BookPage, 'sales'>;

/** Returns the book page of a page of sales: the stored one, if its inputs are unchanged. */
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

/** Returns the rows of Detail of a page: the stored ones, if they match its stored sums. */
export const detailLinesOf = async (
  ports: ClosePorts,
  page: SalesPage<SettledSale>,
): Promise<readonly DetailLine[]> => {
  const { workspace } = ports;
  const known = isKept(page) ? await readPage<DetailLine>(workspace, 'detail', page.slot) : undefined;
  if (known && known.input === (await pageHead(workspace, 'sums', page.slot))?.input) return known.rows;
  return (await detailedPage(workspace, page)).sales.map(({ row }) => detailLineOf(row));
};

/** Store the book page of a page of sales while its inputs are in memory. */
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

/** Only open pages are stored, because filed sales are seldom reported again. */
const isKept = ({ slot }: SalesPage): boolean => openSlotOf(slot) !== undefined;

/** Returns a digest of all inputs of a book page. */
const inputOf = async (
  ports: ClosePorts,
  { label }: FilingPeriod,
  page: SalesPage<SettledSale>,
): Promise<string> => {
  const stages = [...reconciledFrom(ports), 'reconciled'] as const;
  return pageInput(ports, 'book', {
    period: label,
    sales: digestOfPage(page),
    // The lines name the place of each sale, which changes with a new export.
    places: placesOfPage(page),
    heads: await pageDigests(ports.workspace, stages, page.slot),
  });
};

/** The totals of a page of sales, as plain data. The totals of a period are those of its pages added up. */
type PageSums = ReturnType<typeof sumsOfPage>;

/** @param recorded the service's records of these sales, added up by day and channel */
const sumsOfPage = (
  ports: ClosePorts,
  period: FilingPeriod,
  page: readonly DetailedSale[],
  recorded: readonly RecordedSum[],
) => {
  const totals = emptyTotals();
  const channels = channelTotals(period);
  const [figures, stated] = [setDigest(), setDigest()];
  const filing = filingFigures(ports.configuration.registrations, period);
  const found: FoundOfSale[] = [];
  const refunds: Repayment[] = [];
  const beyond: GivenBackBeyond[] = [];
  const orders: (readonly [string, RefundedOrder])[] = [];
  const denied = deniedNexus();
  let todaysRates = 0;
  for (const detailed of page) {
    const { row, sale, reconciled, filed, late } = detailed;
    figures.add(figuredText(detailed));
    addStated(stated, sale);
    addRow(totals, row);
    channels.add(row, sale);
    filing.add(row, sale);
    const drafts = exceptionsOfDetailed(ports, detailed, period);
    if (drafts.length > 0) found.push({ key: sale.key, drafts });
    const isReversal = late !== undefined && entryOf(sale, late.corrects).isReversal;
    if (sale.kind === 'order' && !filed && !late) orders.push([sale.key, refundedOrderOf(sale)]);
    // The reversal of a filed record does not repay anything.
    if (sale.kind === 'refund' && !isReversal) refunds.push(repaymentOf(row, sale));
    const correction = correctionOf(detailed, isReversal);
    if (sale.kind === 'refund' || correction) beyond.push(...givenBackBeyond(row, sale, correction));
    if (reconciled?.hasTodaysRates) todaysRates += 1;
    // A filed sale and the reversal of one have the figures that were filed, and no answer of this close.
    if (reconciled && !filed && !late?.reversedFigures && nothingDue(ports, sale) === undefined)
      denied.add(sale, reconciled);
  }
  for (const { day, channel, ...sum } of recorded) addRecorded(totals, day, channel, sum);
  return {
    totals: keptTotals(totals),
    channels: channels.kept(),
    figures: figures.hex(),
    stated: stated.hex(),
    exempt: exemptSalesOf(page),
    filing: filing.kept(),
    found,
    refunds,
    beyond,
    orders,
    todaysRates,
    denied: denied.kept(),
  };
};

const correctionOf = ({ sale, late }: DetailedSale, isReversal: boolean): Correction | undefined =>
  late && late.corrects !== sale.key
    ? { corrects: late.corrects, ...(isReversal && { soldOn: sale.businessDate }) }
    : undefined;

const exceptionsOfDetailed = (
  ports: ClosePorts,
  { row, sale, reconciled, late }: DetailedSale,
  period: FilingPeriod,
): readonly DraftException[] => {
  const found = [
    ...exceptionsOfSale(row, sale, reconciled?.differences ?? [], {
      period,
      isDue: nothingDue(ports, sale) === undefined,
    }),
    ...(reconciled ? exceptionsOfOpinion(row, reconciled) : []),
  ];
  // For a sale that is filed in another period, a finding on a few hours at the edge of the period is irrelevant.
  return late ? found.filter(({ code }) => code !== 'R16') : found;
};

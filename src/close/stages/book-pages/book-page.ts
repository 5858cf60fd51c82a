import type { FilingPeriod } from '../../../kernel/period.ts';
import { setDigest } from '../../../kernel/set-digest.ts';
import { type Entry, entryText } from '../../evidence/entry.ts';
import { type LogMember, logMember } from '../../evidence/log-file.ts';
import { sumsOf } from '../../evidence/sums.ts';
import type { DetailedSale } from '../../period-sales/detailed-sales.ts';
import type { SettledSale } from '../../period-sales/with-settled-exemption.ts';
import { figuredText } from '../../periods/closing.ts';
import { addStated } from '../../periods/exports-digests-of.ts';
import { type DetailLine, detailLineOf } from '../../reconcile/detail-row.ts';
import { digestOfPage, openSlotOf, placesOfPage, type SalesPage } from '../../workspace/sale-page.ts';
import { keepBytes, keepPage, pageDigests } from '../../workspace/stage-pages.ts';
import { pageInput } from '../inputs/page-input.ts';
import { reconciledFrom } from '../inputs/reconciled-from.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { derivationOf } from './derivation-of.ts';
import { entriesOf, type FoundOfPage } from './entries-of.ts';

/** The data that the books need from a page of sales: its entries, and the totals of its sales. */
export type BookPage = { readonly entries: LogMember; readonly sums: PageSums };

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
  const parts = await partsOf(ports, period, detailed, found);
  await keepPage<PageSums>(workspace, 'sums', slot, { input, open: 0, rows: [parts.sums] });
  const rows = detailed.map(({ row }) => detailLineOf(row));
  await keepPage<DetailLine>(workspace, 'detail', slot, { input, open: 0, rows });
  const { records, member } = parts.entries;
  await keepBytes(workspace, 'evidence', slot, { input, rows: records, body: member });
  return parts;
};

const partsOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  detailed: readonly DetailedSale[],
  found: FoundOfPage,
): Promise<BookPage> => {
  const entries = await entriesOf(ports, detailed, found);
  const derivation = derivationOf(ports);
  return {
    entries: await logMember(entries.map((entry) => entryText(entry, derivation))),
    sums: sumsOfPage(ports, period, detailed, entries),
  };
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

/** The sums of a page of sales, with digests of what is stated of them and of their figures, as plain data. */
type PageSums = ReturnType<typeof sumsOfPage>;

const sumsOfPage = (
  { configuration: { registrations } }: ClosePorts,
  period: FilingPeriod,
  page: readonly DetailedSale[],
  entries: readonly Entry[],
) => {
  const [figures, stated] = [setDigest(), setDigest()];
  for (const detailed of page) {
    figures.add(figuredText(detailed));
    addStated(stated, detailed.sale);
  }
  return { ...sumsOf(entries, { period, registrations }), figures: figures.hex(), stated: stated.hex() };
};

import { isAmendmentLabel } from '../../kernel/amended-version.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { digestOf } from '../../kernel/digest.ts';
import { TieoutError } from '../../kernel/errors.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { entryOf } from '../sales/corrections.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { type CarriedSale, carriedPages } from '../workspace/carried-sales.ts';
import { registerFilesOf, registerOfFiles } from '../workspace/certificate-files.ts';
import { firstClosedDay } from '../workspace/closings.ts';
import { filedPages } from '../workspace/filed-pages.ts';
import { locksOf } from '../workspace/locks.ts';
import { lockingsOf } from '../workspace/period-events.ts';
import type { StatedSale } from '../workspace/sale-changes.ts';
import { openAmong } from '../workspace/sale-index.ts';
import {
  lazyPage,
  openSlotOf,
  type SalesPage,
  type StoredSale,
  slotOf,
  slotOfKind,
} from '../workspace/sale-page.ts';
import { type SalePageHead, salePageAt } from '../workspace/sale-page-rows.ts';
import { DECODED_PAGES, readSalePage, salePageHeads } from '../workspace/sale-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type FilingPlan, filingPlan, isOpenSpan, planOfDay, type Span } from './filing-plan.ts';
import { type ReportPlan, replacedSince } from './replaced-since.ts';
import { type SettledSale, withSettledExemption } from './with-settled-exemption.ts';

/**
 * Yields the sales of a period in pages: first those carried into it, then its own, day by day. Days that are locked
 * yield what was filed, whatever the exports state now. This is the order of every listing and workbook. The exemption
 * of each sale is decided here, once for all stages.
 */
export async function* salesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<SalesPage<SettledSale>> {
  const files = await registerFilesOf(workspace);
  const register = registerOfFiles(files);
  const certificates = register && digestOf(files.map(({ sha256 }) => sha256));
  for await (const page of storedPages(workspace, period, part)) {
    const content = page.content && certificates ? digestOf([page.content, certificates]) : page.content;
    yield lazyPage({ slot: page.slot, content, places: page.places }, () =>
      page.sales.map((stored) => withSettledExemption(stored, register)),
    );
  }
}

/**
 * A part of a period: the pages of one day, the pages in these slots, or all pages with at least the sales to these
 * states.
 */
export type PartOfSales =
  | { readonly day: CalendarDate }
  | { readonly slots: readonly string[] }
  | { readonly states: readonly string[] };

/** Yields the slots of the sales of a period that may still change, in the order of its pages. */
export async function* slotsOf(workspace: Workspace, period: FilingPeriod): AsyncGenerator<string> {
  const locks = await locksOf(workspace);
  const plan = filingPlan(period, locks);
  if (locks.length > 0) for await (const { slot } of carriedInto(workspace, plan)) yield slot;
  for (const span of plan.spans.filter(isOpenSpan)) {
    if (locks.length > 0) {
      for await (const { slot } of openIn(workspace, span, { hasLocks: true })) yield slot;
      continue;
    }
    for (const head of await salePageHeads(workspace, span)) yield slotOf(head);
  }
}

/** Yields the same pages, with the sales as the exports state them. */
export async function* storedPages(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<SalesPage> {
  const locks = await locksOf(workspace);
  const whole = filingPlan(period, locks);
  const hasLocks = locks.length > 0;
  if (part && 'slots' in part) {
    const wanted = new Set(part.slots);
    const beside = hasLocks && part.slots.some((slot) => openSlotOf(slot) === undefined);
    if (beside)
      for await (const page of filedAndCarriedPages(workspace, period)) if (wanted.has(page.slot)) yield page;
    for (const slot of part.slots) {
      const open = openSlotOf(slot);
      const head = open && (await salePageAt(workspace, open));
      if (head) yield await openPage(workspace, head, { hasLocks });
    }
    return;
  }
  const plan = part && 'day' in part ? planOfDay(whole, part.day) : whole;
  const states = part && 'states' in part ? part.states : undefined;
  if (hasLocks) yield* carriedInto(workspace, plan);
  for (const span of plan.spans) {
    if (isOpenSpan(span)) yield* openIn(workspace, span, { hasLocks, states });
    else yield* filedIn(workspace, span, { locks, amendment: plan.amendment });
  }
}

/** Yields the pages of a period that are not open days: records carried into it, and days that are locked. */
export async function* filedAndCarriedPages(
  workspace: Workspace,
  period: FilingPeriod,
): AsyncGenerator<SalesPage> {
  const locks = await locksOf(workspace);
  if (locks.length === 0) return;
  const plan = filingPlan(period, locks);
  yield* carriedInto(workspace, plan);
  const { spans, amendment } = plan;
  for (const span of spans) if (!isOpenSpan(span)) yield* filedIn(workspace, span, { locks, amendment });
}

/**
 * Yields the posted sales of a period that may still change, in the same order, or a part of them. The stages work on
 * these.
 */
export async function* postedSalesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<SalesPage<SettledSale>> {
  for await (const page of salesOf(workspace, period, part))
    yield lazyPage(page, () => page.sales.filter(isPostedOpen));
}

/** Whether a sale is posted, and may still change. */
export const isPostedOpen = ({ posting, filed }: StoredSale): boolean =>
  posting === 'posted' && filed === undefined;

type Reading = {
  readonly hasLocks: boolean;
  readonly states?: readonly string[] | undefined;
  /** Whether the decoded sales are kept in memory. */
  readonly isKept?: boolean;
};

async function* openIn(workspace: Workspace, span: Span, reading: Reading): AsyncGenerator<SalesPage> {
  const heads = await salePageHeads(workspace, span);
  const isKept = heads.length <= DECODED_PAGES;
  for (const head of heads) {
    const page = await openPage(workspace, head, { ...reading, isKept });
    if (!reading.hasLocks || page.sales.length > 0) yield page;
  }
}

const openPage = async (
  workspace: Workspace,
  head: SalePageHead,
  { hasLocks, states, isKept }: Reading,
): Promise<SalesPage> => {
  const stated = await readSalePage(workspace, head, isKept, states);
  const stored = ({ sale, digest }: StatedSale): StoredSale => ({ sale, digest, posting: postingOf(sale) });
  const { content, checksum: places } = head;
  if (!hasLocks) return lazyPage({ slot: slotOf(head), content, places }, () => stated().map(stored));
  const sales = stated();
  const keys = sales.map(({ key }) => key);
  const open = await openAmong(workspace, keys, hasLocks);
  return { slot: slotOf(head), sales: sales.filter(({ key }) => open.has(key)).map(stored) };
};

async function* filedIn(
  workspace: Workspace,
  { first, last, labels }: Span,
  known: Omit<ReportPlan, 'begins' | 'lockings'>,
): AsyncGenerator<SalesPage> {
  const [begins, lockings] = [await firstClosedDay(workspace), await lockingsOf(workspace)];
  const report = { ...known, begins, lockings };
  for await (const page of filedPages(workspace, labels, { first, last })) {
    const unposted = page.filter(({ posting }) => posting !== 'posted');
    const replaced = await replacedSince(workspace, unposted, report);
    const standing = page.filter((row) => !replaced.has(row));
    if (standing.length === 0) continue;
    yield {
      slot: slotOfKind('filed', labels.join(' '), page.at(-1)?.key ?? ''),
      sales: standing.map(({ label, body, digest, posting, figures, source, corrects }) => ({
        ...{ sale: JSON.parse(body) as Sale, digest, posting, filed: { figures } },
        ...(source !== '' && {
          late: { source, corrects, reversedFigures: null, isAmended: isAmendmentLabel(label) },
        }),
      })),
    };
  }
}

/** Yields the records carried into open days of the period, or added to the amended version if it is one. */
async function* carriedInto(
  workspace: Workspace,
  { spans, amendment }: FilingPlan,
): AsyncGenerator<SalesPage> {
  const days = amendment === undefined ? spans.filter(isOpenSpan) : spans;
  for (const { first, last } of days) {
    for await (const page of carriedPages(workspace, amendment ?? '', { first, last })) {
      yield {
        slot: slotOfKind('late', amendment ?? page[0]?.filed_on ?? '', page.at(-1)?.key ?? ''),
        sales: page.map(storedSale),
      };
    }
  }
}

const storedSale = (row: CarriedSale): StoredSale => {
  const { key, body, digest, posting, filed_on: filedOn, source, corrects, replaces } = row;
  const sale = JSON.parse(body) as Sale;
  const { isReversal } = entryOf(sale, corrects);
  const reversedFigures = isReversal ? row.replacedFigures : null;
  if (isReversal && reversedFigures === null) throw notFiled(key, replaces);
  const isAmended = row.amendment !== '';
  return { sale, digest, posting, filedOn, late: { source, corrects, reversedFigures, isAmended } };
};

const notFiled = (key: string, replaces: string): TieoutError =>
  new TieoutError({
    code: 'E_LOCK_BROKEN',
    message: `${key} takes back ${replaces}, which no lock of this workspace holds`,
    nextStep: 'Put back a copy of the workspace with `tieout restore`.',
  });

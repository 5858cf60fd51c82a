import { pagesOf } from '../../../database/pages.ts';
import { addDays, startOfUtcDay } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf, providersOf } from '../../configuration/provider-of.ts';
import { filingPlan, isOpenSpan, type Span } from '../../workspace/filing-plan.ts';
import { locksOf } from '../../workspace/locks.ts';
import { isOf, nameOfKey } from '../../workspace/sale-key.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { pageHeads } from '../../workspace/stage-pages.ts';
import type { SaleRow } from '../../workspace/tables.ts';
import type { ClosePorts } from '../close-ports.ts';
import { type ListedWindow, listedWindows } from '../pull-back/listed-windows.ts';
import { isReadBack } from '../pull-back/pull-back.ts';
import { noteMissing, submittedIn, submittedStage } from './submission.ts';

/**
 * Find what the service held of the open days of a period and lists no more, so that it is sent again in this run.
 * Where nothing is held yet, or nothing has changed since everything was read back, nothing is listed.
 */
export const noteVanished = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  if (await isReadBack(ports, period)) return 0;
  const { spans } = filingPlan(period, await locksOf(ports.workspace));
  let vanished = 0;
  for (const span of spans.filter(isOpenSpan)) vanished += await noteVanishedIn(ports, span);
  return vanished;
};

const noteVanishedIn = async (ports: ClosePorts, span: Span): Promise<number> => {
  const days = { first: beginningOf(span.first), last: beginningOf(span.last) };
  const heads = await pageHeads(ports.workspace, submittedStage(ports), days);
  if (!heads.some(({ rows, open }) => rows > open)) return 0;
  const missing = new Map<string, Set<string>>();
  for await (const window of listedWindows(ports, span, providersOf(ports.configuration))) {
    const unlisted = await unlistedSales(ports, span, window);
    if (unlisted.size === 0) continue;
    // A page holds sales of one day; in no time zone does it differ from the listed one by more than a day.
    const near = {
      first: beginningOf(addDays(window.first, -1)),
      last: beginningOf(addDays(window.last, 1)),
    };
    for (const { slot } of await pageHeads(ports.workspace, submittedStage(ports), near)) {
      const gone = missing.get(slot) ?? new Set<string>();
      for (const { key, state } of (await submittedIn(ports, slot)).values())
        if (state === 'held' && unlisted.has(key)) gone.add(key);
      missing.set(slot, gone);
    }
  }
  let vanished = 0;
  for (const [slot, keys] of missing) {
    vanished += keys.size;
    await noteMissing(ports, slot, keys);
  }
  return vanished;
};

/** The posted sales of the days of a window of which a record, or an adjustment, is not listed. */
const unlistedSales = async (
  ports: ClosePorts,
  span: Span,
  window: ListedWindow,
): Promise<ReadonlySet<string>> => {
  const unlisted = new Set<string>();
  for await (const page of salesIn(ports, span, window))
    for (const { key } of page) if (!window.ids.has(nameOfKey(key).id)) unlisted.add(key);
  for (const { key, id } of await adjustmentsIn(ports, span, window))
    if (!window.ids.has(id)) unlisted.add(key);
  return unlisted;
};

type Listed = Pick<SaleRow, 'key'>;

/** Keys in one read: they are short. */
const PAGE_KEYS = 5_000;

const salesIn = (
  { workspace, configuration }: ClosePorts,
  span: Span,
  window: ListedWindow,
): AsyncGenerator<readonly Listed[]> => {
  const channels = configuration.channels
    .map(({ name }) => name)
    .filter((name) => providerOf(configuration, name) === window.provider);
  return pagesOf<Listed>(PAGE_KEYS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('sale')
      .select('key')
      .where('entity', '=', workspace.entity)
      .where('posting', '=', 'posted')
      .where('business_date', '>=', span.first)
      .where('business_date', '<=', span.last)
      .where(({ or }) => or(channels.map((name) => isOf(name, window.kind))))
      .where('instant', '>=', startOfUtcDay(window.first))
      .where('instant', '<', startOfUtcDay(addDays(window.last, 1)))
      .$if(after !== undefined, (query) => query.where('key', '>', after?.key ?? ''))
      .orderBy('key')
      .limit(rowsMax)
      .execute(),
  );
};

/** Adjustments are few, so they need no pages. */
const adjustmentsIn = async (
  { workspace, serviceName }: ClosePorts,
  span: Span,
  { provider, kind, ...window }: ListedWindow,
): Promise<readonly { readonly key: string; readonly id: string }[]> =>
  kind === 'order'
    ? []
    : workspace.tables
        .selectFrom('refund_adjustment')
        .innerJoin('sale', (join) =>
          join
            .onRef('sale.entity', '=', 'refund_adjustment.entity')
            .onRef('sale.key', '=', 'refund_adjustment.key'),
        )
        .select(['refund_adjustment.key', 'refund_adjustment.id'])
        .where('refund_adjustment.entity', '=', workspace.entity)
        .where('refund_adjustment.service', '=', serviceName)
        .where('refund_adjustment.provider', '=', provider)
        .where('sale.posting', '=', 'posted')
        .where('sale.business_date', '>=', span.first)
        .where('sale.business_date', '<=', span.last)
        .where('sale.instant', '>=', startOfUtcDay(window.first))
        .where('sale.instant', '<', startOfUtcDay(addDays(window.last, 1)))
        .execute();

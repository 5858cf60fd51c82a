import { pagesOf } from '../../../database/pages.ts';
import { addDays, startOfUtcDay } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf, providersOf } from '../../configuration/provider-of.ts';
import { filingPlan, isOpenSpan, type Span } from '../../workspace/filing-plan.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { SaleRow } from '../../workspace/tables.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import { noteMissing } from '../note-missing.ts';
import { type ListedWindow, listedWindows } from '../pull-back/listed-windows.ts';

/**
 * Find what the service held of the open days of a period and lists no more, so that it is sent again in this run.
 * Where nothing is held yet, nothing is listed either.
 */
export const noteVanished = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { spans } = filingPlan(period, await locksOf(ports.workspace));
  let vanished = 0;
  for (const span of spans.filter(isOpenSpan)) vanished += await noteVanishedIn(ports, span);
  return vanished;
};

const noteVanishedIn = async (ports: ClosePorts, span: Span): Promise<number> => {
  if (!(await isAnythingHeld(ports, span))) return 0;
  let vanished = 0;
  for await (const window of listedWindows(ports, span, providersOf(ports.configuration))) {
    for await (const page of heldPages(ports, span, window)) {
      const gone = page.filter(({ id }) => !window.ids.has(id)).map(({ key }) => key);
      vanished += gone.length;
      await noteMissing(ports, gone);
    }
    const adjusted = await adjustmentsIn(ports, span, window);
    const incomplete = adjusted.filter(({ id }) => !window.ids.has(id)).map(({ key }) => key);
    vanished += incomplete.length;
    await noteMissing(ports, incomplete);
  }
  return vanished;
};

const heldIn = ({ workspace, serviceName }: ClosePorts, span: Span) =>
  workspace.tables
    .selectFrom('submission')
    .innerJoin('sale', (join) =>
      join.onRef('sale.entity', '=', 'submission.entity').onRef('sale.key', '=', 'submission.key'),
    )
    .where('submission.entity', '=', workspace.entity)
    .where('submission.service', '=', serviceName)
    .where('submission.state', '=', 'held')
    .where('sale.posting', '=', 'posted')
    .where('sale.business_date', '>=', span.first)
    .where('sale.business_date', '<=', span.last);

/** Adjustments are few, so they need no pages. */
const adjustmentsIn = (ports: ClosePorts, span: Span, { provider, kind, ...window }: ListedWindow) =>
  kind === 'order'
    ? []
    : heldIn(ports, span)
        .innerJoin('refund_adjustment', (join) =>
          join
            .onRef('refund_adjustment.entity', '=', 'submission.entity')
            .onRef('refund_adjustment.service', '=', 'submission.service')
            .onRef('refund_adjustment.key', '=', 'submission.key'),
        )
        .select(['refund_adjustment.key', 'refund_adjustment.id'])
        .where('refund_adjustment.provider', '=', provider)
        .where('sale.instant', '>=', startOfUtcDay(window.first))
        .where('sale.instant', '<', startOfUtcDay(addDays(window.last, 1)))
        .execute();

const isAnythingHeld = async (ports: ClosePorts, span: Span): Promise<boolean> => {
  const one = await heldIn(ports, span).select('sale.key').limit(1).executeTakeFirst();
  return one !== undefined;
};

/** What should be listed for the days of a window. */
const heldPages = (
  ports: ClosePorts,
  span: Span,
  window: ListedWindow,
): AsyncGenerator<readonly Pick<SaleRow, 'key' | 'id'>[]> => {
  const channels = ports.configuration.channels
    .map(({ name }) => name)
    .filter((name) => providerOf(ports.configuration, name) === window.provider);
  return pagesOf<Pick<SaleRow, 'key' | 'id'>>(BATCH_ROWS, (after, rowsMax) =>
    heldIn(ports, span)
      .select(['sale.key', 'sale.id'])
      .where('sale.channel', 'in', channels)
      .where('sale.kind', '=', window.kind)
      .where('sale.instant', '>=', startOfUtcDay(window.first))
      .where('sale.instant', '<', startOfUtcDay(addDays(window.last, 1)))
      .$if(after !== undefined, (query) => query.where('sale.key', '>', after?.key ?? ''))
      .orderBy('sale.key')
      .limit(rowsMax)
      .execute(),
  );
};

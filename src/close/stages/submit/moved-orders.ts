import { afterKey } from '../../../database/after-key.ts';
import { pagesOf } from '../../../database/pages.ts';
import { addDays, type CalendarDate, startOfUtcDay } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { postedSalesOf, type StoredSale } from '../../workspace/sales-of.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';

/**
 * Orders that were read back of the days of a period, and have another day outside it by now. Whether the books of the
 * period are right must not depend on when the other period is closed, so these leave with this one.
 */
export async function* movedOrders(
  ports: ClosePorts,
  period: FilingPeriod,
): AsyncGenerator<readonly StoredSale[]> {
  for (const { name } of ports.configuration.channels) {
    for await (const page of movedPages(ports, period, name)) {
      for (const [day, orders] of Map.groupBy(page, ({ business_date }) => business_date)) {
        const date = day as CalendarDate;
        const keys = orders.map(({ key }) => key);
        yield* postedSalesOf(ports.workspace, { label: date, first: date, last: date }, { keys });
      }
    }
  }
}

type Moved = {
  readonly instant: number;
  readonly id: string;
  readonly key: string;
  readonly business_date: string;
};

/** Instants of one day more on each side are enough in every time zone, and they have an index. */
const movedPages = (
  { workspace, serviceName, configuration }: ClosePorts,
  { first, last }: FilingPeriod,
  channel: string,
): AsyncGenerator<readonly Moved[]> =>
  pagesOf<Moved>(BATCH_ROWS, (after, rowsMax) =>
    workspace.tables
      .selectFrom('recorded')
      .innerJoin('sale', (join) =>
        join
          .onRef('sale.entity', '=', 'recorded.entity')
          .on(({ eb, val, ref }) =>
            eb('sale.key', '=', eb(val(`${channel}/order/`), '||', ref('recorded.id'))),
          ),
      )
      .select(['recorded.instant', 'recorded.id', 'sale.key', 'sale.business_date'])
      .where('recorded.entity', '=', workspace.entity)
      .where('recorded.service', '=', serviceName)
      .where('recorded.provider', '=', providerOf(configuration, channel))
      .where('recorded.kind', '=', 'order')
      .$if(after === undefined, (query) =>
        query.where('recorded.instant', '>=', startOfUtcDay(addDays(first, -1))),
      )
      .where('recorded.instant', '<', startOfUtcDay(addDays(last, 2)))
      .where('recorded.business_date', '>=', first)
      .where('recorded.business_date', '<=', last)
      .where(({ or, eb }) => or([eb('sale.business_date', '<', first), eb('sale.business_date', '>', last)]))
      .$if(after !== undefined, (query) =>
        query.where(afterKey({ 'recorded.instant': after?.instant ?? 0, 'recorded.id': after?.id ?? '' })),
      )
      .orderBy('recorded.instant')
      .orderBy('recorded.id')
      .limit(rowsMax)
      .execute(),
  );

import { isGone } from '../../../contract/refusal.ts';
import type { Order, Refund } from '../../../contract/transaction.ts';
import { zoneCalendar } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { inParallel } from '../../../runtime/in-parallel.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import type { Sale } from '../../sales/sale.ts';
import { carriedOf } from '../../workspace/sales-of.ts';
import type { ClosePorts } from '../close-ports.ts';

/**
 * Read back what was carried into a period, record by record: the service keeps it under the day of its sale, which
 * no listing of the period's days shows. One that the service does not hold is forgotten here too.
 *
 * @returns how many were read
 */
export const pullCarried = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { workspace, configuration, serviceName } = ports;
  const calendar = zoneCalendar(configuration.timeZone);
  let read = 0;
  for await (const page of carriedOf(workspace, period)) {
    const sales = page.flatMap(({ sale, posting }) => (posting === 'posted' ? [sale] : []));
    if (sales.length === 0) continue;
    const records = await inParallel(sales, ports.callsAtOnce, (sale) => show(ports, sale));
    await workspace.together(async (tables) => {
      for (const [index, sale] of sales.entries()) {
        const record = records[index];
        const provider = providerOf(configuration, sale.channel);
        const place = {
          entity: workspace.entity,
          service: serviceName,
          provider,
          kind: sale.kind,
          id: sale.id,
        };
        if (record) {
          const business_date = calendar.dateAt(record.transaction_date);
          const body = JSON.stringify(record);
          const row = { ...place, instant: record.transaction_date, business_date, body };
          await workspace.upsert('recorded', [row], tables);
          read += 1;
        } else {
          await tables
            .deleteFrom('recorded')
            .where('entity', '=', place.entity)
            .where('service', '=', place.service)
            .where('provider', '=', place.provider)
            .where('kind', '=', place.kind)
            .where('id', '=', place.id)
            .execute();
        }
      }
    });
  }
  return read;
};

const show = async (
  { service, configuration }: ClosePorts,
  { kind, channel, id }: Sale,
): Promise<Order | Refund | undefined> => {
  const query = { provider: providerOf(configuration, channel) };
  try {
    return kind === 'order' ? await service.showOrder(id, query) : await service.showRefund(id, query);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
};

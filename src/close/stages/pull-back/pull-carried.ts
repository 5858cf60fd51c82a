import { zoneCalendar } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { carriedOf } from '../../workspace/sales-of.ts';
import type { ClosePorts } from '../close-ports.ts';
import { forgetOne } from './forget-gone.ts';

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
    const names = sales.map(({ kind, channel, id }) => ({
      provider: providerOf(configuration, channel),
      kind,
      id,
    }));
    const records = await ports.service.showMany(names);
    await workspace.together(async (tables) => {
      for (const [index, name] of names.entries()) {
        const record = records[index];
        if (!record) {
          await forgetOne(ports, name, tables);
          continue;
        }
        const place = { entity: workspace.entity, service: serviceName, ...name };
        const business_date = calendar.dateAt(record.transaction_date);
        const body = JSON.stringify(record);
        const row = { ...place, instant: record.transaction_date, business_date, body };
        await workspace.upsert('recorded', [row], tables);
        read += 1;
      }
    });
  }
  return read;
};

import { zoneCalendar } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providersOf } from '../../configuration/provider-of.ts';
import { filingPlan, isOpenSpan, type Span } from '../../period-sales/filing-plan.ts';
import { CONTRADICTED } from '../../sales/record-id.ts';
import { orderOfRefund } from '../../sales/refunds.ts';
import { locksOf } from '../../workspace/locks.ts';
import { datedAmong } from '../../workspace/sale-index.ts';
import { keysSetAsideFor } from '../../workspace/set-asides.ts';
import { type ListedWindow, listedWindows } from '../listing/listed-windows.ts';
import { channelsOf } from '../listing/window-sales.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { withdraw } from './withdraw.ts';

/**
 * Delete what was recorded of one copy of a record while the exports had no other: by now they have two that contradict
 * each other, and neither is posted. Refunds that followed from such an order go with it. What is recorded is what the
 * service lists: the workspace may have forgotten it, or may never have known that it was taken.
 */
export const withdrawContradicted = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { workspace } = ports;
  const channels = ports.configuration.channels.map(({ name }) => name);
  const contradicted = await keysSetAsideFor(workspace, channels, CONTRADICTED);
  if (contradicted.size === 0) return 0;
  let withdrawn = 0;
  const { spans } = filingPlan(period, await locksOf(workspace));
  for (const span of spans.filter(isOpenSpan))
    for await (const window of listedWindows(ports, span, providersOf(ports.configuration)))
      withdrawn += await withdrawListed(ports, span, window, contradicted);
  return withdrawn;
};

const withdrawListed = async (
  ports: ClosePorts,
  span: Span,
  window: ListedWindow,
  contradicted: ReadonlySet<string>,
): Promise<number> => {
  const { service, configuration } = ports;
  const { provider, kind, fresh } = window;
  const calendar = zoneCalendar(configuration.timeZone);
  let withdrawn = 0;
  for (const channel of channelsOf(ports, window))
    for (const id of fresh) {
      const key = `${channel}/${kind}/${id}`;
      const order = `${channel}/order/${orderOfRefund(id)}`;
      if (!contradicted.has(key) && !(kind === 'refund' && contradicted.has(order))) continue;
      const [record] = (await isPosted(ports, key)) ? [] : await service.showMany([{ provider, kind, id }]);
      const day = record && calendar.dateAt(record.transaction_date);
      if (day === undefined || day < span.first || span.last < day) continue;
      if (await withdraw(ports, { provider, kind, id, key, day })) withdrawn += 1;
    }
  return withdrawn;
};

const isPosted = async ({ workspace }: ClosePorts, key: string): Promise<boolean> =>
  (await datedAmong(workspace, [key])).some(({ posting }) => posting === 'posted');

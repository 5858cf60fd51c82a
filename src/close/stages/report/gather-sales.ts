import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { setDigest } from '../../../kernel/set-digest.ts';
import type { Frame } from '../../evidence/frame.ts';
import type { EvidenceLogs } from '../../evidence/logs.ts';
import { periodSums } from '../../evidence/period-sums.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { alikeOrders } from '../../reconcile/alike-orders.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { lateOn } from '../../workspace/carried-sales.ts';
import { registerFilesOf } from '../../workspace/certificate-files.ts';
import { bookPage } from '../book-pages/book-page.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { inputOf } from './companion-input.ts';
import { decisionsOfVersion } from './decisions-of-version.ts';
import { refundedOrders } from './refund-links.ts';

/** The sums of a period's sales, joined from its pages while these are logged. */
export type GatheredSales = Awaited<ReturnType<typeof gatherSales>>;

export const gatherSales = async (ports: ClosePorts, period: FilingPeriod, logs: EvidenceLogs) => {
  const { workspace, configuration } = ports;
  const [figures, stated] = [setDigest(), setDigest()];
  const files = await registerFilesOf(workspace);
  const settings: Pick<Frame, 'decisions' | 'late' | 'certificates'> = {
    decisions: await decisionsOfVersion(ports, period),
    late: [...(await lateOn(workspace, period))],
    certificates: files.length === 0 ? null : files.flatMap(({ certificates }) => certificates),
  };
  const { registrations } = configuration;
  const refunded = await refundedOrders(workspace, period);
  const sums = periodSums({ period, registrations, refunded, ...settings });
  const alike = alikeOrders();
  const hasChannels = configuration.channels.length > 1;
  for await (const page of salesOf(workspace, period)) {
    const { entries, sums: own } = await bookPage(ports, period, page);
    await logs.write({ entries });
    sums.join(own);
    figures.join(own.figures);
    stated.join(own.stated);
    if (hasChannels)
      for (const [key, order] of own.orders) alike.see({ ...order, key, channel: nameOfKey(key).channel });
  }
  const registerProblems = files.flatMap((file) =>
    file.problems.map((problem): DraftException => ({ ...problem, state: '', effect: ZERO })),
  );
  const registerInputs = files.map((file) => inputOf(file, 'certificates'));
  return { sums, settings, figures, stated, alike: alike.found(), registerProblems, registerInputs };
};

import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import type { ReconciledSale } from '../../reconcile/reconciled-sale.ts';
import type { Sale } from '../../sales/sale.ts';
import { type FiledSale, filedPages } from '../../workspace/filed-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { allAnswers, inLists } from '../run/service-lists.ts';

/**
 * Returns how many records of a locked period the service has lost: they were recorded when the period was locked, but
 * the service no longer shows them. A ledger that was restored from an older backup lacks everything sent since.
 */
export const lostRecords = async (ports: ClosePorts, { label }: FilingPeriod): Promise<number> => {
  const lists = inLists(ports);
  let lost = 0;
  for await (const page of filedPages(ports.workspace, [label])) {
    const names = page.filter(wasRecorded).map(({ body }) => {
      const { channel, kind, id } = JSON.parse(body) as Sale;
      return { provider: providerOf(ports.configuration, channel), kind, id };
    });
    const shown = allAnswers(await lists(names, (list) => ports.service.showMany(list)));
    lost += shown.filter((record) => record === undefined).length;
  }
  return lost;
};

const wasRecorded = ({ figures }: FiledSale): boolean =>
  figures !== null && (JSON.parse(figures) as ReconciledSale).recorded !== null;

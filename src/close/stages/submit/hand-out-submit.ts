import type { FilingPeriod } from '../../../kernel/period.ts';
import { batches } from '../../../runtime/batches.ts';
import type { Workers } from '../../../runtime/workers.ts';
import { postedSalesOf } from '../../workspace/sales-of.ts';
import { handOut } from '../batches/hand-out.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { pendingParcels } from './parcel.ts';
import type { SentFigures } from './submit-transactions.ts';

/** Have workers record what the service does not hold yet as it is now. */
export const handOutSubmit = async (
  ports: ClosePorts,
  workers: Workers,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<SentFigures> => {
  let unchanged = 0;
  async function* pendingKeys(): AsyncGenerator<string> {
    for await (const page of postedSalesOf(ports.workspace, period)) {
      const parcels = await pendingParcels(ports, page);
      unchanged += page.length - parcels.length;
      yield* parcels.map(({ stored }) => stored.sale.key);
    }
  }
  const counted = { created: 0, updated: 0, adjusted: 0, unchanged: 0, refused: 0, conflicts: 0 };
  const sent = await handOut(
    ports,
    workers,
    { stage: 'submit', period, counted },
    batches(pendingKeys(), workers.itemsPerPiece),
    advanced,
  );
  return { ...sent, unchanged: sent.unchanged + unchanged };
};

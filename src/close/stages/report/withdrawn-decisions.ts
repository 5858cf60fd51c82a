import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { postingOf } from '../../sales/sale.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { withdrawnOf } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Returns exceptions for the records that were deleted from the service because their decision was revoked, and that
 * are not posted for another reason. No amount is given, because what their exports state now is not what was recorded.
 */
export const withdrawnDecisions = async (
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<readonly DraftException[]> => {
  const rows = await withdrawnOf(ports, period);
  const sales = await salesByKey(
    ports.workspace,
    rows.map(({ key }) => key),
  );
  return rows.flatMap(({ key, kind, id }): DraftException[] => {
    const sale = sales.get(key);
    if (sale && postingOf(sale) === 'posted') return [];
    return [
      {
        severity: 'notice',
        code: 'decision-withdrawn',
        origin: sale?.origin ?? { file: '', line: 0, record: id },
        message: `the ${kind} ${id} was recorded because a decision said so; the decision was taken back, and the record was deleted from the service`,
        state: sale?.shipTo.state ?? '',
        effect: ZERO,
      },
    ];
  });
};

import { correctionOf, filedId, isReversalId } from '../sales/correction-id.ts';
import { countedAs } from './counted-as.ts';
import type { DetailRow } from './detail-row.ts';

type Named = Pick<DetailRow, 'channel' | 'id'>;

/**
 * Collects the refunds that a period reverses. A quarter and an amended version have a refund, its reversal and its new
 * version together, and only the last version gives anything back.
 */
export const replacedRefunds = () => {
  const lastNumbers = new Map<string, number>();
  return {
    see: (row: Named & Pick<DetailRow, 'kind'>): void => {
      if (!isReversalId(row.id) || countedAs(row).kind !== 'refund') return;
      const name = nameOf(row);
      lastNumbers.set(name, Math.max(lastNumbers.get(name) ?? 0, correctionOf(row.id).number));
    },
    /** Whether the period reverses this version of a refund. */
    has: (refund: Named): boolean => correctionOf(refund.id).number < (lastNumbers.get(nameOf(refund)) ?? 0),
  };
};

export type ReplacedRefunds = ReturnType<typeof replacedRefunds>;

const nameOf = ({ channel, id }: Named): string => JSON.stringify([channel, filedId(id)]);

import { createHash } from 'node:crypto';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { detailedSales, figuresText } from '../workspace/detailed-sales.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { setAsidesOf } from './rejects-of.ts';

/** Takes one sale after the other and gives one digest of all, so that memory does not grow with their number. */
export type SalesDigest = {
  readonly add: (sale: { readonly key: string; readonly digest: string; readonly figures: string }) => void;
  readonly count: () => number;
  readonly hex: () => string;
};

export const salesDigest = (): SalesDigest => {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add: ({ key, digest, figures }) => {
      count += 1;
      hash.update(`${JSON.stringify([key, digest, figures])}\n`);
    },
    count: () => count,
    hex: () => hash.digest('hex'),
  };
};

/** Digest of what the workbooks of a period are made from: its sales with their figures, and what was set aside. */
export const basisDigest = (sales: SalesDigest, asides: readonly ChannelSetAside[]): string => {
  const hash = createHash('sha256').update(sales.hex());
  for (const { channel, origin, outcome, reason, businessDate } of asides)
    hash.update(`${JSON.stringify([channel, origin.record, outcome, reason.code, businessDate])}\n`);
  return hash.digest('hex');
};

/** The same digest of the period as the workspace has it now. */
export const presentBasis = async (workspace: Workspace, period: FilingPeriod): Promise<string> => {
  const sales = salesDigest();
  for await (const detailed of detailedSales(workspace, period))
    sales.add({ key: detailed.sale.key, digest: detailed.digest, figures: figuresText(detailed) });
  return basisDigest(sales, await setAsidesOf(workspace, period));
};

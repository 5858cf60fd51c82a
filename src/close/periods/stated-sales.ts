import { createHash } from 'node:crypto';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { salesOf } from '../workspace/sales-of.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { setAsidesOf } from './rejects-of.ts';
import { statedOf } from './stated-digest.ts';

/** Takes one sale after the other and gives one digest of what their sources state. */
export type StatedSales = {
  readonly add: (sale: Sale) => void;
  /** @param asides Those of the period; of them count the rejected ones that have a day. */
  readonly digest: (asides: readonly ChannelSetAside[]) => string;
};

export const statedSales = (): StatedSales => {
  const hash = createHash('sha256');
  const add = (stated: unknown) => hash.update(`${JSON.stringify(stated)}\n`);
  return {
    add: (sale) => {
      if (postingOf(sale) === 'posted') add([sale.key, statedOf(sale)]);
    },
    digest: (asides) => {
      for (const { channel, origin, outcome, reason, businessDate } of asides)
        if (outcome === 'rejected' && businessDate !== null)
          add([channel, origin.record, reason.code, businessDate]);
      return hash.digest('hex');
    },
  };
};

/** The same digest of a period as the workspace has it now. */
export const presentlyStated = async (workspace: Workspace, period: FilingPeriod): Promise<string> => {
  const stated = statedSales();
  for await (const { sales } of salesOf(workspace, period)) for (const { sale } of sales) stated.add(sale);
  return stated.digest(await setAsidesOf(workspace, period));
};

import type { FilingPeriod } from '../../../kernel/period.ts';
import { undecidedFor } from '../../periods/answered-locks.ts';
import type { LateItem } from '../../periods/late-item.ts';
import { postingOf } from '../../sales/sale.ts';
import type { StoredSale } from '../../workspace/sales-of.ts';
import type { ClosePorts } from '../close-ports.ts';

/** What the exports say now of late items, as far as it has a tax. */
export const lateSales = (items: readonly LateItem[]): readonly StoredSale[] =>
  items.flatMap(({ sale, digest }): StoredSale[] =>
    sale && postingOf(sale) === 'posted' ? [{ sale, digest, posting: 'posted' }] : [],
  );

/** The undecided late items that a close of the period would calculate: to show their effect, or as its own. */
export const lateSalesToAsk = async (
  { workspace, configuration }: ClosePorts,
  period: FilingPeriod,
): Promise<{ readonly shown: readonly StoredSale[]; readonly carried: readonly StoredSale[] }> => {
  const { lateItems: policy } = configuration.policy;
  // An amended version has a close of its own.
  if (policy === 'amend') return { shown: [], carried: [] };
  const sales = lateSales(await undecidedFor(workspace, period));
  return policy === 'ask' ? { shown: sales, carried: [] } : { shown: [], carried: sales };
};

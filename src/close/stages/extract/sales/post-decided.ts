import { decisionIndexOf, decisionsOf } from '../../../configuration/decisions-of.ts';
import { codeOf } from '../../../reconcile/exceptions.ts';
import { canBePosted } from '../../../reconcile/finding.ts';
import type { Sale } from '../../../sales/sale.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { changeDoubtful } from './change-doubtful.ts';

/** Post held sales that a person decided to post as they are: they count as sales with a warning. */
export const postDecided = async (load: OpenLoad): Promise<void> => {
  const { configuration } = load;
  if (decisionsOf(configuration).every(({ verdict }) => verdict !== 'post')) return;
  const decisions = decisionIndexOf(configuration);
  const isPosted = ({ outcome, findings: [reason], origin, id, businessDate }: Sale): boolean => {
    if (outcome !== 'review' || !reason || !canBePosted(reason.code)) return false;
    const found = decisions.ofRecord([origin.record, id], [codeOf(reason)], businessDate);
    return found.some(({ verdict }) => verdict === 'post');
  };
  await changeDoubtful(load, (sale) => (isPosted(sale) ? { ...sale, outcome: 'warning' } : undefined));
};

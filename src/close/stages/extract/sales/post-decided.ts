import { decisionIndexOf, decisionsOf } from '../../../configuration/decisions-of.ts';
import { codeOf } from '../../../reconcile/exceptions.ts';
import { canBePosted, isPostedAsSellers } from '../../../reconcile/finding.ts';
import { asSellers, isHolding, type Sale, type SaleFinding } from '../../../sales/sale.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { changeDoubtful } from './change-doubtful.ts';

/**
 * Lift the reasons for which sales are held where a person decided to post them. A sale with no other reason counts, with
 * a warning. Where the question was who remits the tax, the answer “Post” means the seller.
 */
export const postDecided = async (load: OpenLoad): Promise<void> => {
  const { configuration } = load;
  if (decisionsOf(configuration).every(({ verdict }) => verdict !== 'post')) return;
  const decisions = decisionIndexOf(configuration);
  const isLifted = ({ origin, id, businessDate }: Sale, reason: SaleFinding): boolean =>
    isHolding(reason) &&
    canBePosted(reason.code) &&
    decisions
      .ofRecord([origin.record, id], [codeOf(reason)], businessDate)
      .some(({ verdict }) => verdict === 'post');
  await changeDoubtful(load, (sale) => {
    const lifted = sale.findings.filter((finding) => isLifted(sale, finding));
    if (lifted.length === 0) return undefined;
    const findings = [
      ...sale.findings.filter((each) => isHolding(each) && !lifted.includes(each)),
      ...lifted.map(({ holds: _, ...finding }) => finding),
      ...sale.findings.filter((each) => !isHolding(each)),
    ];
    return {
      ...(lifted.some(({ code }) => isPostedAsSellers(code)) ? asSellers(sale) : sale),
      findings,
      outcome: findings.some(isHolding) ? 'review' : 'warning',
    };
  });
};

import { decisionIndexOf, decisionsOf } from '../../../configuration/decisions-of.ts';
import type { Decision } from '../../../decisions/decision.ts';
import { codeOf } from '../../../reconcile/exceptions.ts';
import { canBePosted, isPostedAsSellers } from '../../../reconcile/finding.ts';
import { bareName } from '../../../sales/record-id.ts';
import { asSellers, isHolding, type Sale, type SaleFinding } from '../../../sales/sale.ts';
import { nameInChannel, saleKey } from '../../../sales/sale-name.ts';
import { salesByKey } from '../../../workspace/put-sales.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { changeDoubtful } from './change-doubtful.ts';

/**
 * Lift the reasons for which sales are held where a person decided to post them. A sale with no other reason counts, with
 * a warning. Where the question was who remits the tax, the answer “Post” means the seller.
 */
export const postDecided = async (load: OpenLoad): Promise<void> => {
  const { configuration } = load;
  if (decisionsOf(configuration).every(({ verdict }) => verdict !== 'post')) return;
  await changeDoubtful(load, async (sale) => {
    const lifted: SaleFinding[] = [];
    for (const finding of sale.findings) if (await isLifted(load, sale, finding)) lifted.push(finding);
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

const isLifted = async (load: OpenLoad, sale: Sale, reason: SaleFinding): Promise<boolean> => {
  if (!isHolding(reason) || !canBePosted(reason.code)) return false;
  const { channel, id, origin, businessDate } = sale;
  const own = nameInChannel(channel, id);
  const found = decisionIndexOf(load.configuration)
    .ofRecord([own, origin.record, id], [codeOf(reason)], businessDate)
    .filter(({ verdict }) => verdict === 'post');
  const isNamed = ({ records }: Decision): boolean => records.some((record) => bareName(record) === own);
  return found.some(isNamed) || (found.length > 0 && !(await isOfSeveral(load, sale, reason)));
};

/** Whether another channel has a record of the same name with the same finding, so that the name alone is of both. */
const isOfSeveral = async (
  { workspace, configuration }: OpenLoad,
  { channel, kind, id }: Sale,
  { code }: SaleFinding,
): Promise<boolean> => {
  const others = configuration.channels.filter(({ name }) => name !== channel);
  const keys = others.map(({ name }) => saleKey(name, kind, id));
  const sales = keys.length === 0 ? [] : [...(await salesByKey(workspace, keys)).values()];
  return sales.some(({ findings }) => findings.some((each) => each.code === code));
};

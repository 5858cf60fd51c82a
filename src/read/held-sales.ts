import { decisionIndexOf } from '../configuration/load-configuration.ts';
import type { Decision } from '../judge/decision.ts';
import { canBePosted, isPostedAsSellers } from '../judge/finding.ts';
import { codeOf } from '../judge/sale-findings.ts';
import { asSellers, isHolding, type Sale, type SaleFinding } from '../sales/sale.ts';
import { bareName, nameInChannel, saleKey } from '../sales/sale-name.ts';
import { replaceSale, type Stores, salesWith } from './read-stores.ts';

/** Applies the decisions to post to the sales of all channels that are held. */
export const postDecided = (stores: Stores): void => {
  if (!stores.configuration.decided.some(({ verdict }) => verdict === 'post')) return;
  for (const day of stores.sales.days())
    for (const found of stores.sales.find(day, (key) => stores.keys.get(key)?.isDoubtful === true)) {
      const { sale } = found;
      const posted = sale.findings.filter((each) => isHolding(each) && isToPost(stores, sale, each));
      if (posted.length === 0) continue;
      const findings = sale.findings.map(
        (each): SaleFinding => (posted.includes(each) ? { ...each, holds: 'posted' } : each),
      );
      const isSellers = posted.some(({ code }) => isPostedAsSellers(code));
      const outcome = findings.some(isHolding) ? 'review' : 'warning';
      replaceSale(stores, found, { ...(isSellers ? asSellers(sale) : sale), findings, outcome });
    }
};

const isToPost = (stores: Stores, sale: Sale, reason: SaleFinding): boolean => {
  if (!canBePosted(reason.code)) return false;
  const found = postsOf(stores, sale, reason);
  const own = nameInChannel(sale.channel, sale.id);
  const isNamed = ({ records }: Decision): boolean => records.some((record) => bareName(record) === own);
  return found.some(isNamed) || (found.length > 0 && !isOfSeveral(stores, sale, reason));
};

/** Returns the decisions to post a sale in spite of a reason, under any of its names. */
const postsOf = (
  { configuration }: Stores,
  { channel, id, origin, businessDate }: Sale,
  reason: SaleFinding,
): readonly Decision[] =>
  decisionIndexOf(configuration)
    .ofRecord([nameInChannel(channel, id), origin.record, id], [codeOf(reason)], businessDate)
    .filter(({ verdict }) => verdict === 'post');

/**
 * Whether the decisions could as well be about a record of the same name and with the same finding of another channel,
 * so that the name alone is of both.
 */
const isOfSeveral = (stores: Stores, { channel, kind, id }: Sale, reason: SaleFinding): boolean => {
  const others = stores.configuration.channels.filter(({ name }) => name !== channel);
  const keys = others.map(({ name }) => saleKey(name, kind, id));
  return [...salesWith(stores, keys)]
    .flat()
    .some(
      ({ sale }) =>
        sale.findings.some(({ code }) => code === reason.code) && postsOf(stores, sale, reason).length > 0,
    );
};

import { decisionIndexOf } from '../close/configuration/decisions-of.ts';
import type { refundsOf } from '../close/sales/refunds.ts';
import { nameInChannel } from '../close/sales/sale-name.ts';
import type { ChannelLoad } from './channel-load.ts';

/**
 * Returns how a refund that is not split is treated: as the policy says, or prorated if a person decided so for this
 * one.
 */
export const undividedIn = ({
  configuration,
}: Pick<ChannelLoad, 'configuration'>): Parameters<typeof refundsOf>[3] => {
  const { policy } = configuration;
  const decisions = decisionIndexOf(configuration);
  return ({ channel, id, businessDate }) => {
    const found = decisions.ofRecord([id, nameInChannel(channel, id)], ['refund-not-split'], businessDate);
    return found.some(({ verdict }) => verdict === 'split') ? 'prorate' : policy.undividedRefunds;
  };
};

import { digestOf } from '../../../../kernel/digest.ts';
import { decisionsOf } from '../../../configuration/decisions-of.ts';
import { READ_BY } from '../../../decisions/verdict.ts';
import { profileChoice } from '../../../sales/load-profiles.ts';
import type { ClosePorts } from '../../run/close-ports.ts';
import type { ChannelConfiguration } from './channel-load.ts';

/**
 * Returns the digest of everything except the bytes that decides how the rows of a channel are read: the program with its
 * profiles, the user's own profile, and the settings that affect reading.
 */
export const readingBasis = (
  { programDigest, configuration }: Pick<ClosePorts, 'programDigest' | 'configuration'>,
  channel: ChannelConfiguration,
): string => {
  const { expected: _compared, ...reading } = channel;
  return digestOf({
    program: programDigest,
    channel: reading,
    profile: profileChoice(channel.profile, configuration.resolvePath),
    timeZone: configuration.timeZone,
    shipFrom: configuration.shipFrom,
    categories: configuration.categories,
    undividedRefunds: configuration.policy.undividedRefunds,
    decisions: decisionsOf(configuration).flatMap(({ verdict, code, period, cause, records }) =>
      READ_BY.has(verdict) ? [[verdict, code, period, cause, ...records]] : [],
    ),
  });
};

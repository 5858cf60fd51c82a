import type { SalesProfile } from '../close/sales/profile.ts';
import {
  idsOf,
  isCompanionProfile,
  isRefundDatesProfile,
  isSalesProfile,
} from '../close/sales/shipped-profiles.ts';
import type { OwnProfile, RecognisedFile } from './survey-folder.ts';

/** The files of one channel: exports of one profile, and their companions. */
export type FormedChannel = {
  /** The shop's name; other kinds of export from the same shop share it. */
  readonly name: string;
  readonly profile: SalesProfile;
  /** Value of `profile` in the configuration: the profile's id, or its file. */
  readonly named: string;
  readonly sources: readonly RecognisedFile[];
  readonly companions: readonly RecognisedFile[];
};

export type FormedChannels = {
  readonly channels: readonly FormedChannel[];
  /** Companions that match several channels, or none. */
  readonly strayCompanions: readonly RecognisedFile[];
};

/** Form one channel from the exports of each profile. */
export const formChannels = (
  files: readonly RecognisedFile[],
  ownProfiles: readonly OwnProfile[],
): FormedChannels => {
  const sales = files.flatMap((file) =>
    isSalesProfile(file.found.profile) ? [{ file, profile: file.found.profile }] : [],
  );
  const companions = files.filter(({ found }) => isCompanionProfile(found.profile));
  const byProfile = Map.groupBy(sales, ({ profile }) => profile.id);
  const groups = [...byProfile.values()];
  const present = new Set(byProfile.keys());
  const shops = groups.filter(([first]) => first?.profile.map.marketplace !== 'always').length;
  const channels = groups.flatMap((group): FormedChannel[] => {
    const [first] = group;
    if (!first) return [];
    const { profile } = first;
    const isOurs = ({ found }: RecognisedFile): boolean => {
      if (!isCompanionProfile(found.profile)) return false;
      const { companionOf } = found.profile;
      return (
        companionOf?.some((id) => idsOf(profile, present).includes(id)) ??
        (shops === 1 && profile.map.marketplace !== 'always')
      );
    };
    return [
      {
        name: shopOf(profile.id, ownProfiles),
        profile,
        named: ownProfiles.find(({ id }) => id === profile.id)?.entry ?? profile.id,
        sources: group.map(({ file }) => file),
        companions: companions.filter(isOurs),
      },
    ];
  });
  const taken = new Set(channels.flatMap((channel) => channel.companions));
  return { channels, strayCompanions: companions.filter((file) => !taken.has(file)) };
};

/** The name of the shop, from the profile's id: two kinds of export from one shop share a name. */
const shopOf = (id: string, ownProfiles: readonly OwnProfile[]): string => {
  const words = id.split('.');
  return (ownProfiles.some((own) => own.id === id) ? words.at(-1) : words[0]) ?? id;
};

/** What the exports of a channel tell of refunds: their days, only their amounts, or nothing. */
export const refundsTold = ({ profile, companions }: FormedChannel): 'days' | 'amounts' | 'nothing' => {
  const isDated =
    profile.packedRefunds !== undefined ||
    profile.rules.some(({ treat, as }) => treat === 'refund' || as === 'refund') ||
    companions.some(({ found }) => isRefundDatesProfile(found.profile));
  if (isDated) return 'days';
  const isSummed = profile.map.refunded !== undefined || profile.rules.some((rule) => rule.fullyRefunded);
  return isSummed ? 'amounts' : 'nothing';
};

import type {
  CompanionProfile,
  Profile,
  RefundDatesProfile,
  SalesProfile,
  TaxReportProfile,
} from './profile.ts';
import { data } from './profiles.data.ts';

/** Return the profiles that come with Tieout, in file-name order, reading them only once. */
export const shippedProfiles = (): readonly Profile[] => {
  profiles ??= data();
  return profiles;
};

let profiles: readonly Profile[] | undefined;

export const isSalesProfile = (profile: Profile): profile is SalesProfile => profile.capability === 'sales';

export const isRefundDatesProfile = (profile: Profile): profile is RefundDatesProfile =>
  profile.capability === 'refund-dates';

export const isTaxReportProfile = (profile: Profile): profile is TaxReportProfile =>
  profile.capability === 'tax-report';

export const isCompanionProfile = (profile: Profile): profile is CompanionProfile =>
  isRefundDatesProfile(profile) || isTaxReportProfile(profile);

/**
 * The ids by which companions name the profile of their orders: its own, and that of the one that it extends, unless there
 * are exports of that one itself.
 */
export const idsOf = ({ id, extends: base }: Profile, present: ReadonlySet<string>): readonly string[] =>
  base === undefined || present.has(base) ? [id] : [id, base];

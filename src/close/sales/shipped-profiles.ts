import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Profile, type RefundDatesProfile, type SalesProfile } from './profile.ts';

const FILES = ['shopify-orders.yaml', 'shopify-payments.yaml'];

/** The profiles that come with Tieout. They are validated like anybody's. */
export const shippedProfiles = (): readonly Profile[] =>
  FILES.map((file) =>
    Profile.parse(parse(readFileSync(new URL(`./profiles/${file}`, import.meta.url), 'utf8'))),
  );

export const isSalesProfile = (profile: Profile): profile is SalesProfile => profile.capability === 'sales';

export const isRefundDatesProfile = (profile: Profile): profile is RefundDatesProfile =>
  profile.capability === 'refund-dates';

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Profile, type RefundDatesProfile, type SalesProfile } from './profile.ts';

const FOLDER = new URL('./profiles/', import.meta.url);

/** The profiles that come with Tieout, by file name. They are validated like anybody's. */
export const shippedProfiles = (): readonly Profile[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => Profile.parse(parse(readFileSync(new URL(file, FOLDER), 'utf8'))));

export const isSalesProfile = (profile: Profile): profile is SalesProfile => profile.capability === 'sales';

export const isRefundDatesProfile = (profile: Profile): profile is RefundDatesProfile =>
  profile.capability === 'refund-dates';

import type { TaxedAddress } from '../../contract/content-coverage.ts';
import type { RateEvidence } from '../../contract/rate-evidence.ts';
import { findPlace, type TaxPlace } from '../content/place-lookup.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { settleAddress } from '../engine/address.ts';
import { sourceOf } from '../engine/sourcing.ts';

/** The place whose rates decide about a sale; `undefined` where the content has no such state. */
export const ratePlaceOf = (
  content: TaxContent,
  { to, day }: RateEvidence,
  from: TaxedAddress,
): TaxPlace | undefined => {
  const destination = settleAddress(to);
  const state = content.states.get(destination.state);
  if (destination.country !== 'US' || !state) return undefined;
  const { situs } = sourceOf(state, destination, settleAddress(from), day);
  return findPlace(content, { state, zip: situs.zip, city: situs.city, street: situs.street }, day);
};

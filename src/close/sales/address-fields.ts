import type { Place } from './sale.ts';

/** Ship-from and ship-to as the fields of the wire: the same in a calculation request and in a transaction. */
export const addressFields = (from: Place, to: Place) => ({
  from_country: from.country,
  from_zip: from.zip,
  from_state: from.state,
  from_city: from.city,
  from_street: from.street,
  to_country: to.country,
  to_zip: to.zip,
  to_state: to.state,
  to_city: to.city,
  to_street: to.street,
});

import type { TaxRequest } from '../../contract/tax-request.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { type FullAddress, hasFromAddress, settleAddress } from './address.ts';
import type { Seller } from './seller.ts';

/** Where nexus was looked for: the first source that says anything decides, the others are not asked. */
export type NexusBasis = {
  readonly source: 'nexus_addresses' | 'account' | 'from_address' | 'none';
  /** Whether there is nexus in a country, or in one of its states or provinces. */
  readonly holdsIn: (country: string, state?: string) => boolean;
};

const NONE: NexusBasis = { source: 'none', holdsIn: () => false };

/** Countries in which nexus belongs to a state or province, so that an entry without one establishes nothing. */
const hasStates = (country: string): boolean => country === 'US' || country === 'CA';

const basis = (source: NexusBasis['source'], addresses: readonly FullAddress[]): NexusBasis => {
  const usable = addresses.filter(
    ({ country, state }) => country !== '' && (state !== '' || !hasStates(country)),
  );
  return {
    source,
    holdsIn: (country, state) =>
      usable.some((entry) => entry.country === country && (state === undefined || entry.state === state)),
  };
};

const isRegistered = (
  entry: { readonly from?: CalendarDate | undefined; readonly to?: CalendarDate | undefined },
  date: CalendarDate,
): boolean =>
  (entry.from === undefined || entry.from <= date) && (entry.to === undefined || date <= entry.to);

/** The request's nexus addresses stand before the account's, and those before the address the order ships from. */
export const nexusBasis = (
  request: TaxRequest,
  seller: Seller,
  origin: FullAddress | undefined,
  date: CalendarDate,
): NexusBasis => {
  if (request.nexus_addresses?.length) {
    const addresses = request.nexus_addresses.map((entry) =>
      settleAddress({ ...entry, country: entry.country ?? '' }),
    );
    return basis('nexus_addresses', addresses);
  }
  if (seller.nexus.length > 0) {
    return basis('account', seller.nexus.filter((entry) => isRegistered(entry, date)).map(settleAddress));
  }
  if (origin === undefined) return NONE;
  return basis(hasFromAddress(request) ? 'from_address' : 'account', [origin]);
};

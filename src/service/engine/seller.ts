import type { CalendarDate } from '../../kernel/calendar.ts';
import type { BuyerUse } from '../content/tax-content.ts';

export type Address = {
  readonly country: string;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly city?: string | undefined;
  readonly street?: string | undefined;
};

/** A place where the seller is registered. Both dates are inclusive; without them the registration always holds. */
export type NexusOnFile = Address & {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
};

/** What an account has on file: its address, where it has nexus, and what its buyers use what they buy for. */
export type Seller = {
  readonly address?: Address | undefined;
  readonly nexus: readonly NexusOnFile[];
  readonly buyerUse?: BuyerUse | undefined;
};

/** A buyer on file. No regions means that the exemption holds everywhere. */
export type Customer = {
  readonly exemptionType: 'wholesale' | 'government' | 'other' | 'non_exempt';
  readonly exemptRegions: readonly { readonly country: string; readonly state: string }[];
};

import type { AddressOnFile, NexusOnFile } from '../../contract/nexus.ts';
import type { BuyerUse } from '../content/tax-content.ts';

/** What an account has on file: its address, where it has nexus, and what its buyers use what they buy for. */
export type Seller = {
  readonly address?: AddressOnFile | undefined;
  readonly nexus: readonly NexusOnFile[];
  readonly buyerUse?: BuyerUse | undefined;
};

/** A buyer on file. No regions means that the exemption holds everywhere. */
export type Customer = {
  readonly exemptionType: 'wholesale' | 'government' | 'other' | 'non_exempt';
  readonly exemptRegions: readonly { readonly country: string; readonly state: string }[];
};

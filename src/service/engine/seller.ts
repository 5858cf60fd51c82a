import type { AddressOnFile, NexusOnFile } from '../../contract/on-file.ts';
import type { BuyerUse } from '../content/tax-content.ts';

/** An account's data on file: its address, where it has nexus, and the use that its buyers make of their purchases. */
export type Seller = {
  readonly address?: AddressOnFile | undefined;
  readonly nexus: readonly NexusOnFile[];
  readonly buyerUse?: BuyerUse | undefined;
};

/** A buyer on file. Without regions the exemption applies everywhere. */
export type Customer = {
  readonly exemptionType: 'wholesale' | 'government' | 'other' | 'non_exempt';
  readonly exemptRegions: readonly { readonly country: string; readonly state: string }[];
};

import type { CalendarDate } from '../../kernel/calendar.ts';

/** An address on file. A country and, where it has them, a state are what calculations need at least. */
export type AddressOnFile = {
  readonly country: string;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly city?: string | undefined;
  readonly street?: string | undefined;
};

/** A place that establishes nexus, from and to a day where it is limited; both days are included. */
export type NexusOnFile = AddressOnFile & {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
};

/** A seller who uses the service. Nothing of one account is ever seen by another. */
export type Account = {
  /** Also the `user_id` of the account's transactions. */
  readonly id: number;
  readonly name: string;
  readonly address?: AddressOnFile;
  readonly nexus: readonly NexusOnFile[];
  /** What buyers use what they buy for, where some states tax by it and the account says so. */
  readonly buyerUse?: 'business' | 'personal';
  /** The dated version of the interface that applies when a request names none. */
  readonly apiVersion: string;
  /** Calculations and look-ups of rates per month that the account's plan includes. */
  readonly planLimit?: number;
  /** Whether what goes beyond the plan is refused; else it is counted as overage. */
  readonly blockOverPlan: boolean;
};

/** What accounts get when no one chooses, as accounts of the live service have since July 2021. */
export const API_VERSION_DEFAULT = '2020-08-07';

export type AccountSettings = {
  readonly name: string;
  readonly address?: AddressOnFile | undefined;
  readonly nexus: readonly NexusOnFile[];
  readonly buyerUse?: 'business' | 'personal' | undefined;
  readonly apiVersion?: string;
  readonly planLimit?: number;
  readonly blockOverPlan?: boolean;
};

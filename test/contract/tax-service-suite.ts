import { describe } from 'vitest';
import type { RateLookups } from '../../src/contract/location-rate.ts';
import type { Customer } from '../../src/contract/on-file.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import type { CalendarDate } from '../../src/kernel/calendar.ts';
import { calculationCases } from './calculation-cases.ts';
import { listCases } from './list-cases.ts';
import { listingCases } from './listing-cases.ts';
import { rateCases } from './rate-cases.ts';
import { recordingCases } from './recording-cases.ts';
import { recordingRuleCases } from './recording-rule-cases.ts';
import { updateCases } from './update-cases.ts';
import type { WireCalls } from './wire-calls.ts';

export type SuiteAddress = {
  readonly country: string;
  readonly state?: string;
  readonly zip?: string;
  readonly city?: string;
};

/** The address of a customer of whom none is on file. */
export const NO_ADDRESS = { country: null, state: null, zip: null, city: null, street: null };

/** What the account behind a service has on file. */
export type SuiteAccount = {
  readonly address?: SuiteAddress;
  readonly nexus?: readonly (SuiteAddress & { readonly from?: CalendarDate; readonly to?: CalendarDate })[];
  readonly customers?: readonly Pick<Customer, 'customer_id' | 'exemption_type' | 'exempt_regions'>[];
  /** The dated version of the interface that every call names; `none` names one that does not exist. */
  readonly apiVersion?: string;
};

/** The port, look-ups of rates, and single transactions as they stand on the wire. */
export type SuiteService = Omit<TaxService, 'updateOrder'> & RateLookups & WireCalls;

/** The service of a new account. */
export type ServiceProvider = (account?: SuiteAccount) => Promise<SuiteService>;

/**
 * What every implementation of the port must do, embedded or served or remote. The suite knows nothing but the port,
 * and gets each account from the provider; the day is 2026-11-02 in UTC there. `longList` is how many transactions a list
 * of its implementation must bear.
 */
export const taxServiceBehaviour = (newService: ServiceProvider, longList: number): void => {
  describe('calculations', () => calculationCases(newService));
  describe('rates', () => rateCases(newService));
  describe('recorded transactions', () => recordingCases(newService));
  describe('lists of transactions', () => listCases(newService, longList));
  describe('what a transaction must satisfy', () => recordingRuleCases(newService));
  describe('changes', () => updateCases(newService));
  describe('listings', () => listingCases(newService));
};

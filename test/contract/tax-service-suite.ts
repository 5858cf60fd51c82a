import { describe } from 'vitest';
import { calculationCases } from './calculation-cases.ts';
import { listCases } from './list-cases.ts';
import { listingCases } from './listing-cases.ts';
import { rateCases } from './rate-cases.ts';
import { recordingCases } from './recording-cases.ts';
import { recordingRuleCases } from './recording-rule-cases.ts';
import { updateCases } from './update-cases.ts';
import type { ServiceProvider } from './wire-calls.ts';

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

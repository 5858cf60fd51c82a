import type * as z from 'zod';
import { countryName, regionName } from '../content/region-names.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { accept } from '../contract/accept.ts';
import {
  CreateCustomer,
  type CreateCustomerInput,
  type Customer,
  type NexusOnFile,
  type NexusRegion,
  UpdateCustomer,
  type UpdateCustomerInput,
} from '../contract/on-file.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import { isKeepable } from '../contract/scalars.ts';
import { TaxRequest, type TaxRequestInput } from '../contract/tax-request.ts';
import { type LocationRate, RateQuery, type TaxService } from '../contract/tax-service.ts';
import { calculateTax } from '../engine/calculate-tax.ts';
import { contentCoverage } from '../engine/content-coverage.ts';
import { normaliseAddress, type Seller } from '../engine/order.ts';
import { locationRate } from '../engine/rates.ts';
import { isRegistered } from '../engine/tax-plan.ts';
import { type CalendarDate, type Clock, utcDateOf } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import { compareText } from '../kernel/text.ts';
import type { Account, CustomerStore } from '../ledger/account.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { recordedTransactions } from '../ledger/recorded-transactions.ts';

export type EmbeddedOptions = {
  readonly ledger: Ledger;
  readonly accountId: number;
  readonly content: TaxContent;
  readonly clock: Clock;
  /** The dated version of the interface to speak; that of new accounts when absent or unknown. */
  readonly apiVersion?: string | undefined;
};

/** The port, and the further operations of the public documentation. */
export type EmbeddedTaxService = TaxService &
  ReturnType<typeof customersOnFile> & {
    /**
     * Return the full rates of a place today, for callers that calculate by themselves.
     *
     * @throws {ServiceRefusal} 404 when the place is unknown, 400 when ZIP and state contradict each other
     */
    readonly showRates: (zip: string, query?: z.input<typeof RateQuery>) => Promise<LocationRate>;
  };

/** Build the tax service of one account, in process: the same validation and the same refusals as over HTTP. */
export const embeddedTaxService = (options: EmbeddedOptions): EmbeddedTaxService => {
  const { ledger, accountId, content, clock, apiVersion } = options;

  const account = async (): Promise<Account> => {
    const found = await ledger.accounts.find(accountId);
    if (found === undefined)
      throw new DefectError(`there is no account ${accountId} in the service database`);
    return found;
  };
  const recorded = recordedTransactions({ store: ledger.transactions, account, content, apiVersion });

  return {
    coverage: contentCoverage(content),
    calculateTax: async (input) => {
      const request = accept(TaxRequest, input);
      const seller = await account();
      const customer =
        request.customer_id === undefined
          ? undefined
          : await ledger.customers.find(accountId, request.customer_id);
      const asOf = utcDateOf(clock.now());
      const result = calculateTax({ request, seller, customer, content, asOf });
      if (request.calculation_date !== undefined) result.calculation_date = request.calculation_date;
      return result;
    },
    categories: async () => content.categories,
    showRates: async (zip, query) => {
      const wanted = accept(RateQuery, query);
      return locationRate(content, zip, wanted, utcDateOf(clock.now()));
    },
    nexusRegions: async () => nexusRegionsOf((await account()).nexus, utcDateOf(clock.now())),

    dayMarks: (days) => ledger.transactions.marks(accountId, days),

    ...recorded,
    ...customersOnFile(ledger.customers, accountId),
  };
};

/**
 * List the regions in which an account has nexus on a day, each once, ordered by name. If a country has nexus as a
 * whole, it is its own region.
 */
export const nexusRegionsOf = (nexus: readonly NexusOnFile[], day: CalendarDate): readonly NexusRegion[] => {
  const regions = new Map<string, NexusRegion>();
  for (const entry of nexus.filter((each) => isRegistered(each, day))) {
    const { country, state } = normaliseAddress(entry);
    regions.set(`${country}-${state}`, {
      country_code: country,
      country: countryName(country),
      region_code: state || country,
      region: state ? regionName(country, state) : countryName(country),
    });
  }
  return [...regions.values()].sort(byRegionName);
};

const byRegionName = (left: NexusRegion, right: NexusRegion): number =>
  compareText(left.region, right.region) || compareText(left.country_code, right.country_code);

/** The customers of one account, whose exemptions calculations look up by `customer_id`. */
const customersOnFile = (store: CustomerStore, accountId: number) => {
  const found = async (id: string): Promise<Customer> => {
    // An id cannot contain such text, and PostgreSQL does not accept it in a query.
    return thatOf(id, isKeepable(id) ? await store.find(accountId, id) : undefined);
  };
  return {
    listCustomers: () => store.list(accountId),
    showCustomer: found,
    /** @throws {ServiceRefusal} 422 when there already is a customer with this id */
    createCustomer: async (input: CreateCustomerInput): Promise<Customer> => {
      const sent = accept(CreateCustomer, input);
      const { country = null, state = null, zip = null, city = null, street = null } = sent;
      const address = { country, state, zip, city, street };
      const customer = { ...sent, exempt_regions: sent.exempt_regions ?? [], ...address };
      if (!(await store.create(accountId, customer)))
        throw new ServiceRefusal(422, `customer ${customer.customer_id} is already on file`);
      return customer;
    },
    updateCustomer: async (id: string, input: UpdateCustomerInput) => {
      const changes = accept(UpdateCustomer, input);
      await found(id);
      return thatOf(id, await store.update(accountId, id, changes));
    },
    /** Returns the customer that was deleted. */
    deleteCustomer: async (id: string) => {
      await found(id);
      return thatOf(id, await store.remove(accountId, id));
    },
  };
};

/** @throws {ServiceRefusal} 404 when there is no customer */
const thatOf = (id: string, customer: Customer | undefined): Customer => {
  if (customer !== undefined) return customer;
  throw new ServiceRefusal(404, `no customer ${id} is on file`);
};

/** The engine over a content, without an account. */
export const ownEngine = (content: TaxContent, seller: Seller, clock: Clock) => {
  const asOf = utcDateOf(clock.now());
  return {
    coverage: contentCoverage(content),
    /** @throws {ServiceRefusal} */
    calculate: (request: TaxRequestInput) =>
      calculateTax({ request: accept(TaxRequest, request), seller, content, asOf }),
  };
};

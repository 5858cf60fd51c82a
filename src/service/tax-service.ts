import { accept } from '../contract/accept.ts';
import { RateQuery } from '../contract/location-rate.ts';
import type { RateLookups } from '../contract/rate-lookups.ts';
import { TaxRequest } from '../contract/tax-request.ts';
import type { TaxService } from '../contract/tax-service.ts';
import type { Refund, UpdateRefund } from '../contract/transaction.ts';
import { utcDateOf } from '../kernel/calendar.ts';
import type { Clock } from '../kernel/clock.ts';
import { DefectError } from '../kernel/errors.ts';
import { billing } from './billing.ts';
import { categoriesOf } from './content/categories.ts';
import type { TaxContent } from './content/tax-content.ts';
import { type CustomersOnFile, customersOnFile } from './customers-on-file.ts';
import { calculateTax } from './engine/calculate-tax.ts';
import { contentCoverage } from './engine/content-coverage.ts';
import type { Account } from './ledger/account.ts';
import type { Ledger } from './ledger/ledger.ts';
import { nexusRegionsOf } from './nexus-regions.ts';
import { locationRate } from './rates/location-rate.ts';
import { summaryRates } from './rates/summary-rates.ts';
import { recordedTransactions } from './recording/recorded-transactions.ts';

export type EmbeddedOptions = {
  readonly ledger: Ledger;
  readonly accountId: number;
  readonly content: TaxContent;
  readonly clock: Clock;
  /** The dated version of the interface to speak; the account's own when absent or unknown. */
  readonly apiVersion?: string | undefined;
};

/** The port, and what public documentation has beside it. */
export type EmbeddedTaxService = TaxService &
  RateLookups &
  CustomersOnFile & {
    readonly updateRefund: (id: string, changes: UpdateRefund) => Promise<Refund>;
  };

/** The tax service of one account, in process: the same validation and the same refusals as over HTTP. */
export const embeddedTaxService = (options: EmbeddedOptions): EmbeddedTaxService => {
  const { ledger, accountId, content, clock, apiVersion } = options;

  const account = async (): Promise<Account> => {
    const found = await ledger.accounts.find(accountId);
    if (found === undefined) throw new DefectError(`there is no account ${accountId} in the ledger`);
    return found;
  };
  const bill = billing(ledger.usage, clock);
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
      await bill(seller);
      const day = request.calculation_date;
      return day === undefined ? result : { ...result, calculation_date: day };
    },
    categories: async () => categoriesOf(content),
    showRates: async (zip, query) => {
      const wanted = accept(RateQuery, query);
      const rates = locationRate(content, zip, wanted, utcDateOf(clock.now()));
      await bill(await account());
      return rates;
    },
    summaryRates: async () => summaryRates(content, utcDateOf(clock.now())),
    nexusRegions: async () => nexusRegionsOf((await account()).nexus, utcDateOf(clock.now())),

    recordsMark: ledger.transactions.mark,

    createMany: recorded.createMany,
    showMany: recorded.showMany,

    listOrders: (query) => recorded.list('order', query),
    updateOrder: (id, changes) => recorded.update('order', id, changes),
    deleteOrder: (id, query) => recorded.remove('order', id, query),

    listRefunds: (query) => recorded.list('refund', query),
    updateRefund: (id, changes) => recorded.update('refund', id, changes),
    deleteRefund: (id, query) => recorded.remove('refund', id, query),

    ...customersOnFile(ledger.customers, accountId),
  };
};

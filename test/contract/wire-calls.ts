import type { Customer } from '../../src/contract/on-file.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import {
  type CreateTransactionInput,
  Order,
  type ProviderQueryInput,
  type Refund,
  type TransactionKind,
  type UpdateTransactionInput,
} from '../../src/contract/transaction.ts';
import type { CalendarDate } from '../../src/kernel/calendar.ts';
import { ROUTES } from '../../src/service/routes.ts';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';

/** One request of the interface, by the name of its operation: what is answered is a body of JSON. */
export type Ask = (
  operation: string,
  given: {
    readonly id?: string;
    readonly query?: object;
    readonly body?: object;
  },
) => Promise<unknown>;

/** Single transactions as they stand on the wire: the port has them decoded, and in lists. */
export type WireCalls = {
  readonly createOrder: (body: CreateTransactionInput) => Promise<Order>;
  readonly showOrder: (id: string, query?: ProviderQueryInput) => Promise<Order>;
  readonly updateOrder: (id: string, body: UpdateTransactionInput) => Promise<Order>;
  readonly createRefund: (body: CreateTransactionInput) => Promise<Refund>;
  readonly showRefund: (id: string, query?: ProviderQueryInput) => Promise<Refund>;
};

export const wireCalls = (ask: Ask): WireCalls => {
  const record = async (kind: TransactionKind, ...given: Parameters<Ask>): Promise<Order> =>
    Order.parse(((await ask(...given)) as Readonly<Record<string, unknown>>)[kind]);
  return {
    createOrder: (body) => record('order', 'createOrder', { body }),
    showOrder: (id, query = {}) => record('order', 'showOrder', { id, query }),
    updateOrder: (id, body) => record('order', 'updateOrder', { id, body }),
    createRefund: (body) => record('refund', 'createRefund', { body }),
    showRefund: (id, query = {}) => record('refund', 'showRefund', { id, query }),
  };
};

/** The embedded service with single transactions as its server has them on the wire. */
export const withWireCalls = <Service extends EmbeddedTaxService>(service: Service): Service & WireCalls => ({
  ...service,
  ...wireCalls(async (operation, { id = '', query = {}, body }) =>
    ROUTES.find((route) => route.id === operation)?.answer(service, {
      id,
      query: query as never,
      body: body as never,
    }),
  ),
});

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
  readonly nexus?: readonly (SuiteAddress & {
    readonly from?: CalendarDate;
    readonly to?: CalendarDate;
  })[];
  readonly customers?: readonly Pick<Customer, 'customer_id' | 'exemption_type' | 'exempt_regions'>[];
  /** The dated version of the interface that every call names; `none` names one that does not exist. */
  readonly apiVersion?: string;
};

/** The port, look-ups of rates, and single transactions as they stand on the wire. */
export type SuiteService = TaxService & Pick<EmbeddedTaxService, 'showRates'> & WireCalls;

/** The service of a new account. */
export type ServiceProvider = (account?: SuiteAccount) => Promise<SuiteService>;

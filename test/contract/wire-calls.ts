import type { RateLookups } from '../../src/contract/location-rate.ts';
import type { Customer } from '../../src/contract/on-file.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import {
  type CreateOrderInput,
  type CreateRefundInput,
  type Order,
  OrderBody,
  type ProviderQueryInput,
  type Refund,
  RefundBody,
  type UpdateOrderInput,
} from '../../src/contract/transaction.ts';
import type { CalendarDate } from '../../src/kernel/calendar.ts';
import { ANSWERS } from '../../src/service/routes.ts';
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
  readonly createOrder: (body: CreateOrderInput) => Promise<Order>;
  readonly showOrder: (id: string, query?: ProviderQueryInput) => Promise<Order>;
  readonly updateOrder: (id: string, body: UpdateOrderInput) => Promise<Order>;
  readonly createRefund: (body: CreateRefundInput) => Promise<Refund>;
  readonly showRefund: (id: string, query?: ProviderQueryInput) => Promise<Refund>;
};

export const wireCalls = (ask: Ask): WireCalls => ({
  createOrder: async (body) => OrderBody.parse(await ask('createOrder', { body })).order,
  showOrder: async (id, query = {}) => OrderBody.parse(await ask('showOrder', { id, query })).order,
  updateOrder: async (id, body) => OrderBody.parse(await ask('updateOrder', { id, body })).order,
  createRefund: async (body) => RefundBody.parse(await ask('createRefund', { body })).refund,
  showRefund: async (id, query = {}) => RefundBody.parse(await ask('showRefund', { id, query })).refund,
});

/** The embedded service with single transactions as its server has them on the wire. */
export const withWireCalls = <Service extends EmbeddedTaxService>(
  service: Service,
): Omit<Service, 'updateOrder'> & WireCalls => ({
  ...service,
  ...wireCalls(async (operation, { id = '', query = {}, body }) =>
    ANSWERS[operation]?.(service, { id, query: query as never, body: body as never }),
  ),
});

export type SuiteAddress = {
  readonly country: string;
  readonly state?: string;
  readonly zip?: string;
  readonly city?: string;
};

/** The address of a customer of whom none is on file. */
export const NO_ADDRESS = {
  country: null,
  state: null,
  zip: null,
  city: null,
  street: null,
};

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
export type SuiteService = Omit<TaxService, 'updateOrder'> & RateLookups & WireCalls;

/** The service of a new account. */
export type ServiceProvider = (account?: SuiteAccount) => Promise<SuiteService>;

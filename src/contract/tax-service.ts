import type { Category } from './category.ts';
import type { ContentCoverage } from './content-coverage.ts';
import type { NexusRegion } from './nexus.ts';
import type { TaxRequestInput } from './tax-request.ts';
import type { TaxResult } from './tax-result.ts';
import type {
  CreateOrderInput,
  CreateRefundInput,
  DeletedTransaction,
  ListingQueryInput,
  Order,
  ProviderQueryInput,
  Refund,
  UpdateOrderInput,
} from './transaction.ts';

/**
 * The port: one account's view of a tax service. The embedded service implements it in process, the client over
 * HTTP, and the close cannot tell which of them it talks to.
 *
 * What goes in has the form of the wire and is validated by the implementation; what comes out is decoded.
 * A refusal is thrown as `ServiceRefusal`; an outage as `ServiceUnavailableError`.
 */
export interface TaxService {
  /** What the service says of its own tax content; absent where it says nothing. */
  readonly coverage?: ContentCoverage;

  calculateTax(request: TaxRequestInput): Promise<TaxResult>;
  categories(): Promise<readonly Category[]>;
  nexusRegions(): Promise<readonly NexusRegion[]>;

  /** Ids ordered by (transaction_date, transaction_id). */
  listOrders(query: ListingQueryInput): Promise<readonly string[]>;
  showOrder(id: string, query?: ProviderQueryInput): Promise<Order>;
  /** @throws {ServiceRefusal} 422 when the order is stored already */
  createOrder(order: CreateOrderInput): Promise<Order>;
  /** @throws {ServiceRefusal} 404 when there is no such order */
  updateOrder(id: string, changes: UpdateOrderInput): Promise<Order>;
  deleteOrder(id: string, query?: ProviderQueryInput): Promise<DeletedTransaction>;

  listRefunds(query: ListingQueryInput): Promise<readonly string[]>;
  showRefund(id: string, query?: ProviderQueryInput): Promise<Refund>;
  /** @throws {ServiceRefusal} 422 when the refund is stored already */
  createRefund(refund: CreateRefundInput): Promise<Refund>;
}

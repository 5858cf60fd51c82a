import type { CalendarDate } from '../kernel/calendar.ts';
import type { Category } from './category.ts';
import type { ContentCoverage } from './content-coverage.ts';
import type { NexusRegion } from './nexus.ts';
import type { ServiceRefusal } from './refusal.ts';
import type { TaxRequestInput } from './tax-request.ts';
import type { TaxResult } from './tax-result.ts';
import type {
  DeletedTransaction,
  ListingQueryInput,
  NewTransaction,
  Order,
  ProviderQueryInput,
  Refund,
  TransactionName,
  UpdateOrder,
} from './transaction.ts';

/**
 * The port: one account's view of a tax service. The embedded service implements it in process, the client over
 * HTTP, and the close cannot tell which of them it talks to.
 *
 * Transactions go in and come out decoded; only HTTP writes and reads them as text. A calculation and the queries of
 * listings go in as they are written. Whatever goes in is validated by the implementation. A refusal is thrown as
 * `ServiceRefusal`, but for those of `createMany`, which are answers; an outage as `E_SERVICE_UNAVAILABLE`.
 */
export interface TaxService {
  /** What the service says of its own tax content; absent where it says nothing. */
  readonly coverage?: ContentCoverage;

  calculateTax(request: TaxRequestInput): Promise<TaxResult>;
  categories(): Promise<readonly Category[]>;
  nexusRegions(): Promise<readonly NexusRegion[]>;

  /**
   * Record transactions and answer for each of them, in their order: the record, or why it was refused, 422 when it is
   * stored already. Of several with one name one is recorded. What is answered is durable. An outage is thrown; then
   * each of them is recorded wholly or not at all, and reading them says which.
   */
  createMany(transactions: readonly NewTransaction[]): Promise<readonly (Order | Refund | ServiceRefusal)[]>;
  /** What is recorded under each name, in their order; `undefined` where there is nothing. */
  showMany(names: readonly TransactionName[]): Promise<readonly (Order | Refund | undefined)[]>;

  /** Ids ordered by (transaction_date, transaction_id). */
  listOrders(query: ListingQueryInput): Promise<readonly string[]>;
  /** Line items replace the stored ones, what is absent stays. @throws {ServiceRefusal} 404 when there is none */
  updateOrder(id: string, changes: UpdateOrder): Promise<Order>;
  deleteOrder(id: string, query?: ProviderQueryInput): Promise<DeletedTransaction>;

  deleteRefund(id: string, query?: ProviderQueryInput): Promise<DeletedTransaction>;
  listRefunds(query: ListingQueryInput): Promise<readonly string[]>;

  /**
   * Another text after every change of what is recorded for these days in UTC, or at all. Absent, or `undefined`, where the service
   * cannot tell.
   */
  recordsMark?(days?: {
    readonly first: CalendarDate;
    readonly last: CalendarDate;
  }): Promise<string | undefined>;
}

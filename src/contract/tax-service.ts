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

/** Marks by day; a day without records ever has none. `others`: the number of changes that were not made through this port. */
export type DayMarks = ReadonlyMap<CalendarDate, { readonly mark: string; readonly others: number }>;

/**
 * The port: one account's view of a tax service. The embedded service implements it in process, the client over HTTP,
 * and the close cannot tell which of them it uses.
 *
 * Transactions are passed and returned decoded; only HTTP writes and reads them as text. Calculations and listing
 * queries are passed in their wire form. The implementation validates all input. A refusal is thrown as
 * `ServiceRefusal`, except by `createMany`, which returns them; an outage is thrown as `E_SERVICE_UNAVAILABLE`.
 */
export interface TaxService {
  /** The coverage of the service's tax content; absent when the service does not state it. */
  readonly coverage?: ContentCoverage;

  calculateTax(request: TaxRequestInput): Promise<TaxResult>;
  categories(): Promise<readonly Category[]>;
  nexusRegions(): Promise<readonly NexusRegion[]>;

  /**
   * Record transactions and return an answer for each, in order: the record, or why it was refused, 422 when it is
   * already stored. Of several with one name, one is recorded. What is answered is durable. An outage is thrown; then
   * each transaction is recorded completely or not at all, and reading them shows which.
   */
  createMany(transactions: readonly NewTransaction[]): Promise<readonly (Order | Refund | ServiceRefusal)[]>;
  /** Return the record of each name, in order; `undefined` where there is none. */
  showMany(names: readonly TransactionName[]): Promise<readonly (Order | Refund | undefined)[]>;

  /** Ids ordered by (transaction_date, transaction_id). */
  listOrders(query: ListingQueryInput): Promise<readonly string[]>;
  /** Line items replace the stored ones, absent fields stay. @throws {ServiceRefusal} 404 when there is no order */
  updateOrder(id: string, changes: UpdateOrder): Promise<Order>;
  deleteOrder(id: string, query?: ProviderQueryInput): Promise<DeletedTransaction>;

  deleteRefund(id: string, query?: ProviderQueryInput): Promise<DeletedTransaction>;
  listRefunds(query: ListingQueryInput): Promise<readonly string[]>;

  /**
   * Return the marks of days in UTC: each changes with every change of the records of its day. Absent when the service has
   * none.
   */
  dayMarks?(days: { readonly first: CalendarDate; readonly last: CalendarDate }): Promise<DayMarks>;
}

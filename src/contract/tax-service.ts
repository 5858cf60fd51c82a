import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Rate } from '../kernel/money.ts';
import type { AddressPart, NexusRegion } from './on-file.ts';
import type { ServiceRefusal } from './refusal.ts';
import { OptionalCountry, optionalText, State } from './scalars.ts';
import type { TaxRequestInput } from './tax-request.ts';
import type { TaxResult } from './tax-result.ts';
import type {
  DeletedTransaction,
  ListingQueryInput,
  NewTransaction,
  Order,
  ProviderQueryInput,
  TransactionKind,
  TransactionName,
  UpdateTransaction,
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
  createMany(transactions: readonly NewTransaction[]): Promise<readonly (Order | ServiceRefusal)[]>;
  /** Return the record of each name, in order; `undefined` where there is none. */
  showMany(names: readonly TransactionName[]): Promise<readonly (Order | undefined)[]>;

  /** Ids ordered by (transaction_date, transaction_id). */
  list(kind: TransactionKind, query: ListingQueryInput): Promise<readonly string[]>;
  /** Line items replace the stored ones, absent fields stay. @throws {ServiceRefusal} 404 when there is no record */
  update(kind: TransactionKind, id: string, changes: UpdateTransaction): Promise<Order>;
  remove(kind: TransactionKind, id: string, query?: ProviderQueryInput): Promise<DeletedTransaction>;

  /**
   * Return the marks of days in UTC: each changes with every change of the records of its day. Absent when the service has
   * none.
   */
  dayMarks?(days: { readonly first: CalendarDate; readonly last: CalendarDate }): Promise<DayMarks>;
}

/** One product tax category of `GET /categories`. */
export const Category = z.object({
  product_tax_code: z.string(),
  name: z.string(),
  description: z.string(),
});
export type Category = z.output<typeof Category>;

/** Tieout's own engine: calculations in this process, without a call. */
export type OwnEngine = {
  /** @throws {ServiceRefusal} */
  readonly calculate: (request: TaxRequestInput) => TaxResult;
};

/** The parts of an address that tax depends on. */
export type TaxedAddress = Readonly<Record<AddressPart, string>>;

/** The addresses that a sale ships from and to, and the day whose law applies. */
export type TaxedSale = {
  readonly from: TaxedAddress;
  readonly to: TaxedAddress;
  readonly day: CalendarDate;
};

/** Where a rate can hold, in the words of the tax content. */
export type RateArea = {
  /** Three-digit codes of counties, divided by blanks. */
  readonly counties: string;
  /** The place within them; empty if the content does not have it. */
  readonly place: string;
};

/** Local rates that the tax content lacks at a place. */
export type ContentGap = {
  /** The levels whose rate it may lack. */
  readonly levels: readonly LocalLevel[];
  /** The place; absent if its county is not known. */
  readonly area?: RateArea;
  /** Whether the place within the state is unknown, so that only what applies everywhere in the state was applied. */
  readonly isPlaceless?: boolean;
  /** The days for which the rates of the place are known, without that of the sale: `known until 2026-03-31`. */
  readonly span?: string;
  /** Whether the sale is before these days: then a known rate can be lower or higher than the right one. */
  readonly isEarly?: boolean;
};

/** A tax as results name it: `LOS ANGELES`, or a county and a city for the districts there together. */
export type LeviedTax = {
  readonly level: string;
  readonly name: string;
  readonly rate: Rate;
};

/** Bodies whose rates no authority itself showed, and the day until which the rates of their state are known. */
type SecondaryRates = {
  readonly names: readonly string[];
  readonly until: string;
};

/** The header in which a served Tieout names the tax content that its answers are based on. */
export const CONTENT_HEADER = 'tieout-content';

/**
 * The completeness of a service's tax content, as far as it is known. It is not part of the wire contract: for a remote
 * service it is known only if that is a Tieout, which names its content in a header.
 */
export type ContentCoverage = {
  /** Whether local rates of a state may be missing. */
  readonly isIncomplete: (state: string) => boolean;
  /** The days for which the local rates of a state are known, if the day is not among them: `known until 2026-03-31`. */
  readonly spanOf: (state: string, day: CalendarDate) => string | undefined;
  /** Where the rates of a state on a day come from, most rates first, and the day until which local rates are known. */
  readonly sourcesOf: (
    state: string,
    day: CalendarDate,
  ) => { readonly titles: readonly string[]; readonly until: string } | undefined;
  /** The taxes of a state whose rates on the day rest on secondary sources; `undefined` where none of those asked for does. */
  readonly secondaryAmong: (
    state: string,
    day: CalendarDate,
    taxes: readonly LeviedTax[],
  ) => SecondaryRates | undefined;
  /**
   * What is in doubt of how a state taxes categories and freight on the last of some days, and of the holidays within
   * them, as sentences: the likelier side is applied.
   *
   * @param use what the seller's customers use its goods for
   */
  readonly doubtsOf: (
    state: string,
    days: { readonly first: CalendarDate; readonly last: CalendarDate },
    categories: readonly string[],
    use?: 'business' | 'personal',
  ) => readonly string[];
  /** The gap of the content at the place that determines the tax of a sale; `undefined` when it is complete. */
  readonly gapAt: (sale: TaxedSale) => ContentGap | undefined;
  /** The first day of the law of a sale: from then to the day of the sale, its place has the same rates and rules. */
  readonly lawSince: (sale: TaxedSale) => CalendarDate;
};

/** Levels of tax below the state, in the order in which results print them. */
export const LOCAL_LEVELS = ['county', 'city', 'special'] as const;
export type LocalLevel = (typeof LOCAL_LEVELS)[number];

/** The place of a rate look-up, besides the postal code in the path. Without a country it is the United States. */
export const RateQuery = z.object({
  country: OptionalCountry,
  state: State,
  city: optionalText(255),
  street: optionalText(255),
});
export type RateQuery = z.output<typeof RateQuery>;

/** The rates of one place in the United States. `country` and `country_rate` are present only for members of the Streamlined Sales Tax agreement. */
export type LocationRate = {
  readonly zip: string;
  readonly country?: string;
  readonly country_rate?: Rate;
  readonly state: string;
  readonly state_rate: Rate;
  readonly county: string | null;
  readonly county_rate: Rate;
  readonly city: string | null;
  readonly city_rate: Rate;
  readonly combined_district_rate: Rate;
  readonly combined_rate: Rate;
  readonly freight_taxable: boolean;
};

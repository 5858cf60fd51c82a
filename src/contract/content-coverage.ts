import type { CalendarDate } from '../kernel/calendar.ts';

/** An address as far as tax depends on it. */
export type TaxedAddress = {
  readonly country: string;
  readonly state: string;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
};

/** Where a sale ships from and to, and the day whose law applies. */
export type TaxedSale = {
  readonly from: TaxedAddress;
  readonly to: TaxedAddress;
  readonly day: CalendarDate;
};

/** Local rates that a tax content lacks at a place. */
export type ContentGap = {
  /** The levels of which it may lack a rate. */
  readonly levels: readonly LocalLevel[];
  /** What the content says of its coverage of the state. */
  readonly note: string;
  /** Whether the place within the state is not known, so that only what every place of it has was applied. */
  readonly isPlaceless?: boolean;
};

/** The header by which a served Tieout says which tax content its answers are calculated by. */
export const CONTENT_HEADER = 'tieout-content';

/**
 * What is known of the completeness of a service's tax content. It is not part of the wire contract: of a service
 * across a network it is known only if that is a Tieout, which names its content in a header.
 */
export type ContentCoverage = {
  /** Whether local rates of a state may be missing. */
  readonly isIncomplete: (state: string) => boolean;
  /** What the content lacks at the place that decides about a sale; `undefined` where it is complete. */
  readonly gapAt: (sale: TaxedSale) => ContentGap | undefined;
  /**
   * The first day of the law of a sale: from that day to the day of the sale no rate and no rule of its place changes.
   */
  readonly lawSince: (sale: TaxedSale) => CalendarDate;
  /** Whether streets decide in a state, because the content has its boundary file. */
  readonly isByStreet: (state: string) => boolean;
};

/** Levels of tax below the state, in the order in which results print them. */
export const LOCAL_LEVELS = ['county', 'city', 'special'] as const;
export type LocalLevel = (typeof LOCAL_LEVELS)[number];

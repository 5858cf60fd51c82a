import type { Category, LocalLevel } from '../contract/tax-service.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Price, Rate } from '../kernel/money.ts';

export type DatedRate = Dated & { readonly rate: Rate };

/** A rate of a state. If its start is unknown, `knownSince` is the first day on which it is known to have applied. */
export type StateRate = DatedRate & { readonly knownSince: string };

/** One rate of one jurisdiction. Rates of one place add up. */
export type LocalRate = DatedRate & {
  readonly state: string;
  readonly level: LocalLevel;
  readonly code: string;
  readonly name: string;
  /**
   * A `food` row replaces the `general` row of the same jurisdiction for grocery food. A `drugs` row applies only to
   * categories whose rule in the state refers to such rows.
   */
  readonly tax: 'general' | 'food' | 'drugs';
  /**
   * Where in its counties the row applies: everywhere, outside incorporated places, in named places, or only where an
   * official boundary file names its code.
   */
  readonly scope: 'county' | 'unincorporated' | 'place' | 'unmapped';
  /** Three-digit county codes within the state. */
  readonly counties: readonly string[];
  readonly places: ReadonlySet<string>;
  readonly exceptPlaces: ReadonlySet<string>;
  /** The day on which the source showed this rate; empty when it is unknown. */
  readonly seen: string;
};

/** `mixed`: state, county and city by origin, districts by destination; reported as destination. */
export type SourcingRow = Dated & { readonly inStateSellers: 'origin' | 'destination' | 'mixed' };

/**
 * `conditional`: in full with any taxable goods, at their rates; `in-full`: the same at the general rates; `shared`: in
 * proportion to the share of the taxable goods in the total price; `by-itself`: at the general rates, whatever the goods.
 */
export const FREIGHT_RULES = [
  'none',
  'always',
  'conditional',
  'in-full',
  'shared',
  'by-itself',
  'exempt',
] as const;

/** How a state treats freight. */
export type FreightRow = Dated & {
  readonly rule: (typeof FREIGHT_RULES)[number];
  /** Whether the share of an item in the freight counts towards a price below which it is exempt. */
  readonly inLimits: boolean;
  /** Whether the seller may put all freight to one item, instead of sharing it, where an item is exempt below a price. */
  readonly oneItem: boolean;
  /** Further readings, where the law is open or depends on what no order shows. Empty where it is not. */
  readonly otherwise: string;
};

export const SPECIAL_KINDS = [
  'local-item-cap',
  'state-item-tier',
  'luxury-rate',
  'code-extra-local',
  'code-city-rate',
  'local-total-cap',
  'flat-total',
  'flat-local',
] as const;

/** A rule of one state that does not fit a general column. Those of one rate for remote sellers apply if they elected it. */
export type SpecialRule = Dated & {
  readonly kind: (typeof SPECIAL_KINDS)[number];
  /** The categories it applies to; empty for all. */
  readonly codes: readonly string[];
  readonly rate: Rate;
  readonly amountFrom: Price;
  readonly amountTo: Price;
  /** Places that adopted it; empty when they are unknown. `*` is everywhere. */
  readonly places: ReadonlySet<string>;
  readonly doubtful: boolean;
  readonly note: string;
};

export type StateContent = {
  readonly code: string;
  readonly name: string;
  readonly rates: readonly StateRate[];
  readonly sourcing: readonly SourcingRow[];
  readonly freight: readonly FreightRow[];
  readonly special: readonly SpecialRule[];
  readonly holidays: readonly Holiday[];
  /** `complete`, `none`, or the covered part: a word list such as `county+city-partial+special-missing`. */
  readonly coverage: string;
  readonly coverageNote: string;
  /** The latest day on which a source showed the local rates; empty when there are none. */
  readonly coverageSeen: string;
  /** The first and the last day that the sources of the local rates cover; empty when they do not state it. */
  readonly coveredSince: string;
  readonly coveredUntil: string;
  readonly localRates: readonly LocalRate[];
  /** The local rates that may apply in a county, by its three-digit code. */
  readonly localByCounty: ReadonlyMap<string, readonly LocalRate[]>;
  /** The general local rates whose area is not known. */
  readonly unmappedRates: readonly LocalRate[];
};

export const TREATMENTS = [
  'taxable',
  'exempt',
  'reduced',
  'threshold',
  'partial',
  'special-rate',
  'unknown',
  'like',
] as const;

export const LOCAL_TREATMENTS = [
  'follow',
  'full',
  'exempt',
  'uniform',
  'food-rows',
  'drug-rows',
  'listed-exempt',
  'unknown',
] as const;

/** The use that buyers make of their purchases. Some states tax a category by it, and only the seller can know. */
export type BuyerUse = 'business' | 'personal';

/** The taxation of one category in one state (`*` = in every state without a row of its own). */
export type TaxabilityRow = Dated & {
  readonly code: string;
  readonly state: string;
  /** The use that the row is for; empty for every use without a row of its own on the day. */
  readonly use: BuyerUse | '';
  readonly treatment: (typeof TREATMENTS)[number];
  /** The category to follow when the treatment is `like`. */
  readonly like: string;
  /** The state rate of `reduced`, or the combined rate of `special-rate`. */
  readonly rate: Rate;
  /** The percentage of the price that is taxed. */
  readonly percent: number;
  readonly threshold: Price;
  readonly thresholdKind: 'below-exempt' | 'excess-only' | '';
  readonly local: (typeof LOCAL_TREATMENTS)[number];
  /** The rate of `uniform`; of `food-rows` and `drug-rows`, the one assumed if no row shows what localities decided. */
  readonly localRate: Rate | undefined;
  /** Whether the row is only the more likely of two readings: it is applied, and the result has a flag. */
  readonly doubtful: boolean;
  readonly note: string;
};

/** Days on which a state exempts a class of goods up to a price. */
export type Holiday = Dated & {
  readonly name: string;
  /** The goods in words. */
  readonly goods: string;
  /** Categories that the class covers; `none` is goods without one. If empty, no category here matches the class. */
  readonly codes: readonly string[];
  /** The price limit of one item; 0 = at any price. */
  readonly limit: Price;
  /** Whether an item at the limit is exempt or taxed, or the first part of the price of every item is exempt. */
  readonly limitKind: 'or-less' | 'below' | 'first-part' | '';
  /** The state rate on these days. */
  readonly rate: Rate;
  /** Local taxes are exempt too, or stay; if localities decide, they stay (`opt-in`) or are exempt (`opt-out`). */
  readonly local: 'follow' | 'stay' | 'opt-in' | 'opt-out';
  readonly on: boolean;
  readonly doubtful: boolean;
};

/** A county that exempts a category from its local taxes, in a state that leaves this to localities. */
export type LocalityExemption = Dated & {
  readonly county: string;
  readonly exceptPlaces: ReadonlySet<string>;
};

export type CountryRate = DatedRate & { readonly tax: 'vat' | 'gst' | 'pst' | 'qst' };

/** The rate of one category in a country, or in one of its territories. */
export type CodeRate = DatedRate & {
  readonly region: string;
  /** The taxes that it replaces: all, or in Canada the federal tax with the harmonized part of a province. */
  readonly taxes: 'all' | 'gst-hst';
  readonly doubtful: boolean;
};

export type Territory = DatedRate & { readonly name: string; readonly postcodes: RegExp };

export type CountryContent = {
  readonly code: string;
  /** Within one area, a sale without nexus at the destination is taxed by the seller's own country. */
  readonly vatArea: string;
  readonly kind: 'us' | 'provinces' | 'country';
  readonly rates: readonly CountryRate[];
  readonly provinces: ReadonlyMap<string, readonly CountryRate[]>;
  readonly territories: readonly Territory[];
  readonly codeRates: ReadonlyMap<string, readonly CodeRate[]>;
};

export type Place = {
  readonly fips: string;
  readonly name: string;
  readonly key: string;
  readonly incorporated: boolean;
  readonly counties: readonly string[];
};

export type ZipCounties = {
  /** Whether the ZIP has an area; a ZIP of post boxes or of one building has the county of its post office. */
  readonly hasArea: boolean;
  /** Five-digit county codes, first the one in which most of its people live. */
  readonly counties: readonly string[];
  /** The code of the place in which most of its people live; empty if there is none, or it is unknown. */
  readonly place: string;
  /** The codes of all places that have a part of the ZIP, as far as they are known. */
  readonly places: readonly string[];
};

/** The jurisdictions of an address according to an official boundary file. */
export type BoundaryHit = {
  readonly county: string;
  readonly place: string;
  readonly specials: readonly string[];
};

/** The answer of a boundary file about an address. */
export type BoundaryAnswer = {
  readonly hit: BoundaryHit | undefined;
  /**
   * Whether taxes differ within the result: within the ZIP, if the file has neither its street nor its ZIP+4, or
   * between several records of the address.
   */
  readonly isDivided: boolean;
};

/** The boundary file of one state. */
export type BoundaryIndex = {
  readonly find: (zip5: string, plus4: string | undefined, street: string, date: string) => BoundaryAnswer;
};

/** One official file that was imported into a content. */
export type ImportedFile = {
  readonly file: string;
  /** The name of its layout. */
  readonly kind: string;
  /** Postal code; several for a neutral file. */
  readonly state: string;
  /** The quarter or day that the file is for; empty when the file does not state it. */
  readonly period: string;
  readonly sha256: string;
  readonly on: string;
  /** Rows of data in the file. */
  readonly rows: number;
};

/** The part of a `Map` that is available for a table whose rows are parsed on demand. */
export type Lookup<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly has: (key: string) => boolean;
  /** Parses all rows. */
  readonly [Symbol.iterator]: () => Iterator<readonly [string, Value]>;
};

/** All data that a calculation reads. It is loaded once and never changed; an import makes a new content. */
export type TaxContent = {
  readonly name: string;
  readonly version: string;
  /** The day on which the content was compiled. */
  readonly date: CalendarDate;
  readonly imports: readonly ImportedFile[];
  readonly states: ReadonlyMap<string, StateContent>;
  /** Two-digit federal codes of the states. */
  readonly stateFips: ReadonlyMap<string, string>;
  readonly zips: Lookup<ZipCounties>;
  readonly counties: ReadonlyMap<string, string>;
  readonly countyStates: ReadonlyMap<string, string>;
  /** Places by state and place key, such as `NY albany`. */
  readonly places: Lookup<readonly Place[]>;
  readonly placesByFips: Lookup<Place>;
  /** All places of a state. */
  readonly placesOf: (state: string) => readonly Place[];
  /** How categories are taxed, by code and state. */
  readonly taxability: Lookup<ReadonlyMap<string, readonly TaxabilityRow[]>>;
  /** Locality exemptions by `code state`. */
  readonly localities: ReadonlyMap<string, readonly LocalityExemption[]>;
  readonly countries: ReadonlyMap<string, CountryContent>;
  readonly categories: readonly Category[];
  readonly sources: ReadonlyMap<string, string>;
  /** Imported boundary files by state, which locate addresses officially. */
  readonly boundaries: ReadonlyMap<string, BoundaryIndex>;
  /** Cache of what calculations derived from this content, by key. The code that writes to it limits its size. */
  readonly memory: Map<string, object>;
};

/** The last day of a row that is still in force. */
export const OPEN_END = '9999-12-31';

/**
 * A row of law or of a rate, in force on every day from `from` to `to`, both included. An empty `from` means that the
 * start is unknown; `to` is `9999-12-31` while the row is in force. Every row names its source and its confidence.
 */
export type Dated = {
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly confidence: string;
};

/** The source of a row that a Streamlined file of a state has. */
export const streamlinedSource = (state: string): string => `sst-${state.toLowerCase()}`;

/** Whether a row of a state is from a Streamlined file, so that it has the codes that its boundary file has. */
export const hasFileCode = (row: { readonly state: string; readonly source: string }): boolean =>
  row.source === streamlinedSource(row.state);

/** Whether the authority itself says what a row says: such a row stands before every other. */
export const isOfficial = ({ confidence }: { readonly confidence?: string }): boolean =>
  confidence?.startsWith('official') === true;

/** Whether a row is from a source that only refers to the authority. */
export const isSecondary = ({ confidence }: Dated): boolean => confidence.startsWith('secondary');

export const isInForce = (row: Dated, date: CalendarDate): boolean => row.from <= date && date <= row.to;

/** Find the row in force on a day; if two rows share the day, the one that began later. */
export const inForce = <Row extends Dated>(rows: readonly Row[], date: CalendarDate): Row | undefined => {
  let found: Row | undefined;
  for (const row of rows) {
    if (isInForce(row, date) && (found === undefined || row.from > found.from)) found = row;
  }
  return found;
};

/** Find the row nearest to a day that no row covers: the first one after it, otherwise the last one before it. */
export const nearest = <Row extends Dated>(rows: readonly Row[], date: CalendarDate): Row | undefined => {
  const sorted = [...rows].sort((left, right) => (left.from < right.from ? -1 : 1));
  return sorted.find((row) => row.from > date) ?? sorted.at(-1);
};

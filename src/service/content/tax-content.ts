import type { Category } from '../../contract/category.ts';
import type { LocalLevel } from '../../contract/local-level.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Price } from '../../kernel/price.ts';
import type { Rate } from '../../kernel/rate.ts';
import type { Dated } from './dated.ts';
import type { Lookup } from './grouped-rows.ts';
import type { ImportEntry } from './manifest.ts';

export type DatedRate = Dated & { readonly rate: Rate };

/** One rate of one jurisdiction. Rates of one place add up. */
export type LocalRate = DatedRate & {
  readonly state: string;
  readonly level: LocalLevel;
  readonly code: string;
  readonly name: string;
  /**
   * A `food` row stands in for the `general` row of the same jurisdiction on grocery food. A `drugs` row holds where
   * the state's rule for a category says that only such rows do.
   */
  readonly tax: 'general' | 'food' | 'drugs';
  /**
   * Where in its counties the row holds: everywhere, outside incorporated places, in named places, or only where an
   * official boundary file names its code.
   */
  readonly scope: 'county' | 'unincorporated' | 'place' | 'unmapped';
  /** Three-digit county codes within the state. */
  readonly counties: readonly string[];
  readonly places: ReadonlySet<string>;
  readonly exceptPlaces: ReadonlySet<string>;
  /** The day on which the source showed this rate; empty when it is not known. */
  readonly seen: string;
};

/** `mixed`: state, county and city by origin, districts by destination; reported as destination. */
export type SourcingRow = Dated & { readonly inStateSellers: 'origin' | 'destination' | 'mixed' };

export type FreightRow = Dated & { readonly rule: 'none' | 'always' | 'conditional' | 'exempt' };

export type SpecialRuleKind =
  | 'local-item-cap'
  | 'state-item-tier'
  | 'luxury-rate'
  | 'code-extra-local'
  | 'local-total-cap'
  | 'flat-total'
  | 'flat-local';

/** A rule of one state that fits no general column. */
export type SpecialRule = Dated & {
  readonly kind: SpecialRuleKind;
  /** The categories it holds for; none means all. */
  readonly codes: readonly string[];
  readonly rate: Rate;
  readonly amountFrom: Price;
  readonly amountTo: Price;
  /** Rules that a seller may elect hold only where the content says that they are elected. */
  readonly elected: boolean;
  /** Places that adopted it; none means that they are not known. `*` is everywhere. */
  readonly places: ReadonlySet<string>;
  readonly note: string;
};

export type StateContent = {
  readonly code: string;
  readonly name: string;
  readonly rates: readonly DatedRate[];
  readonly sourcing: readonly SourcingRow[];
  readonly freight: readonly FreightRow[];
  readonly special: readonly SpecialRule[];
  readonly holidays: readonly Holiday[];
  /** `complete`, `none`, or what is covered: a word list such as `county+city-partial`. */
  readonly coverage: string;
  readonly coverageNote: string;
  /** The newest day on which a source showed the local rates; empty when there are none. */
  readonly coverageSeen: string;
  /** The first and the last day for which the sources of the local rates speak; empty when they do not say. */
  readonly coveredSince: string;
  readonly coveredUntil: string;
  readonly localRates: readonly LocalRate[];
  /** The local rates that can hold in a county, by its three-digit code. */
  readonly localByCounty: ReadonlyMap<string, readonly LocalRate[]>;
};

export type Treatment =
  | 'taxable'
  | 'exempt'
  | 'reduced'
  | 'threshold'
  | 'partial'
  | 'special-rate'
  | 'unknown'
  | 'like';

export type LocalTreatment =
  | 'follow'
  | 'full'
  | 'exempt'
  | 'uniform'
  | 'food-rows'
  | 'drug-rows'
  | 'listed-exempt'
  | 'unknown'
  | 'like';

/** How one category is taxed in one state (`*` = wherever no row of the state says otherwise). */
export type TaxabilityRow = Dated & {
  readonly code: string;
  readonly state: string;
  readonly treatment: Treatment;
  /** The category to follow when the treatment is `like`. */
  readonly like: string;
  /** The state rate of `reduced`, or the combined rate of `special-rate`. */
  readonly rate: Rate;
  /** Hundredths of the price that are taxed. */
  readonly percent: number;
  readonly threshold: Price;
  readonly thresholdKind: 'below-exempt' | 'excess-only' | '';
  readonly local: LocalTreatment;
  readonly localLike: string;
  /** The rate of `uniform`; of `food-rows` and `drug-rows`, what is assumed where no row says what localities decided. */
  readonly localRate: Rate | undefined;
  /** Whether the row is applied; otherwise the item is taxed in full and the result says so. */
  readonly on: boolean;
  readonly note: string;
};

/** Days on which a state exempts goods of some categories below a price. */
export type Holiday = Dated & {
  /** Categories; `none` is goods without one. */
  readonly codes: readonly string[];
  /** Items below this price are exempt; 0 = at any price. */
  readonly below: Price;
  /** Whether local taxes follow the state, or localities decide. */
  readonly local: 'follow' | 'unknown';
  readonly on: boolean;
};

/** A county that exempts a category from its local taxes where the state leaves it to localities. */
export type LocalityExemption = Dated & {
  readonly county: string;
  readonly exceptPlaces: ReadonlySet<string>;
};

export type CountryRate = DatedRate & { readonly tax: 'vat' | 'gst' | 'pst' | 'qst' };

export type Territory = DatedRate & { readonly name: string; readonly postcodes: RegExp };

export type CountryContent = {
  readonly code: string;
  /** Countries of one area are served from a seller's own country where there is no nexus at the destination. */
  readonly vatArea: string;
  readonly kind: 'us' | 'provinces' | 'country';
  readonly rates: readonly CountryRate[];
  readonly provinces: ReadonlyMap<string, readonly CountryRate[]>;
  readonly territories: readonly Territory[];
  readonly codeRates: ReadonlyMap<string, readonly (DatedRate & { readonly on: boolean })[]>;
};

export type Place = {
  readonly fips: string;
  readonly name: string;
  readonly key: string;
  readonly incorporated: boolean;
  readonly counties: readonly string[];
};

export type ZipCounties = {
  /** Whether the ZIP has an area; one of post boxes or of one building has the county of its post office. */
  readonly hasArea: boolean;
  /** Five-digit county codes, that in which most of its people live first. */
  readonly counties: readonly string[];
  /** The code of the place in which most of its people live; empty where that is none, or not known. */
  readonly place: string;
  /** The codes of all places that have a part of the ZIP, as far as they are known. */
  readonly places: readonly string[];
};

/** Where an official boundary file puts an address. */
export type BoundaryHit = {
  readonly county: string;
  readonly place: string;
  readonly specials: readonly string[];
  readonly precision: 'address' | 'zip4' | 'zip5-unique';
};

/** The boundary file of one state. */
export type BoundaryIndex = {
  readonly find: (
    zip5: string,
    plus4: string | undefined,
    street: string,
    date: string,
  ) => BoundaryHit | undefined;
};

/** Everything that a calculation reads. Loaded once, never changed; a new import is a new content. */
export type TaxContent = {
  readonly name: string;
  readonly version: string;
  /** The day on which the content was put together. */
  readonly date: CalendarDate;
  readonly imports: readonly ImportEntry[];
  readonly states: ReadonlyMap<string, StateContent>;
  /** Two-digit federal codes of the states. */
  readonly stateFips: ReadonlyMap<string, string>;
  readonly zips: Lookup<ZipCounties>;
  readonly zipPrefixes: ReadonlyMap<string, readonly string[]>;
  readonly counties: ReadonlyMap<string, string>;
  readonly countyStates: ReadonlyMap<string, string>;
  /** Places by state and place key, as `NY albany`. */
  readonly places: Lookup<readonly Place[]>;
  readonly placesByFips: Lookup<Place>;
  /** All places of a state. */
  readonly placesOf: (state: string) => readonly Place[];
  readonly taxability: ReadonlyMap<string, ReadonlyMap<string, readonly TaxabilityRow[]>>;
  /** Locality exemptions by `code state`. */
  readonly localities: ReadonlyMap<string, readonly LocalityExemption[]>;
  readonly countries: ReadonlyMap<string, CountryContent>;
  readonly categories: readonly Category[];
  readonly sources: ReadonlyMap<string, string>;
  /** Imported boundary files by state: where an address lies by the state's own account. */
  readonly boundaries: ReadonlyMap<string, BoundaryIndex>;
  /** What calculations worked out from this content, by key. Bounded by those who write it. */
  readonly memory: Map<string, object>;
};

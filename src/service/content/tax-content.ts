import type { Category } from '../../contract/category.ts';
import type { LocalLevel } from '../../contract/content-coverage.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Price } from '../../kernel/price.ts';
import type { Rate } from '../../kernel/rate.ts';
import type { ImportEntry } from './content-folder.ts';
import type { Dated } from './dated.ts';
import type { Lookup } from './grouped-rows.ts';
import type { OfficialFileRow } from './official-files.ts';

export type DatedRate = Dated & { readonly rate: Rate };

/** A rate of a state. Where its start is not known, `knownSince` is the first day on which it is known to have held. */
export type StateRate = DatedRate & { readonly knownSince: string };

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

/** `conditional`: in full with any taxable goods; `shared`: in the share that these have in the price of all. */
export type FreightRow = Dated & {
  readonly rule: 'none' | 'always' | 'conditional' | 'shared' | 'exempt';
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

/** A rule of one state that fits no general column. */
export type SpecialRule = Dated & {
  readonly kind: (typeof SPECIAL_KINDS)[number];
  /** The categories it holds for; none means all. */
  readonly codes: readonly string[];
  readonly rate: Rate;
  readonly amountFrom: Price;
  readonly amountTo: Price;
  /** Rules that a seller may elect hold only where the content says that they are elected. */
  readonly elected: boolean;
  /** Places that adopted it; none means that they are not known. `*` is everywhere. */
  readonly places: ReadonlySet<string>;
  readonly doubtful: boolean;
  readonly note: string;
};

/** A fee for one sale whose goods are delivered: no tax, and apart from it on every bill. */
export type DeliveryFee = Dated & {
  readonly name: string;
  /** Dollars for the sale; `undefined` when the amount of these days is not known. */
  readonly amount: Price | undefined;
  /** The goods that count have to come to this. */
  readonly fromTotal: Price;
  /** Categories that count although the state does not tax them, and those that never do. */
  readonly alsoCodes: readonly string[];
  readonly exceptCodes: readonly string[];
  readonly note: string;
};

/** What all rates on goods in a city came to on some days. It tells since when rates hold whose start is not known. */
export type CombinedRate = DatedRate & { readonly county: string; readonly place: string };

export type StateContent = {
  readonly code: string;
  readonly name: string;
  readonly rates: readonly StateRate[];
  readonly sourcing: readonly SourcingRow[];
  readonly freight: readonly FreightRow[];
  readonly special: readonly SpecialRule[];
  readonly holidays: readonly Holiday[];
  readonly fees: readonly DeliveryFee[];
  /** `complete`, `none`, or what is covered: a word list such as `county+city-partial`. */
  readonly coverage: string;
  readonly coverageNote: string;
  /** The newest day on which a source showed the local rates; empty when there are none. */
  readonly coverageSeen: string;
  /** The first and the last day for which the sources of the local rates speak; empty when they do not say. */
  readonly coveredSince: string;
  readonly coveredUntil: string;
  readonly combinedRates: readonly CombinedRate[];
  readonly localRates: readonly LocalRate[];
  /** The local rates that can hold in a county, by its three-digit code. */
  readonly localByCounty: ReadonlyMap<string, readonly LocalRate[]>;
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
  'like',
] as const;

/** What buyers use what they buy for. Some states tax a category by it, and only the seller can know. */
export type BuyerUse = 'business' | 'personal';

/** How one category is taxed in one state (`*` = wherever no row of the state says otherwise). */
export type TaxabilityRow = Dated & {
  readonly code: string;
  readonly state: string;
  /** The use that the row is for; empty for every use that no other row of the day is for. */
  readonly use: BuyerUse | '';
  readonly treatment: (typeof TREATMENTS)[number];
  /** The category to follow when the treatment is `like`. */
  readonly like: string;
  /** The state rate of `reduced`, or the combined rate of `special-rate`. */
  readonly rate: Rate;
  /** Hundredths of the price that are taxed. */
  readonly percent: number;
  readonly threshold: Price;
  readonly thresholdKind: 'below-exempt' | 'excess-only' | '';
  readonly local: (typeof LOCAL_TREATMENTS)[number];
  readonly localLike: string;
  /** The rate of `uniform`; of `food-rows` and `drug-rows`, what is assumed where no row says what localities decided. */
  readonly localRate: Rate | undefined;
  /** Whether the row is applied; otherwise the item is taxed in full and the result says so. */
  readonly on: boolean;
  /** Whether the row is only the likelier of two: it is applied, and the result says so. */
  readonly doubtful: boolean;
  readonly note: string;
};

/** Days on which a state exempts goods of some class up to a price. */
export type Holiday = Dated & {
  readonly name: string;
  /** The goods in words. */
  readonly goods: string;
  /** Categories that the class covers; `none` is goods without one. Without any, no category here stands for the class. */
  readonly codes: readonly string[];
  /** The price limit of one item; 0 = at any price. */
  readonly limit: Price;
  /** Whether an item at the limit is exempt, is taxed, or the first part of the price of every item is exempt. */
  readonly limitKind: 'or-less' | 'below' | 'first-part' | '';
  /** The state rate in these days. */
  readonly rate: Rate;
  /** Local taxes are off too, stay, or stay or are off where no one said otherwise, as localities decide. */
  readonly local: 'follow' | 'stay' | 'opt-in' | 'opt-out';
  readonly on: boolean;
  readonly doubtful: boolean;
};

/** A county that exempts a category from its local taxes where the state leaves it to localities. */
export type LocalityExemption = Dated & {
  readonly county: string;
  readonly exceptPlaces: ReadonlySet<string>;
};

export type CountryRate = DatedRate & { readonly tax: 'vat' | 'gst' | 'pst' | 'qst' };

/** The rate of one category in a country, or in a territory of it. */
export type CodeRate = DatedRate & {
  readonly region: string;
  /** Which taxes it stands in for: all, or in Canada the federal one with the harmonized part of a province. */
  readonly taxes: 'all' | 'gst-hst';
  readonly doubtful: boolean;
};

export type Territory = DatedRate & { readonly name: string; readonly postcodes: RegExp };

export type CountryContent = {
  readonly code: string;
  /** Countries of one area are served from a seller's own country where there is no nexus at the destination. */
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
  /** The record that names the address, as `ZIP+4 68102-0100 to 68102-0399`. */
  readonly by: string;
  /** The file that was imported. */
  readonly source: string;
};

/** What a boundary file says of an address. */
export type BoundaryAnswer = {
  readonly hit: BoundaryHit | undefined;
  /** Whether taxes differ within what was found: within the ZIP, where neither street nor ZIP+4 is in the file. */
  readonly isDivided: boolean;
};

/** The boundary file of one state. */
export type BoundaryIndex = {
  readonly find: (zip5: string, plus4: string | undefined, street: string, date: string) => BoundaryAnswer;
};

/** Everything that a calculation reads. Loaded once, never changed; a new import is a new content. */
export type TaxContent = {
  readonly name: string;
  readonly version: string;
  /** The day on which the content was put together. */
  readonly date: CalendarDate;
  readonly imports: readonly ImportEntry[];
  /** Where newer files of the states can be had. */
  readonly officialFiles: readonly OfficialFileRow[];
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
  /** How categories are taxed, by code and state. */
  readonly taxability: Lookup<ReadonlyMap<string, readonly TaxabilityRow[]>>;
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

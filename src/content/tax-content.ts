import { type Category, LOCAL_LEVELS } from '../contract/tax-service.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { RATE_ONE } from '../kernel/money.ts';
import {
  amountOf,
  ContentDamagedError,
  type Dated,
  datedOf,
  type ImportedFile,
  type Lookup,
  listOf,
  placesIn,
  rateOf,
  rateOrZero,
  type TableRow,
  wordOf,
} from './content-folder.ts';
import { placeKey } from './region-names.ts';

/** A value of a row, made by its reader. */
type RowOf<Reader extends (row: TableRow, ...more: never) => object> = Readonly<ReturnType<Reader>>;

/** The words of confidence of rows that are not in doubt. */
export type Certain = ReadonlySet<string>;

/** Read a row of which a doubtful one is only the more likely of two readings: it is applied, and the result has a flag. */
const judgedOf = (row: TableRow, certain: Certain) => {
  const dated = datedOf(row);
  return { ...dated, doubtful: !certain.has(dated.confidence) };
};

const datedRate = (row: TableRow) => ({ ...datedOf(row), rate: rateOf(row) });
export type DatedRate = RowOf<typeof datedRate>;

/** A rate of a state. If its start is unknown, `knownSince` is the first day on which it is known to have applied. */
export const stateRate = (row: TableRow) => ({ ...datedRate(row), knownSince: row.cell('known_since') });
export type StateRate = RowOf<typeof stateRate>;

export const LOCAL_TAXES = ['general', 'food', 'drugs'] as const;
export const RATE_SCOPES = ['county', 'unincorporated', 'place', 'unmapped'] as const;

/** One rate of one jurisdiction. Rates of one place add up. */
export const localRate = (row: TableRow) => ({
  ...datedRate(row),
  state: row.cell('state'),
  level: wordOf(row, 'level', LOCAL_LEVELS),
  code: row.cell('code'),
  name: row.cell('name'),
  /**
   * A `food` row replaces the `general` row of the same jurisdiction for grocery food. A `drugs` row applies only to
   * categories whose rule in the state refers to such rows.
   */
  tax: wordOf(row, 'tax', LOCAL_TAXES),
  /**
   * Where in its counties the row applies: everywhere, outside incorporated places, in named places, or only where an
   * official boundary file names its code.
   */
  scope: wordOf(row, 'scope', RATE_SCOPES),
  /** Three-digit county codes within the state. */
  counties: listOf(row, 'counties', ' '),
  places: placesIn(row, 'places'),
  exceptPlaces: placesIn(row, 'except_places'),
  /** The day on which the source showed this rate; empty when it is unknown. */
  seen: row.cell('seen'),
});
export type LocalRate = RowOf<typeof localRate>;

/** `mixed`: state, county and city by origin, districts by destination; reported as destination. */
export const sourcingRow = (row: TableRow) => ({
  ...datedOf(row),
  inStateSellers: wordOf(row, 'in_state_sellers', ['origin', 'destination', 'mixed']),
});

/**
 * `conditional`: in full with any taxable goods, at their rates; `in-full`: the same at the general rates; `shared`: in
 * proportion to the share of the taxable goods in the total price; `by-itself`: at the general rates, whatever the goods.
 */
const FREIGHT_RULES = ['none', 'always', 'conditional', 'in-full', 'shared', 'by-itself', 'exempt'] as const;

/** How a state treats freight. */
export const freightRow = (row: TableRow) => ({
  ...datedOf(row),
  rule: wordOf(row, 'rule', FREIGHT_RULES),
  /** Whether the share of an item in the freight counts towards a price below which it is exempt. */
  inLimits: wordOf(row, 'in_limits', ['', 'yes', 'no']) === 'yes',
  /** Whether the seller may put all freight to one item, instead of sharing it, where an item is exempt below a price. */
  oneItem: wordOf(row, 'one_item', ['', 'yes']) === 'yes',
  /** Further readings, where the law is open or depends on what no order shows. Empty where it is not. */
  otherwise: row.cell('otherwise'),
});
export type FreightRow = RowOf<typeof freightRow>;

const SPECIAL_KINDS = [
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
export const specialRule = (row: TableRow, certain: Certain) => ({
  ...judgedOf(row, certain),
  kind: wordOf(row, 'kind', SPECIAL_KINDS),
  /** The categories it applies to; empty for all. */
  codes: listOf(row, 'codes', ' '),
  rate: rateOrZero(row),
  amountFrom: amountOf(row, 'amount_from'),
  amountTo: amountOf(row, 'amount_to'),
  /** Places that adopted it; empty when they are unknown. `*` is everywhere. */
  places: placesIn(row, 'places'),
  note: row.cell('note'),
});
export type SpecialRule = RowOf<typeof specialRule>;

/** Days on which a state exempts a class of goods up to a price. */
export const holiday = (row: TableRow, certain: Certain) => ({
  ...judgedOf(row, certain),
  name: row.cell('name'),
  /** The goods in words. */
  goods: row.cell('goods'),
  /** Categories that the class covers; `none` is goods without one. If empty, no category here matches the class. */
  codes: listOf(row, 'codes', ' '),
  /** The price limit of one item; 0 = at any price. */
  limit: amountOf(row, 'limit'),
  /** Whether an item at the limit is exempt or taxed, or the first part of the price of every item is exempt. */
  limitKind: wordOf(row, 'limit_kind', ['', 'or-less', 'below', 'first-part']),
  /** The state rate on these days. */
  rate: rateOrZero(row),
  /** Local taxes are exempt too, or stay; if localities decide, they stay (`opt-in`) or are exempt (`opt-out`). */
  local: wordOf(row, 'local', ['follow', 'stay', 'opt-in', 'opt-out']),
  on: row.cell('switch') !== 'off',
});
export type Holiday = RowOf<typeof holiday>;

const TREATMENTS = [
  'taxable',
  'exempt',
  'reduced',
  'threshold',
  'partial',
  'special-rate',
  'unknown',
  'like',
] as const;

const LOCAL_TREATMENTS = [
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
export const taxabilityRow = (row: TableRow, certain: Certain) => {
  const [treatment = '', like = ''] = row.cell('treatment').split(' ');
  const fraction = row.cell('fraction') === '' ? RATE_ONE : rateOf(row, 'fraction');
  return {
    ...judgedOf(row, certain),
    code: row.cell('code'),
    state: row.cell('state'),
    /** The use that the row is for; empty for every use without a row of its own on the day. */
    use: wordOf(row, 'use', ['', 'business', 'personal']),
    treatment: wordOf({ ...row, cell: () => treatment }, 'treatment', TREATMENTS),
    /** The category to follow when the treatment is `like`. */
    like,
    /** The state rate of `reduced`, or the combined rate of `special-rate`. */
    rate: rateOrZero(row),
    /** The percentage of the price that is taxed. */
    percent: (100 * fraction) / RATE_ONE,
    threshold: amountOf(row, 'threshold'),
    thresholdKind: wordOf(row, 'threshold_kind', ['', 'below-exempt', 'excess-only']),
    local: wordOf(row, 'local', LOCAL_TREATMENTS),
    /** The rate of `uniform`; of `food-rows` and `drug-rows`, the one assumed if no row shows what localities decided. */
    localRate: row.cell('local_rate') === '' ? undefined : rateOf(row, 'local_rate'),
    note: row.cell('note'),
  };
};
export type TaxabilityRow = RowOf<typeof taxabilityRow>;

/** A county that exempts a category from its local taxes, in a state that leaves this to localities. */
export const localityExemption = (row: TableRow) => ({
  ...datedOf(row),
  key: `${row.cell('code')} ${row.cell('state')}`,
  county: row.cell('county'),
  exceptPlaces: placesIn(row, 'except_places'),
});
export type LocalityExemption = RowOf<typeof localityExemption>;

/** What is said of the local rates of a state that the table of coverage does not have. */
export const NO_COVERAGE = {
  coverage: 'minimal',
  coverageNote: '',
  coverageSeen: '',
  coveredSince: '',
  coveredUntil: '',
};

export type StateContent = {
  readonly code: string;
  readonly name: string;
  readonly rates: readonly StateRate[];
  readonly sourcing: readonly RowOf<typeof sourcingRow>[];
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

export const countryRate = (row: TableRow) => ({
  ...datedRate(row),
  tax: wordOf(row, 'tax', ['vat', 'gst', 'pst', 'qst']),
});
export type CountryRate = RowOf<typeof countryRate>;

/** The rate of one category in a country, or in one of its territories. */
export const codeRate = (row: TableRow, certain: Certain) => ({
  ...judgedOf(row, certain),
  region: row.cell('region'),
  rate: rateOf(row),
  /** The taxes that it replaces: all, or in Canada the federal tax with the harmonized part of a province. */
  taxes: wordOf(row, 'taxes', ['all', 'gst-hst']),
});
export type CodeRate = RowOf<typeof codeRate>;

export const territory = (row: TableRow) => ({
  ...datedRate(row),
  name: row.cell('name'),
  postcodes: postcodePattern(row),
});
export type Territory = RowOf<typeof territory>;

const postcodePattern = ({ place, cell }: TableRow): RegExp => {
  const text = cell('postcodes');
  try {
    return new RegExp(`^(?:${text})$`);
  } catch (cause) {
    throw new ContentDamagedError(place, `${text} is not a pattern of postcodes`, cause);
  }
};

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

export const placeRow = (row: TableRow) => ({
  fips: row.cell('fips'),
  name: row.cell('name'),
  key: placeKey(row.cell('name')),
  incorporated: row.cell('kind') === 'i',
  counties: row.cell('counties').split(' '),
});
export type Place = RowOf<typeof placeRow>;

export const zipRow = (row: TableRow) => ({
  /** Whether the ZIP has an area; a ZIP of post boxes or of one building has the county of its post office. */
  hasArea: row.cell('first_by') !== 'o',
  /** Five-digit county codes, first the one in which most of its people live. */
  counties: row.cell('counties').split(' '),
  /** The code of the place in which most of its people live; empty if there is none, or it is unknown. */
  place: row.cell('place'),
  /** The codes of all places that have a part of the ZIP, as far as they are known. */
  places: listOf(row, 'places', ' '),
});
export type ZipCounties = RowOf<typeof zipRow>;

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

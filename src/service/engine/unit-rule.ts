/** A rule row that was applied to a unit, for the explanation. */
export type RuleNote = {
  readonly rule: string;
  readonly outcome: string;
  readonly source: string;
  readonly confidence: string;
};

/**
 * How one category is taxed at one place on one day, built once and used for every line: numbers only. Rates are in
 * 1e-7, one for each level of the country (US: state, county, city, special). Amounts are 1e-4 dollars per item.
 */
export type UnitRule = {
  readonly rates: readonly number[];
  /** Items below this price are taxed at `ratesBelow`; 0 = no threshold. */
  readonly threshold: number;
  readonly ratesBelow: readonly number[];
  /** Only the price above this is taxed; 0 = the whole price. */
  readonly excessOver: number;
  /** The percentage of the price that is taxed. */
  readonly percent: number;
  /** Levels from this index on tax only the first `capAmount` of an item; 0 = no cap. */
  readonly capAmount: number;
  readonly capFromLevel: number;
  /** Items above `luxuryOver` are taxed at `luxuryRate` by the first level; 0 = no such rule. */
  readonly luxuryOver: number;
  readonly luxuryRate: number;
  /** The first level additionally taxes the price between these two at `tierRate`; 0 = no such rule. */
  readonly tierRate: number;
  readonly tierFrom: number;
  readonly tierTo: number;
  readonly notes: readonly RuleNote[];
  readonly flags: readonly string[];
  /** The other reading of the law, when this one is only the more likely. */
  readonly doubt: RuleDoubt | undefined;
};

export type RuleDoubt = { readonly why: string; readonly otherwise: UnitRule };

/** Build a rule that taxes the whole price at some rates. */
export const plainRule = (
  rates: readonly number[],
  notes: readonly RuleNote[] = [],
  flags: readonly string[] = [],
): UnitRule => ({
  rates,
  threshold: 0,
  ratesBelow: rates,
  excessOver: 0,
  percent: 100,
  capAmount: 0,
  capFromLevel: 0,
  luxuryOver: 0,
  luxuryRate: 0,
  tierRate: 0,
  tierFrom: 0,
  tierTo: 0,
  notes,
  flags,
  doubt: undefined,
});

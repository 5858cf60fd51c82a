import type { Dated } from './dated.ts';

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

/** One reading of the law on freight. */
export type FreightReading = {
  readonly rule: (typeof FREIGHT_RULES)[number];
  /** Whether the share of an item in the freight counts towards a price below which it is exempt. */
  readonly inLimits: boolean;
};

export type FreightRow = Dated &
  FreightReading & {
    /** Whether the seller may put all freight to one item, instead of sharing it, where an item is exempt below a price. */
    readonly oneItem: boolean;
    /** Further readings, where the law is open or depends on what no order shows. */
    readonly otherwise: readonly FreightReading[];
  };

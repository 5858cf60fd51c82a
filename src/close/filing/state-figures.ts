import type { Money } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Rate } from '../../kernel/rate.ts';

export type JurisdictionLevel = 'state' | 'county' | 'city' | 'special';

/** What one body of a state levies at one rate. */
export type JurisdictionFigures = {
  readonly level: JurisdictionLevel;
  readonly name: string;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
};

/** All taxes together at one place: what forms that are kept by location code or locality ask for. */
export type PlaceFigures = {
  readonly county: string;
  readonly city: string;
  /** Combined rate of all levels, the state's included. */
  readonly rate: Rate;
  /** The part of the rate that is not the state's. */
  readonly localRate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
  readonly localTax: Money;
};

export type ExemptFigures = {
  /** As the service names it: `wholesale`, `government`, `other`. Marketplace sales are not among them. */
  readonly type: string;
  readonly amount: Money;
  readonly sales: number;
};

/**
 * The posted sales of one state in one filing period. Refunds count with their minus sign, except in `returns`.
 * Always `gross = marketplace + exempt + non-taxable + taxable`, where non-taxable is what remains.
 */
export type StateFigures = {
  readonly state: string;
  readonly period: FilingPeriod;
  readonly orders: number;
  readonly refunds: number;
  /** Goods and shipping without tax, sales on marketplaces included. */
  readonly gross: Money;
  readonly shipping: Money;
  /** What was refunded in the period, as a positive amount; already taken off `gross`. */
  readonly returns: Money;
  /** Sales whose tax a marketplace collects and remits. */
  readonly marketplace: Money;
  readonly exempt: readonly ExemptFigures[];
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  /** What was charged above the tax due, added up sale by sale, without the sales that were charged too little. */
  readonly excessCollected: Money;
  readonly jurisdictions: readonly JurisdictionFigures[];
  readonly places: readonly PlaceFigures[];
};

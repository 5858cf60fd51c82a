import type { Money } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Rate } from '../../kernel/rate.ts';
import type { FeeRule } from './law/filing-law.ts';

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
  /** Tax that was collected there under rates that the tax content lacks; it is in none of the other amounts. */
  readonly gapTax: Money;
  /** Whether the tax content lacks rates of the place: such sales stand in a row of their own. */
  readonly isGap: boolean;
};

/**
 * Tax that was collected under local rates that the tax content lacks. No expected figure contains it, and it is paid
 * over as it was collected.
 */
export type GapFigures = {
  readonly sales: number;
  readonly tax: Money;
  /** By the shop's own tax lines where they exist; otherwise by the place. */
  readonly jurisdictions: readonly JurisdictionFigures[];
};

export type ExemptFigures = {
  /** As the service names it: `wholesale`, `government`, `other`. Marketplace sales are not among them. */
  readonly type: string;
  readonly amount: Money;
  readonly sales: number;
};

/** Whose return it is: the state's own, that of a county or city which collects its tax itself, or one for a fee alone. */
export const RETURN_KINDS = ['state', 'place', 'fee'] as const;
export type ReturnKind = (typeof RETURN_KINDS)[number];

/** A fee of the state for delivered sales, in the days of one of its amounts. */
export type FeeFigures = {
  readonly rule: FeeRule;
  /** Orders that owe it. */
  readonly sales: number;
  /** Orders for which the shop charged it, and what they were charged. */
  readonly chargedSales: number;
  readonly charged: Money;
  /** What these orders owe, and what was charged above it; all that was charged where the amount is not known. */
  readonly due: Money;
  readonly excess: Money;
  /** Some of the orders that owe it and were not charged. */
  readonly notCharged: readonly string[];
};

/**
 * The posted sales of one return in one filing period: those of a state, without the tax that others in it collect, or
 * those of one of these. Refunds count with their minus sign, except in `returns`.
 * Always `gross = marketplace + exempt + non-taxable + taxable`, where non-taxable is what remains.
 */
export type StateFigures = {
  readonly state: string;
  readonly kind: ReturnKind;
  /** The county or city, or the form of the fee; empty for the state itself. */
  readonly name: string;
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
  /** Sales of days on which the seller had no duty to collect in the state. */
  readonly beforeDuty: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  readonly gap: GapFigures;
  /**
   * What was charged above the tax due, added up sale by sale, without the sales that were charged too little and
   * without the tax of rates that the tax content lacks.
   */
  readonly excessCollected: Money;
  readonly jurisdictions: readonly JurisdictionFigures[];
  readonly places: readonly PlaceFigures[];
  /** Fees for delivered sales that this return asks for; they are in none of the other figures. */
  readonly fees: readonly FeeFigures[];
};

/** What tells one return of a period from the others: `CO`, `CO Denver`, `CO DR 1786`. */
export const returnKey = ({ state, name }: Pick<StateFigures, 'state' | 'name'>): string =>
  `${state} ${name}`.trimEnd();

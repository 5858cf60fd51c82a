import { type Money, type Rate, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { FeeRule } from './law-row.ts';

export type JurisdictionLevel = 'state' | 'county' | 'city' | 'special';

/** The tax that one body of a state levies at one rate. */
export type JurisdictionFigures = {
  readonly level: JurisdictionLevel;
  readonly name: string;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
};

/** All taxes of one place together, for forms that report by location code or locality. */
export type PlaceFigures = {
  readonly county: string;
  readonly city: string;
  /** Whether the city levies nothing itself and is only where a district reaches. */
  readonly isOfDistrict: boolean;
  /** Combined rate of all levels, including the state's. */
  readonly rate: Rate;
  /** The part of the rate that is not the state's. */
  readonly localRate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
  readonly localTax: Money;
  /** Tax collected there under rates that the tax content lacks; not included in the other amounts. */
  readonly gapTax: Money;
  /** Whether the tax content lacks rates of the place: such sales are in a row of their own. */
  readonly isGap: boolean;
};

/**
 * Tax collected under local rates that the tax content lacks. It is not part of any expected figure and is remitted as
 * collected.
 */
export type GapFigures = {
  /** A reversal takes its record off, also one that another period has. */
  readonly sales: number;
  readonly tax: Money;
  /** By the shop's own tax lines if there are any; otherwise by place. */
  readonly jurisdictions: readonly JurisdictionFigures[];
};

export type ExemptFigures = {
  /** The type as the service names it: `wholesale`, `government`, `other`. Marketplace sales are not included. */
  readonly type: string;
  readonly amount: Money;
  readonly sales: number;
};

/** The kind of return: the state's own, that of a county or city that collects its own tax, or one for a fee alone. */
export const RETURN_KINDS = ['state', 'place', 'fee'] as const;
export type ReturnKind = (typeof RETURN_KINDS)[number];

/** A state's fee on delivered sales, for the days of one of its amounts. */
export type FeeFigures = {
  readonly rule: FeeRule;
  /** Number of orders that owe the fee. */
  readonly sales: number;
  /** What the shop charged for the fee. */
  readonly charged: Money;
  /** The fee that these orders owe, and the excess charged: the whole charge if the amount of the fee is not known. */
  readonly due: Money;
  readonly excess: Money;
};

/**
 * The posted sales of one return in one filing period: those of a state, without the tax that its places collect
 * themselves, or those of one such place. Refunds count with their minus sign, except in `returns`. Always `gross =
 * marketplace + exempt + non-taxable + taxable`, where non-taxable is the remainder.
 */
export type StateFigures = {
  readonly state: string;
  readonly kind: ReturnKind;
  /** The county or city, or the form of the fee; empty for the state itself. */
  readonly name: string;
  readonly period: FilingPeriod;
  readonly orders: number;
  readonly refunds: number;
  /** Goods and shipping without tax, including marketplace sales. */
  readonly gross: Money;
  /** Refunds of the period as a positive amount, already subtracted from `gross`. */
  readonly returns: Money;
  /** Sales whose tax a marketplace collects and remits. */
  readonly marketplace: Money;
  readonly exempt: readonly ExemptFigures[];
  /** Sales on days on which the seller had no duty to collect in the state. */
  readonly beforeDuty: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  readonly gap: GapFigures;
  readonly jurisdictions: readonly JurisdictionFigures[];
  readonly places: readonly PlaceFigures[];
  /** Fees on delivered sales that this return reports; not included in the other figures. */
  readonly fees: readonly FeeFigures[];
};

/** Whether anything was collected, or taken back, under rates that the tax content lacks. */
export const hasGap = ({ gap }: Pick<StateFigures, 'gap'>): boolean => gap.sales !== 0 || gap.tax !== ZERO;

/** Returns the key that identifies a return within a period: `CO`, `CO Denver`, `CO DR 1786`. */
export const returnKey = ({ state, name }: Pick<StateFigures, 'state' | 'name'>): string =>
  `${state} ${name}`.trimEnd();

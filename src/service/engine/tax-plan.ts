import type {
  CaBreakdown,
  CountryBreakdown,
  Explanation,
  Jurisdictions,
  TaxSource,
  UsBreakdown,
} from '../../contract/tax-result.ts';
import { formatRate } from '../../kernel/money.ts';
import type { DatedRate, DeliveryFee } from '../content/tax-content.ts';
import type { Order } from './order.ts';
import type { OrderRules, OrderTax } from './order-tax.ts';
import type { RuleNote } from './unit-rule.ts';

/** The plan for taxing an order with nexus: what a country decides before any amount is considered. */
export type TaxPlan = {
  readonly source: TaxSource;
  readonly jurisdictions: Jurisdictions;
  readonly rules: OrderRules;
  readonly print: (order: Order, tax: OrderTax) => UsBreakdown | CaBreakdown | CountryBreakdown;
  /** Other rules by which the law can be read, or which it leaves to the seller. */
  readonly otherReadings?: () => readonly RulesRead[];
  /** Explains the plan; called only when the request asks for an explanation. */
  readonly explain: () => PlanExplanation;
};

/** The rules of an order by another reading of the law, and the reading in words. */
export type RulesRead = { readonly what: string; readonly rules: OrderRules };

export type PlanExplanation = {
  readonly precision: string;
  readonly jurisdictions: NonNullable<Explanation['jurisdictions']>;
  readonly notes: readonly RuleNote[];
  readonly freightNotes: readonly RuleNote[];
  /** Flags that matter only when the order has freight. */
  readonly freightFlags: readonly string[];
  readonly flags: readonly string[];
  /** Fees of the destination state on sales that are delivered. */
  readonly fees: readonly DeliveryFee[];
};

/** Return the fields of a rate in an explanation. */
export const explainedRate = (row: DatedRate) => ({
  rate: formatRate(row.rate),
  from: row.from === '' ? null : row.from,
  source: row.source,
  confidence: row.confidence,
});

import type { Explanation } from '../../contract/explanation.ts';
import type {
  CaBreakdown,
  CountryBreakdown,
  Jurisdictions,
  TaxSource,
  UsBreakdown,
} from '../../contract/tax-result.ts';
import { formatRate } from '../../kernel/rate.ts';
import type { DatedRate, DeliveryFee } from '../content/tax-content.ts';
import type { Order } from './order.ts';
import type { OrderRules, OrderTax } from './order-tax.ts';
import type { RuleNote } from './unit-rule.ts';

/** How an order with nexus is taxed: what a country decides before any amount is looked at. */
export type TaxPlan = {
  readonly source: TaxSource;
  readonly jurisdictions: Jurisdictions;
  readonly rules: OrderRules;
  readonly print: (order: Order, tax: OrderTax) => UsBreakdown | CaBreakdown | CountryBreakdown;
  /** Why; asked for only when the request wants an explanation. */
  readonly explain: () => PlanExplanation;
};

export type PlanExplanation = {
  readonly precision: string;
  readonly jurisdictions: NonNullable<Explanation['jurisdictions']>;
  readonly notes: readonly RuleNote[];
  readonly freightNotes: readonly RuleNote[];
  /** What is to be said where the order has freight. */
  readonly freightFlags: readonly string[];
  readonly flags: readonly string[];
  /** Fees on sales that are delivered, of the state that is delivered to. */
  readonly fees: readonly DeliveryFee[];
};

/** What an explanation says of a rate. */
export const explainedRate = (row: DatedRate) => ({
  rate: formatRate(row.rate),
  from: row.from === '' ? null : row.from,
  source: row.source,
  confidence: row.confidence,
});

import type { Money } from '../../kernel/money.ts';

/** Why collected and expected differ, or why a record needs eyes. The codes are stable; auditors quote them. */
export const REASONS = {
  R01: {
    name: 'Rounding',
    meaning: 'The shop rounded each line or each jurisdiction; the tax is rounded once per order.',
  },
  R02: {
    name: 'Rate differs',
    meaning: 'The shop applied other rates than those in force at the place on the day.',
  },
  R05: {
    name: 'Product taxability',
    meaning: 'The shop taxed or freed an item against its product category.',
  },
  R06: {
    name: 'Freight taxability',
    meaning: 'The shop taxed shipping where it is not taxable, or the other way round.',
  },
  R09: {
    name: 'Marketplace remits',
    meaning: 'The seller charged tax on a sale whose tax the marketplace collects and remits.',
  },
  R10: {
    name: 'No nexus but collected',
    meaning: 'Tax was charged where the seller has no duty to collect.',
  },
  R11: { name: 'Nexus but not collected', meaning: 'No tax was charged where the seller must collect.' },
  R14: { name: 'Refund without original', meaning: 'A refund whose order is in none of the exports.' },
  R16: { name: 'Period edge', meaning: 'The day in UTC lies in another period than the business date.' },
  R18: { name: 'Duplicate', meaning: 'The record came more than once.' },
  R19: {
    name: 'Missing in service',
    meaning: 'The sale was sent, or should have been, and the service does not hold it.',
  },
  R20: { name: 'Extra in service', meaning: 'The service holds a record that no export explains.' },
  R24: { name: 'Currency', meaning: 'The sale is in another currency; it is shown and never converted.' },
  R99: { name: 'Unexplained', meaning: 'No rule explains the amount.' },
} as const;
export type ReasonCode = keyof typeof REASONS;

/** A part of a variance with its proof. The parts of one sale add up to collected minus expected, to the cent. */
export type Reason = {
  readonly code: ReasonCode;
  readonly amount: Money;
  /** What was changed in the recomputation, and what it gave. */
  readonly proof: string;
};

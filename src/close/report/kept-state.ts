import type { Money } from '../../kernel/money.ts';

/** What one period came to in one state, as it stood when it was last closed. */
export type KeptState = {
  readonly period: string;
  readonly state: string;
  readonly orders: number;
  readonly refunds: number;
  readonly gross: Money;
  readonly collected: Money;
  readonly expected: Money;
  /** Nothing of a period that was closed before these were kept. */
  readonly filed: KeptFiling | undefined;
};

/** What the return of a period leaves to the next, and what thresholds of nexus count. */
export type KeptFiling = CountedSales & {
  readonly taxable: Money;
  readonly prepaymentsLeft: Money;
  readonly creditsLeft: Money;
};

/** The parts of gross sales that not every threshold counts. */
export type CountedSales = {
  /** Sales to exempt buyers, those to buyers who sell again included. */
  readonly exempt: Money;
  readonly resale: Money;
  readonly marketplace: Money;
  readonly marketplaceOrders: number;
};

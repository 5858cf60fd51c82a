import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';

/** The change that a late item makes in one state. Amounts are signed differences. */
export type LateLine = {
  /** The key of the record in the exports. */
  readonly key: string;
  readonly id: string;
  readonly record: string;
  readonly kind: 'new' | 'changed' | 'withdrawn';
  readonly saleDate: CalendarDate;
  readonly state: string;
  /** The file and line of the newest content, in the order in which the files are read. */
  readonly file: string;
  readonly line: number;
  /** The locked period that it belongs to by its date. */
  readonly period: string;
  readonly choice: 'open' | 'carried' | 'amended';
  readonly gross: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
};

import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';

/** What a late item changes in one state. Amounts are differences, with their signs. */
export type LateLine = {
  /** The record as the exports have it, by its key. */
  readonly key: string;
  readonly id: string;
  readonly record: string;
  readonly kind: 'new' | 'changed' | 'withdrawn';
  readonly saleDate: CalendarDate;
  readonly state: string;
  /** Where the newest content stands: the file and its line, in the order in which the files are read. */
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

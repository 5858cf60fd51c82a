import * as z from 'zod';
import { AmountExpression, Column } from './expression.ts';
import { DateRule } from './locale.ts';

/** Columns that name a record together. The first of them is what people call it, such as an order number. */
const Key = z.array(Column).min(1);

/** How the rows of a file make up records. Taking one shape for another counts money twice or drops it. */
export const Shape = z.discriminatedUnion('kind', [
  /** One row for each order; its lines are packed into cells, or not in the file at all. */
  z.strictObject({ kind: z.literal('order-per-row'), key: Key, parts: z.boolean().default(false) }),
  /**
   * One row for each line; rows next to each other with one key are one record. `orderColumns` must be equal in them,
   * or blank behind the first. A first row in which `summary` is blank, before rows in which it is not, tells of the
   * whole record: its amounts count, and those of the other rows only where it has none.
   */
  z.strictObject({
    kind: z.literal('line-repeat'),
    key: Key,
    orderColumns: z.array(Column).default([]),
    summary: Column.optional(),
    /** What people call the record, where it is not the first column of the key. */
    name: Column.optional(),
    /** `true`: the same record at another instant is a further part of it, such as a second shipment. */
    parts: z.boolean().default(false),
  }),
  /**
   * One row for each line; order-level cells are blank, or repeated, on the rows after the first. `head` is filled
   * on a first row.
   */
  z.strictObject({
    kind: z.literal('line-blank'),
    key: z.tuple([Column]),
    head: Column,
    orderColumns: z.array(Column),
    parts: z.literal(false).default(false),
  }),
  /**
   * One row for each line and tax jurisdiction. Rows next to each other with one key are one record, and so is a
   * row whose key is blank. What a line cost is counted once for each value of `line`.
   */
  z.strictObject({
    kind: z.literal('jurisdiction'),
    key: Key,
    line: z.array(Column).min(1),
    parts: z.boolean().default(false),
  }),
]);
export type Shape = z.output<typeof Shape>;

/**
 * Lines packed into one cell, or into numbered cells (`#` for the number). `labels` are the words before each value;
 * the expressions of `map.line` use them as columns.
 */
export const PackedLines = z.strictObject({
  column: Column,
  /** What stands between two items of one cell. */
  itemSplit: z.string().min(1).optional(),
  /** What stands between two values of one item; without it a value ends where the next label begins. */
  fieldSplit: z.string().min(1).optional(),
  labels: z.array(z.string().min(1)).min(1),
});
export type PackedLines = z.output<typeof PackedLines>;

/** Repayments packed into one cell; the names of `labels` are the columns of `amount` and `date`. */
export const PackedRefunds = PackedLines.extend({ amount: AmountExpression, date: DateRule });
export type PackedRefunds = z.output<typeof PackedRefunds>;

/** Lines spread over numbered columns: the names that `map.line` uses, and the columns they mean (`#` for the number). */
export const NumberedLines = z.record(Column, z.string().includes('#'));
export type NumberedLines = z.output<typeof NumberedLines>;

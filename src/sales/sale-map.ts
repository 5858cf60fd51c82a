import * as z from 'zod';
import { AmountExpression, Column, Condition, DateRule, TextExpression } from './expression.ts';

/** An optional key for a text or an amount, with what it means. */
const text = (meaning: string) => TextExpression.optional().describe(meaning);
const amount = (meaning: string) => AmountExpression.optional().describe(meaning);
const columns = (meaning: string) => z.array(Column).default([]).describe(meaning);
const kind = <Kind extends string>(name: Kind, meaning: string) => z.literal(name).describe(meaning);
const mark = (meaning: string) => z.boolean().optional().describe(meaning);
const flag = (meaning: string) => z.boolean().default(false).describe(meaning);
const Tests = z.array(Condition).min(1).describe('Tests that all hold.');

/** Formats of amounts and dates. */
export const Locale = z.strictObject({
  date: DateRule.describe('When the sale or refund happened.'),
  taxDate: DateRule.optional().describe('The day whose law applies, where the export states it by itself.'),
  decimal: z
    .enum(['.', ','])
    .default('.')
    .describe('The mark before the cents. The other one stands between thousands.'),
  currencySymbols: z
    .array(z.string().min(1))
    .default(['$', 'US$', 'USD'])
    .describe('What may stand beside an amount.'),
  finerAmounts: z
    .enum(['refuse', 'round'])
    .default('refuse')
    .describe(
      'Amounts of a line with more than four places, and of a record with more than two: refused, or rounded half away from zero, where `map.total` proves the record.',
    ),
  currency: TextExpression.describe('The currency; `{ constant: USD }` where no column says it.'),
});
export type Locale = z.output<typeof Locale>;
export type MoneyForm = Pick<Locale, 'decimal' | 'currencySymbols'> & Partial<Pick<Locale, 'finerAmounts'>>;

const Key = z
  .array(Column)
  .min(1)
  .describe('Columns that name a record together; the first is what people call it, an order number.');

const Parts = flag('The same record at another instant is a further part of it, such as a second shipment.');

/** How the rows of a file form records. The wrong shape counts money twice or drops it. */
export const Shape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: kind('order-per-row', 'One row for each order.'),
    key: Key,
    parts: Parts,
  }),
  z.strictObject({
    kind: kind('line-repeat', 'One row for each line; rows next to each other with one key are one record.'),
    key: Key,
    orderColumns: columns('Cells of the whole record: equal on all of its rows, or blank behind the first.'),
    summary: Column.optional().describe(
      'If this is blank on the first row alone, that row tells of the whole record: its amounts count first.',
    ),
    name: Column.optional().describe('What people call the record, if not the first column of the key.'),
    store: Column.optional().describe(
      'Whose number it is, where an export has several stores: equal numbers of two are refused.',
    ),
    parts: Parts,
  }),
  z.strictObject({
    kind: kind(
      'line-blank',
      'One row for each line; rows after the first leave the cells of the order blank, or repeat them.',
    ),
    key: z.tuple([Column]).describe('The column that names the order.'),
    head: Column.describe('Filled on the first row of an order, and on no other.'),
    orderColumns: z.array(Column).describe('Cells of the whole record.'),
    parts: z.literal(false).default(false).describe('There are none.'),
  }),
  z.strictObject({
    kind: kind(
      'jurisdiction',
      'One row for each line and tax jurisdiction. Rows next to each other with one key are one record, and so is a row whose key is blank.',
    ),
    key: Key,
    line: z.array(Column).min(1).describe('What a line cost is counted once for each value of these.'),
    oncePerLine: columns(
      'A row that is like an earlier one of its line in all of these is the line once more, such as a second refund of it; any other is a further jurisdiction.',
    ),
    asBefore: columns('Cells that are blank on a row where they are as on the row before it.'),
    parts: Parts,
  }),
]);
export type Shape = z.output<typeof Shape>;

export const PackedLines = z.strictObject({
  column: Column.describe('The column, or the numbered columns (`#` for the number).'),
  itemSplit: z.string().min(1).optional().describe('What stands between two items of one cell.'),
  fieldSplit: z
    .string()
    .min(1)
    .optional()
    .describe('What stands between two values of one item; when left out, a comma before the next label.'),
  labels: z
    .array(z.string().min(1))
    .min(1)
    .describe('The words before each value; the expressions of `map.line` use them as columns.'),
});
export type PackedLines = z.output<typeof PackedLines>;

export const PackedRefunds = PackedLines.extend({
  amount: AmountExpression.describe('What was given back; the labels are its columns.'),
  date: DateRule.describe('When.'),
});
export type PackedRefunds = z.output<typeof PackedRefunds>;

export const NumberedLines = z.record(Column, z.string().includes('#'));
export type NumberedLines = z.output<typeof NumberedLines>;

const FindingCode = z.string().regex(/^[a-z][a-z0-9-]+$/);

export const RecordRule = z.strictObject({
  when: Tests,
  treat: z.enum(['order', 'refund', 'review', 'ignore', 'reject']).describe('What the record is then.'),
  as: z
    .enum(['order', 'refund'])
    .optional()
    .describe('What a record under review is, if it turns out to be right.'),
  amounts: z
    .literal('positive')
    .optional()
    .describe('Refunds whose amounts have no minus; without this they are read with the other sign.'),
  reason: FindingCode.optional().describe(
    'The code under which a record that is not a sale is shown: one of docs/source-profiles.md, or one of your own.',
  ),
  message: z.string().optional().describe('Why, in a sentence for the reader of Exceptions.'),
  fullyRefunded: mark('The status alone says that everything was given back, whatever the refunded amount.'),
  partlyRefunded: mark(
    'The status says that a part was given back: an order without a refunded amount is held.',
  ),
});
export type RecordRule = z.output<typeof RecordRule>;

/** Rule that classifies a line. A line without a matching rule is goods. */
const LineRule = z.strictObject({
  when: Tests,
  treat: z
    .enum(['gift-card', 'tip', 'shipping', 'ignore'])
    .describe('`gift-card`: no sale until it is spent; `tip`: no sale at all; `shipping`: freight.'),
});

export const AddressColumns = z.strictObject({
  country: TextExpression.describe('By code or name.'),
  state: TextExpression.describe('By postal code or name.'),
  zip: TextExpression.describe('Five digits, or nine; lost zeros are restored where the state agrees.'),
  city: TextExpression.describe('The city.'),
  street: TextExpression.describe('The street, with its number.'),
});
export type AddressColumns = z.output<typeof AddressColumns>;

const LineMap = z.strictObject({
  present: TextExpression.describe('A row, or a packed item, is a line when this is filled.'),
  quantity: TextExpression.describe('How many; `{ first: [Qty, { constant: "1" }] }` where it may be blank.'),
  description: TextExpression.describe('What was sold.'),
  sku: TextExpression.describe('The seller’s item number.'),
  category: text('What the channel calls the kind of the item, for `categories` of `tieout.yaml`.'),
  unitPrice: amount('The price of one, before the discount.'),
  gross: amount('The line before its discount.'),
  net: amount('The line after its discount.'),
  discount: amount('Of the whole line, in either sign.'),
  rules: z
    .array(LineRule)
    .default([])
    .describe('What a line is, where it is not goods: the first that fits.'),
});
export type LineMap = z.output<typeof LineMap>;

const EXEMPTIONS = ['wholesale', 'government', 'other', 'non_exempt'] as const;

/** When a marketplace collects the tax, by law or by its own rules; either may have a first day. */
const Facilitated = z.strictObject({
  when: z.array(Condition).min(1).describe('Tests; one that holds for any row of the record is enough.'),
  since: z
    .union([z.iso.date(), z.literal('law')])
    .optional()
    .describe('The first day on which it does: its own, or by the `law` of the state.'),
});

/** Mapping of columns to the parts of a sale. */
export const SaleMap = z.strictObject({
  id: text('The id of an order or refund, if not the first column of the key.'),
  uniqueId: text(
    'An id that no other shop has, such as that of the platform or of the payment: two records of one number with different ones are two sales.',
  ),
  refundId: text('The id of a refund row of its own; `<order>-refund` where there is none.'),
  reference: text('The order that a refund row gives back.'),
  shipTo: AddressColumns.optional().describe('Where the goods went.'),
  shipToFallback: AddressColumns.optional().describe(
    'Shown when every cell of the ship-to address but the country is blank, such as the billing address. It counts where `nothingShips` says so.',
  ),
  stateIsEnough: flag(
    'A US address without a ZIP is its state as a whole, with a warning, and needs no review.',
  ),
  shippingMethod: text(
    'How it was shipped. A pickup, free and without a ship-to address, is a sale at the place of business.',
  ),
  nothingShips: Condition.optional().describe(
    'Marks a row whose goods were not shipped. If every row has the mark, the fallback address counts; otherwise a person decides.',
  ),
  location: text(
    'The name of the place of business, one of the channel’s `locations`; with `inPerson`, of sales in person.',
  ),
  inPerson: Condition.optional().describe('Sales made in person: they happen where the seller is.'),
  goods: amount(
    'Goods after all discounts, without shipping and tax; a discount of the whole order is taken off here. When left out, what the lines come to.',
  ),
  shipping: AmountExpression.describe('What was charged for shipping.'),
  salesTax: AmountExpression.describe('Tax that the seller collected.'),
  marketplaceTax: amount('Tax that a marketplace collected and remits.'),
  fees: z
    .array(
      z.strictObject({
        description: z.string().describe('What it is for.'),
        amount: AmountExpression.describe('How much.'),
        items: PackedLines.extend({
          name: TextExpression.describe('What one of them is for; the labels are its columns.'),
          amount: AmountExpression.describe('How much it is.'),
        })
          .optional()
          .describe('Where a cell has each of them by name. They count where they add up to the amount.'),
      }),
    )
    .default([])
    .describe(
      'Charges that are neither goods nor shipping, and discounts below nothing. The name of each says what it is; one of no known kind is left to a person.',
    ),
  total: amount('What the buyer was asked to pay: goods, fees, shipping and both taxes.'),
  paidByGiftCard: amount('Paid with a gift card or store credit, which may have lowered the total.'),
  paidByOthers: amount(
    'What others paid for the buyer; a refund of all that the buyer paid is of the whole sale.',
  ),
  refunded: amount('All that was refunded, with its tax, where refunds have no rows of their own.'),
  refundedWithoutTax: z
    .literal(true)
    .optional()
    .describe('`refunded` leaves out the tax, which goes back in the same share.'),
  marketplace: z
    .union([z.literal('always'), Facilitated, z.array(Facilitated).min(1)])
    .optional()
    .describe('When the marketplace collects the tax.'),
  soldBy: z
    .strictObject({
      source: TextExpression.describe(
        'The source or channel. It decides, from the day of the state’s law on.',
      ),
      own: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .describe(
          'The sources of the shop itself. Where they are listed, a source that is neither one of them nor a marketplace is left to a person; a blank one is the shop’s.',
        ),
      hints: z
        .array(TextExpression)
        .default([])
        .describe('Tags, gateways and the like: where only they name a marketplace, a person decides.'),
    })
    .optional()
    .describe('Who sold it, where orders of a marketplace may be among the shop’s own.'),
  exemption: z
    .array(
      z.strictObject({
        when: Tests,
        type: z.enum(EXEMPTIONS).describe('Why; `wholesale` is for resale.'),
      }),
    )
    .default([])
    .describe('Why a sale is exempt; the first that holds.'),
  customer: text('The buyer’s number or name, by which certificates are found.'),
  line: LineMap.optional().describe(
    'A line. Of unit price, gross and net give what the export has; the rest follows, so that quantity × unit price − discount is the net.',
  ),
});
export type SaleMap = z.output<typeof SaleMap>;

export const Check = z.strictObject({
  name: FindingCode.describe(
    'The code under which the record is shown. `total-differs` is the arithmetic of the file: where too many records fail it, the file is refused.',
  ),
  amount: AmountExpression.describe('One way to the figure.'),
  equals: z.array(AmountExpression).min(1).describe('The other ways; one of them must come to the same.'),
  tolerance: z
    .string()
    .regex(/^\d+\.\d{2}$/)
    .default('0.00')
    .describe('The difference that is let pass.'),
});
export type Check = z.output<typeof Check>;

/** The columns of one tax line. */
const StatedTax = z.strictObject({
  name: TextExpression.describe('What the tax is called: its jurisdiction, and its rate if one follows.'),
  level: text(
    'The kind of jurisdiction, where it does not stand in the name: `state`, `county`, `city`, `district`, or their abbreviations.',
  ),
  amount: AmountExpression.describe('How much; a blank cell is not a line.'),
  rate: text('The rate, where it does not stand in the name.'),
  rateIs: z
    .enum(['fraction', 'percent'])
    .default('fraction')
    .describe('What a rate without a percent sign is: `0.0725` or `7.25`.'),
});
export type StatedTax = z.output<typeof StatedTax>;

const Lines = z.array(StatedTax).min(1);

/** Where an export states tax by jurisdiction. */
export const TaxLines = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: kind('rows', 'On the rows of the record; equal taxes of several rows are added up.'),
    lines: Lines.describe('The taxes that each row states.'),
  }),
  z.strictObject({
    kind: kind('numbered', 'In numbered columns of the first row.'),
    columns: NumberedLines.describe('The names that `lines` use, and their columns, such as `Tax # Name`.'),
    lines: Lines.describe('The taxes that each number states.'),
  }),
  z.strictObject({
    kind: kind('packed', 'Packed into one cell of the first row.'),
    ...PackedLines.shape,
    column: Column.describe('The column.'),
    labels: PackedLines.shape.labels.describe('The words before each value, which `lines` use as columns.'),
    lines: Lines.describe('The taxes that each packed item states.'),
  }),
]);
export type TaxLines = z.output<typeof TaxLines>;

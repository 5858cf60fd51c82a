import type { ExemptionType } from '../contract/scalars.ts';
import type { CalendarDate, Instant } from '../kernel/calendar.ts';
import { add, type Money, type Price, type Rate, sum, ZERO } from '../kernel/money.ts';

/** Where a record came from, so that a person can find it in the file. Lines count from 1, as in editors. */
export type Origin = {
  /** The file as the configuration names it. */
  readonly file: string;
  /** The physical line on which the record starts. */
  readonly line: number;
  /** The name of the record in the source, such as an order number; empty when it has none. */
  readonly record: string;
  /** Whose number that is, where the file has those of several stores or registers. */
  readonly store?: string;
  /** Its id beside that number, where its source gives it one that no other shop has. */
  readonly uniqueId?: string;
  /** The kind of report it was read from, where that has records in parts. */
  readonly report?: string;
};

export type Place = {
  readonly country: string;
  readonly state: string;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
};

export type SaleLine = {
  readonly id: string;
  readonly sku: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: Price;
  /** Total for the line, not per unit; never negative. */
  readonly discount: Price;
  /** The product tax category by the configuration's SKU patterns; `null` if none fits. */
  readonly taxCode: string | null;
};

/**
 * The order that a refund gives a part of back. A limit per item, a cap or a rule for shipping looks at the whole order,
 * so the order is calculated, and the refund takes its part of the tax.
 */
export type RefundedPart = {
  /** Amount, shipping and lines of the order. */
  readonly amount: Money;
  readonly shipping: Money;
  readonly lines: readonly SaleLine[];
  /** The tax that the order was charged, and its tax lines, if the export has them. */
  readonly salesTax: Money;
  readonly taxLines?: readonly TaxLine[];
  /**
   * The position in the order of each line of the refund. A refund without lines takes the same share of every line of
   * the order.
   */
  readonly positions: readonly number[];
  /**
   * What earlier refunds of the order gave back: goods of each line, shipping, and tax. Absent without earlier refunds,
   * and where their lines are not known.
   */
  readonly before?: {
    readonly shipping: Money;
    readonly goods: readonly Money[];
    readonly salesTax: Money;
  };
};

/** What tells a sale from another one of its number. */
export type Identity = {
  /** The id that its source gives no other record. */
  readonly sourceId?: string;
  readonly created: Instant;
};

/** A finding about a sale, with a stable code. */
export type SaleFinding = {
  readonly code: string;
  readonly message: string;
  readonly column?: string;
  /**
   * Set for a reason to hold the sale: `true` while the sale is held for it, `posted` where a person decided to post the
   * sale. These reasons stand before other findings, and a held sale has at least one that holds it.
   */
  readonly holds?: true | 'posted';
};

/** Whether a sale is held for this reason. */
export const isHolding = ({ holds }: SaleFinding): boolean => holds === true;

/** Whether a person decided to post the sale in spite of this reason. */
export const isPosted = ({ holds }: SaleFinding): boolean => holds === 'posted';

/** Returns findings as reasons for which their sale is held. */
export const holding = (findings: readonly SaleFinding[]): readonly SaleFinding[] =>
  findings.map((finding) => ({ ...finding, holds: true }));

/** The outcome of a sale. The other two outcomes, ignored and rejected, belong to set-aside records. */
export type SaleOutcome = 'accepted' | 'warning' | 'review';

/**
 * One order or refund of one channel in the form every later stage uses. Amounts have the sign of an order: a
 * refund of 40.00 has amount 40.00 and kind `refund`.
 */
export type Sale = {
  /** `<channel>/<kind>/<id>`: identifies the record regardless of its content. */
  readonly key: string;
  readonly channel: string;
  readonly kind: 'order' | 'refund';
  /** The id sent to the tax service. */
  readonly id: string;
  /** The order a refund belongs to, by the id sent to the service. */
  readonly reference: string | null;
  /** When it happened, and which day that was for the entity. */
  readonly instant: Instant;
  readonly businessDate: CalendarDate;
  /** The day whose law and rates apply: for an order its business date, for a refund that of its order. */
  readonly taxDate: CalendarDate;
  readonly shipTo: Place;
  readonly currency: string;
  /** Goods and shipping after discounts, without sales tax. */
  readonly amount: Money;
  readonly shipping: Money;
  /** The tax the seller charged: the *collected* figure. */
  readonly salesTax: Money;
  /** Tax that a marketplace collected and remits itself; never the seller's to file. */
  readonly marketplaceTax: Money;
  /** The shop's tax by jurisdiction as stated in its export; empty if the export has no such lines. */
  readonly taxLines: readonly TaxLine[];
  readonly exemptionType: ExemptionType | null;
  readonly customerId: string | null;
  readonly lines: readonly SaleLine[];
  /**
   * Only for an order: what was paid beside the sale, such as a tip, a gift card or a fee of the state; negative if
   * others, such as a marketplace, paid a part of the sale for the buyer.
   */
  readonly notSold?: Money;
  /**
   * What was charged for a fee of the state, as lines of tax or of the order (`isLine`). It is neither tax nor sold, so
   * no other figure has it; for an order it is a part of `notSold`.
   */
  readonly stateFees?: readonly (TaxLine & { readonly isLine?: true })[];
  /** Set if it was sold in person, so that nothing was delivered. */
  readonly inPerson?: true;
  /** Only for an order: what was refunded of it is stated without the tax. */
  readonly refundedWithoutTax?: true;
  /** Only for a refund of a part of an order: the order, whose tax decides the tax of the part. */
  readonly partOf?: RefundedPart;
  /** Only for a refund: the day of its order in UTC, if that is not the day whose law applies to the order. */
  readonly orderUtcDate?: CalendarDate;
  readonly outcome: SaleOutcome;
  readonly findings: readonly SaleFinding[];
  readonly origin: Origin;
  /** Rows of the source file that belong to the record. */
  readonly rows: number;
};

/** Returns a sale whose tax the seller remits, although its export counts it as the marketplace's. */
export const asSellers = (sale: Sale): Sale => {
  const { salesTax, marketplaceTax, exemptionType } = sale;
  return {
    ...sale,
    salesTax: add(salesTax, marketplaceTax),
    marketplaceTax: ZERO,
    exemptionType: exemptionType === 'marketplace' ? null : exemptionType,
  };
};

/** One dated repayment from a companion file. The amount is positive and includes the tax. */
export type RefundDate = {
  readonly order: string;
  readonly instant: Instant;
  readonly amount: Money;
  readonly origin: Origin;
};

/** A record group that is not a sale, or cannot become one, kept with its raw cells and the reason. */
export type SetAside = {
  readonly outcome: 'ignored' | 'rejected';
  readonly origin: Origin;
  readonly rows: readonly {
    readonly line: number;
    readonly cells: readonly string[];
  }[];
  readonly reason: SaleFinding;
  readonly value?: string;
  /** The business date if it can be read; with `null`, the record may belong to any period. */
  readonly businessDate: CalendarDate | null;
  /** The id that it would have as a refund, if it would be one. */
  readonly refundId?: string;
  /** Destination state, and the tax the seller would owe, as far as its rows state them. */
  readonly state?: string;
  readonly tax?: Money;
};

/** Whether a sale is posted to the service, and if not, why. All stages and workbooks use this rule. */
export const postingOf = (sale: Sale): Posting => {
  if (sale.outcome === 'review') return 'needs review';
  if (sale.shipTo.country !== 'US') return 'foreign';
  return sale.currency === 'USD' ? 'posted' : 'not USD';
};

export type Posting = 'posted' | 'needs review' | 'foreign' | 'not USD';

/** The kind of jurisdiction that levies a tax. */
export type TaxLineKind = 'country' | 'state' | 'county' | 'city' | 'special';

/** One line of tax as the shop's export states it. */
export type TaxLine = {
  /** Name in the export: `Colorado Springs City Tax`. */
  readonly name: string;
  /** The stated rate; `null` if there is none. */
  readonly rate: Rate | null;
  /** With the sign of an order, like the amounts of its sale. */
  readonly amount: Money;
  /** `null` if the name does not give it. */
  readonly kind: TaxLineKind | null;
  /** The jurisdiction's own name without kind words and rate: `Colorado Springs`. */
  readonly place: string;
};

/** Clear the kind of US lines named like a national tax: there is none, so the name does not show whose tax it is. */
export const linesIn = (country: string, lines: readonly TaxLine[]): readonly TaxLine[] =>
  country === 'US' ? lines.map((line) => (line.kind === 'country' ? { ...line, kind: null } : line)) : lines;

/** Whether lines add up to the collected tax, within a cent per line: many shops round line by line. */
export const addUpTo = (lines: readonly TaxLine[], collected: Money): boolean =>
  Math.abs(collected - sum(lines.map(({ amount }) => amount))) <= lines.length;

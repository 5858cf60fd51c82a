import type { Instant, zoneCalendar } from '../../kernel/calendar.ts';
import { add, formatMoney, type Money } from '../../kernel/money.ts';
import { formatPrice, isWholeCents, moneyOfPrice, type Price } from '../../kernel/price.ts';
import { dateCell } from './date-cell.ts';
import type { RowGroup } from './group-rows.ts';
import { normalPlace } from './normal-place.ts';
import type { AddressColumns, AmountExpression, RecordRule, SalesProfile } from './profile.ts';
import { netOf, readLines, spreadOrderDiscount } from './read-lines.ts';
import type { TableRow } from './read-table.ts';
import { type CellProblem, columnsOf, isProblem, type RowReader } from './row-view.ts';
import type { Place, Remark, Sale, SetAside } from './sale.ts';

/** What a channel knows beside its file. */
export type SaleContext = {
  readonly channel: string;
  readonly file: string;
  readonly calendar: ReturnType<typeof zoneCalendar>;
  /** Where sales made in person happen. */
  readonly sellerPlace: Place;
  readonly categoryOf: (sku: string) => string | null;
};

/** An order as its rows tell it, and how much of it was given back so far, tax included. */
export type ReadOrder = { readonly order: Sale; readonly refunded: Money };

/** Read one group of rows as an order, or say why it is none. */
export const readSale = (
  group: RowGroup,
  profile: SalesProfile,
  read: RowReader,
  context: SaleContext,
): ReadOrder | SetAside => {
  const [first] = group.rows;
  // A row that lost its order, or whose cells do not fit the header, cannot be trusted to tell its date.
  if (!first || group.kind === 'stray') return { ...strayRows(group, context), businessDate: null };
  const at = dateCell(read.text(first, profile.map.date.column));
  const record = readRecord({ group, first, at }, profile, read, context);
  if ('order' in record) return record;
  return { ...record, businessDate: at === undefined ? null : context.calendar.dateAt(at) };
};

/** A set-aside record before its date is looked for. */
type Undated = Omit<SetAside, 'businessDate'>;

const readRecord = (
  {
    group,
    first,
    at,
  }: { readonly group: RowGroup; readonly first: TableRow; readonly at: Instant | undefined },
  profile: SalesProfile,
  read: RowReader,
  context: SaleContext,
): ReadOrder | Undated => {
  const rule = profile.rules.find(({ when }) => when.every((condition) => read.holds(first, condition)));
  if (!rule) return unmapped(group, profile.shape.head, read.text(first, profile.shape.head), context);
  if (rule.treat === 'reject' || rule.treat === 'ignore') return ruledOut(group, rule, context);

  const figures = readFigures(first, profile.map, read);
  if (isProblem(figures)) return badCell(group, figures, context);
  if (at === undefined) return badCell(group, badDate(first, profile, read), context);
  const lines = readLines(group.rows, profile.map.line, read, context.categoryOf);
  if (isProblem(lines)) return badCell(group, lines, context);

  const spread = spreadOrderDiscount(lines, figures.goods);
  const shipTo = shipToOf(first, profile.map, read, context.sellerPlace);
  const { place, warnings, doubts } = normalPlace(shipTo.place);
  const goods = moneyOfPrice(figures.goods);
  const remarks: Remark[] = [...shipTo.remarks, ...warnings];
  const reviews: Remark[] = [...doubts, ...figures.doubts];
  if (rule.treat === 'review')
    reviews.push({ code: rule.reason ?? 'review', message: rule.message ?? 'the profile asks for a review' });
  if (!spread) {
    const message = `the line items do not add up to ${formatMoney(goods)}, the goods of the order`;
    reviews.push({ code: 'lines-differ', message });
  }
  if (lines.some((line) => netOf(line) < 0))
    reviews.push({ code: 'negative-line', message: 'a line item comes to less than nothing' });

  const id = serviceId(group.name);
  const order: Sale = {
    key: `${context.channel}/order/${id}`,
    channel: context.channel,
    kind: 'order',
    id,
    reference: null,
    instant: at,
    businessDate: context.calendar.dateAt(at),
    taxDate: context.calendar.dateAt(at),
    shipTo: place,
    currency: read.text(first, profile.map.currency).toUpperCase(),
    amount: add(goods, figures.shipping),
    shipping: figures.shipping,
    salesTax: figures.salesTax,
    exemptionType: null,
    customerId: null,
    lines: spread ?? lines,
    outcome: reviews.length > 0 ? 'review' : remarks.length > 0 ? 'warning' : 'accepted',
    remarks: [...reviews, ...remarks],
    origin: { file: context.file, line: first.line, record: group.name },
    rows: group.rows.length,
  };
  return { order, refunded: figures.refunded };
};

/** `#1001` is known to the service as `1001`; characters that its ids cannot have become underscores. */
export const serviceId = (name: string): string => name.replace(/^#/, '').replace(/[^A-Za-z0-9_-]/g, '_');

type Figures = {
  readonly goods: Price;
  readonly shipping: Money;
  readonly salesTax: Money;
  readonly refunded: Money;
  readonly doubts: readonly Remark[];
};

const readFigures = (row: TableRow, map: SalesProfile['map'], read: RowReader): Figures | CellProblem => {
  const cents = (expression: AmountExpression): Price | CellProblem => {
    const value = read.amount(row, expression);
    if (isProblem(value) || isWholeCents(value)) return value;
    return { problem: 'is finer than a cent', column: columnsOf(expression), value: formatPrice(value) };
  };
  const [goods, shipping, salesTax, total, refunded] = [
    cents(map.goods),
    cents(map.shipping),
    cents(map.salesTax),
    cents(map.total),
    cents(map.refunded),
  ];
  for (const value of [goods, shipping, salesTax, total, refunded]) if (isProblem(value)) return value;
  const [g, s, t, all, back] = [goods, shipping, salesTax, total, refunded].map((value) =>
    moneyOfPrice(value as Price),
  ) as [Money, Money, Money, Money, Money];
  const doubts: Remark[] = [];
  if (add(add(g, s), t) !== all) {
    const parts = `${formatMoney(g)} goods + ${formatMoney(s)} shipping + ${formatMoney(t)} tax`;
    doubts.push({ code: 'total-differs', message: `${parts} is not the total of ${formatMoney(all)}` });
  }
  if (g < 0 || s < 0 || t < 0 || back < 0)
    doubts.push({ code: 'negative-order', message: 'an order has a negative amount' });
  if (back > all)
    doubts.push({
      code: 'over-refunded',
      message: `${formatMoney(back)} was refunded of ${formatMoney(all)}`,
    });
  return { goods: goods as Price, shipping: s, salesTax: t, refunded: back, doubts };
};

const shipToOf = (
  row: TableRow,
  map: SalesProfile['map'],
  read: RowReader,
  sellerPlace: Place,
): { readonly place: Place; readonly remarks: readonly Remark[] } => {
  const placeIn = (columns: AddressColumns): Place => ({
    country: read.text(row, columns.country),
    state: read.text(row, columns.state),
    zip: read.text(row, columns.zip),
    city: read.text(row, columns.city),
    street: read.text(row, columns.street),
  });
  const isBlank = (place: Place): boolean => Object.values(place).every((cell) => cell === '');
  const shipTo = placeIn(map.shipTo);
  if (!isBlank(shipTo)) return { place: shipTo, remarks: [] };
  if (map.inPerson && read.holds(row, map.inPerson)) {
    return {
      place: sellerPlace,
      remarks: [{ code: 'sold-in-person', message: 'sold in person, so at the seller’s address' }],
    };
  }
  const billing = map.shipToFallback ? placeIn(map.shipToFallback) : shipTo;
  if (isBlank(billing)) return { place: shipTo, remarks: [] };
  return {
    place: billing,
    remarks: [{ code: 'billing-address-used', message: 'nothing was shipped; the billing address is used' }],
  };
};

const badDate = (row: TableRow, profile: SalesProfile, read: RowReader): CellProblem => ({
  problem: `is not a date and time of the form ${profile.map.date.form}`,
  column: profile.map.date.column,
  value: read.text(row, profile.map.date.column),
});

const setAside = (
  group: RowGroup,
  outcome: SetAside['outcome'],
  reason: Remark,
  context: SaleContext,
): Undated => ({
  outcome,
  origin: { file: context.file, line: group.rows[0]?.line ?? 0, record: group.name },
  rows: group.rows,
  reason,
});

const STRAY_MESSAGES: Readonly<Record<string, string>> = {
  'orphan-row': 'the row continues an order, but no order stands before it',
  'cell-count': 'the row has more or fewer cells than the header',
};

const strayRows = (group: RowGroup, context: SaleContext): Undated => {
  const code = group.kind === 'stray' ? group.reason : 'orphan-row';
  return setAside(group, 'rejected', { code, message: STRAY_MESSAGES[code] ?? code }, context);
};

const unmapped = (group: RowGroup, column: string, value: string, context: SaleContext): Undated => ({
  ...setAside(group, 'rejected', unmappedReason(column, value), context),
  value,
});

const unmappedReason = (column: string, value: string): Remark => ({
  code: 'unmapped-status',
  message: `no rule of the profile says what a record with "${value}" in ${column} is`,
  column,
});

const ruledOut = (group: RowGroup, rule: RecordRule, context: SaleContext): Undated =>
  setAside(
    group,
    rule.treat === 'ignore' ? 'ignored' : 'rejected',
    { code: rule.reason ?? 'by-rule', message: rule.message ?? 'by a rule of the profile' },
    context,
  );

const badCell = (
  group: RowGroup,
  { problem, column, value }: CellProblem,
  context: SaleContext,
): Undated => ({
  ...setAside(
    group,
    'rejected',
    { code: 'bad-cell', message: `"${value}" in ${column} ${problem}`, column },
    context,
  ),
  value,
});

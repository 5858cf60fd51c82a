import type { CalendarDate } from '../kernel/calendar.ts';
import { add, negate, sum, ZERO } from '../kernel/money.ts';
import type { zoneCalendar } from '../kernel/time-zones.ts';
import { ifStated } from './expression.ts';
import { amountRowsOf, lineSource, packedRepayments, type Refunded, refundedOf } from './packed-lines.ts';
import { columnsOfProfile, type SalesProfile } from './profile.ts';
import { type DateZones, dateReader, type ReadDate } from './read-date.ts';
import {
  checksReader,
  type Facilitation,
  figuresReader,
  type SaleFigures,
  taxCollector,
} from './read-figures.ts';
import { linesReader } from './read-lines.ts';
import { PLACE_UNCLEAR, type SellerSays, shipToReader } from './read-ship-to.ts';
import { type CellProblem, isProblem, type RowForm, refuseUnknown, rowReader } from './row-reader.ts';
import { holding, linesIn, type Origin, type Sale, type SaleFinding, type SetAside } from './sale.ts';
import type { RecordRule } from './sale-map.ts';
import { intactId, isMangled, saleKey, serviceId } from './sale-name.ts';
import type { Item } from './sale-words.ts';
import { type FeeTest, feesApart, settle, stateFeesOf } from './settle-amounts.ts';
import type { RowGroup, TableRow } from './table-row.ts';
import { taxLineReader, taxLinesDiffer } from './tax-lines.ts';

/** The context of a channel that is not in its file. */
export type SaleContext = Facilitation &
  DateZones &
  SellerSays & {
    readonly channel: string;
    readonly file: string;
    readonly calendar: ReturnType<typeof zoneCalendar>;
    readonly categoryOf: (item: Item) => string | null;
    readonly isFee: FeeTest;
  };

/** A sale from its rows, and what was refunded of it. */
export type ReadSale = Refunded & { readonly sale: Sale };
export type ReadRecord = ReadSale | SetAside;

/**
 * Compile the readers of a file once: columns, rules, formats, zones.
 *
 * @throws {TieoutError} E_PROFILE_INVALID when the profile names a column that it does not list
 */
export const saleReader = (profile: SalesProfile, header: readonly string[], context: SaleContext) => {
  const parts = partsOf(profile, header, context);
  /** Reads one group of rows as an order or a refund, or as a set-aside record with the reason. */
  const read = (group: RowGroup): ReadRecord => readGroup(group, parts);
  return { cells: parts.cells, read };
};

const partsOf = (profile: SalesProfile, header: readonly string[], context: SaleContext) => {
  const { locale, map } = profile;
  const { salesTax, marketplaceTax } = map;
  const columns = profile.columns.length > 0 && { profile: profile.id, columns: columnsOfProfile(profile) };
  const form: RowForm = { ...profile.file, money: locale, ...columns };
  const cells = rowReader(header, form);
  for (const column of [...profile.controls, ...profile.statuses.map((one) => one.column)])
    refuseUnknown(column, form);
  const status = statusColumn(profile);
  return {
    context,
    cells,
    rules: profile.rules.map((rule) => ({ rule, tests: rule.when.map(cells.holds) })),
    report: profile.shape.parts && { report: profile.id },
    statusColumn: status,
    statusOf: cells.text(status),
    amountRows: amountRowsOf(profile, cells),
    figuresOf: figuresReader(profile, cells, header, form),
    // A record that cannot be read may still state its taxes.
    taxesOf: figuresReader({ locale, map: { salesTax, marketplaceTax, fees: [] } }, cells, header, form),
    failedChecks: checksReader(profile, cells),
    linesOf: map.line && linesReader(map.line, lineSource(profile, header, cells, form), context.categoryOf),
    taxLinesOf: taxLineReader(profile, header, cells, form),
    collectedBy: taxCollector(map, cells, context),
    dateOf: dateReader(locale.date, cells, context),
    taxDateOf: locale.taxDate && dateReader(locale.taxDate, cells, context),
    shipToOf: shipToReader(map, cells, context),
    repaymentsOf: packedRepayments(profile, cells, context),
    isRefundNet: map.refundedWithoutTax === true,
    currencyOf: cells.text(locale.currency),
    customerOf: ifStated(map.customer, cells.text),
    uniqueIdOf: ifStated(map.uniqueId, cells.text),
    idOf: ifStated(map.id, cells.text),
    refundIdOf: ifStated(map.refundId, cells.text),
    referenceOf: ifStated(map.reference, cells.text),
  };
};
type Parts = ReturnType<typeof partsOf>;

const readGroup = (group: RowGroup, parts: Parts): ReadRecord => {
  const { context } = parts;
  const { rows, stray } = group;
  // A group has at least one row.
  const first = rows[0] as TableRow;
  const date = parts.dateOf(first);
  const read = stray
    ? { outcome: 'rejected' as const, reason: damagedId(group.name) ?? stray }
    : readRecord(group, first, date, parts);
  if ('sale' in read) return read;
  const why = isProblem(read) ? badCell(read) : read;
  // A whole row without its order has a valid date; rows whose cells do not fit the header or each other have none.
  const isDated = !isProblem(date) && (!stray || stray.code === 'orphan-row');
  const businessDate = isDated ? dayOf(date, context) : null;
  const aside: SetAside = { ...why, origin: originOf(group, context.file), rows, businessDate };
  if (stray) return aside;
  return {
    ...aside,
    ...refundIdOf(group, first, parts),
    ...(why.outcome === 'rejected' && statedBy(group, first, businessDate, parts)),
  };
};

/** Returns the id of a refund that is set aside, by the rule that would hold if none set it aside. */
const refundIdOf = (group: RowGroup, first: TableRow, parts: Parts): Pick<SetAside, 'refundId'> => {
  const rules = parts.rules.filter(({ rule: { treat } }) => treat !== 'ignore' && treat !== 'reject');
  const { kind } = ruled(group, first, parts, rules);
  const identity = kind === 'refund' ? identityOf(group, first, kind, parts) : undefined;
  return identity && 'id' in identity ? { refundId: identity.id } : {};
};

/** Read what a rejected record still states: its destination state, and the seller's tax if it is in US dollars. */
const statedBy = (
  group: RowGroup,
  first: TableRow,
  day: CalendarDate | null,
  parts: Parts,
): Pick<SetAside, 'state' | 'tax'> => {
  const { place, doubts } = parts.shipToOf(group.rows, ZERO);
  const isKnown = doubts.every(({ code }) => code === PLACE_UNCLEAR);
  const state = isKnown && place.country === 'US' ? place.state : '';
  const { amounts, kind, sign } = ruled(group, first, parts);
  const stated = parts.taxesOf(amounts, sign);
  if (isProblem(stated) || day === null || parts.currencyOf(first).toUpperCase() !== 'USD') return { state };
  const { salesTax } = parts.collectedBy(stated, first, amounts, state, day);
  return { state, tax: kind === 'refund' ? negate(salesTax) : salesTax };
};

const dayOf = ({ at, wholeDay }: ReadDate, { calendar }: SaleContext): CalendarDate =>
  wholeDay ?? calendar.dateAt(at);

const readRecord = (
  group: RowGroup,
  first: TableRow,
  date: ReturnType<Parts['dateOf']>,
  parts: Parts,
): ReadSale | Reason | CellProblem => {
  const { context } = parts;
  const { amounts, rule, kind, sign } = ruled(group, first, parts);
  if (!rule) return unmapped(parts.statusColumn, parts.statusOf(first));
  if (rule.treat === 'reject' || rule.treat === 'ignore') return ruledOut(rule);
  const identity = identityOf(group, first, kind, parts);
  if ('outcome' in identity) return identity;
  const figures = parts.figuresOf(amounts, sign);
  if (isProblem(figures)) return figures;
  if (isProblem(date)) return date;
  const lines = parts.linesOf?.(group.rows, sign);
  if (isProblem(lines)) return lines;
  if (lines?.hasGiftCards && lines.lines.length === 0 && isNothingElse(figures)) return GIFT_CARD_SALE;
  const checked = parts.failedChecks(amounts);
  if (isProblem(checked)) return checked;
  const taxDate = parts.taxDateOf?.(first);
  if (taxDate && isProblem(taxDate)) return taxDate;
  const shipTo = parts.shipToOf(group.rows, figures.shipping);
  const { place } = shipTo;
  const businessDate = dayOf(date, context);
  const lawDay = taxDate ? dayOf(taxDate, context) : businessDate;
  const tax = parts.collectedBy(figures, first, amounts, place.state, businessDate);
  // What a fee is matters where the seller remits the tax.
  const isKnownFee = (name: string): boolean =>
    tax.exemptionType === 'marketplace' || context.isFee(name, place.state, lawDay);
  const money = settle(figures, lines, kind, isKnownFee);
  const currency = parts.currencyOf(first).toUpperCase();
  const taxLines = parts.taxLinesOf(group.rows, sign);
  const findings = [
    ...shipTo.findings,
    ...money.findings,
    ...taxLines.findings,
    ...taxLinesDiffer(taxLines.lines, add(tax.salesTax, tax.marketplaceTax)),
  ];
  const held = [...money.doubts, ...tax.doubts, ...checked, ...ruledReview(rule)];
  const isNothing = sum([money.amount, tax.salesTax, tax.marketplaceTax]) === ZERO;
  const reviews = [
    ...shipTo.doubts,
    // As it stands, it would give back nothing, and no reason asks for its parts yet.
    ...(kind === 'refund' &&
    isNothing &&
    held.length > 0 &&
    held.every(({ code }) => code !== 'partly-refunded')
      ? [UNREADABLE_REFUND]
      : []),
    ...held,
  ];
  if (kind === 'refund' && identity.reference === null) reviews.push(NO_REFERENCE);
  const repayments = parts.repaymentsOf(first);
  const paidBack = (repayments ?? []).map(({ amount }) => amount);
  const told = sum([figures.refunded, ...paidBack].filter((amount) => amount > ZERO));
  if (repayments === undefined || (rule.partlyRefunded && told === ZERO)) reviews.push(UNREADABLE_REFUND);
  if (currency === '') reviews.push({ code: 'no-currency', message: 'the record names no currency' });
  reviews.push(...money.lineDoubts);
  const uniqueId = intactId(parts.uniqueIdOf?.(first) ?? '');
  const charged: Sale = {
    key: saleKey(context.channel, kind, identity.id),
    channel: context.channel,
    kind,
    id: identity.id,
    reference: identity.reference,
    instant: date.at,
    businessDate,
    taxDate: lawDay,
    shipTo: place,
    currency,
    amount: money.amount,
    shipping: money.shipping,
    salesTax: tax.salesTax,
    marketplaceTax: tax.marketplaceTax,
    taxLines: linesIn(place.country, taxLines.lines),
    exemptionType: tax.exemptionType,
    customerId: parts.customerOf?.(first) || null,
    lines: money.lines,
    ...(kind === 'order' && money.notSold !== ZERO && { notSold: money.notSold }),
    ...(shipTo.inPerson && { inPerson: shipTo.inPerson }),
    ...(parts.isRefundNet && kind === 'order' && { refundedWithoutTax: true }),
    outcome: reviews.length > 0 ? 'review' : findings.length > 0 ? 'warning' : 'accepted',
    findings: [...holding(reviews), ...findings],
    origin: { ...originOf(group, context.file), ...parts.report, ...(uniqueId && { uniqueId }) },
    rows: group.rows.length,
  };
  const sale = feesApart(charged, context.isFee);
  if (kind === 'refund') return { sale, refunded: ZERO };
  const taxes = parts.isRefundNet ? [] : [sale.salesTax, sale.marketplaceTax];
  const all = sum([sale.amount, ...taxes, stateFeesOf(sale)]);
  return { sale, ...refundedOf(rule.fullyRefunded === true, all, told, repayments ?? []) };
};

/** Whether nothing was charged beside goods: what was is collected, whatever was sold. */
const isNothingElse = ({ shipping, salesTax, marketplaceTax, fees }: SaleFigures): boolean =>
  [shipping, salesTax, marketplaceTax, ...fees.map(({ amount }) => amount)].every(
    (amount) => amount === ZERO,
  );

/** A refund cannot be recorded without its order, whose day also decides the law that applies. */
const NO_REFERENCE: SaleFinding = {
  code: 'refund-without-reference',
  message: 'the refund does not say which order it gives back',
};

const UNREADABLE_REFUND: SaleFinding = {
  code: 'partly-refunded',
  message: 'something was refunded, and the export does not say how much of what',
};

/** Why a record is not a sale, with the cell that says so. */
type Reason = Pick<SetAside, 'outcome' | 'reason' | 'value'>;

const rejected = (reason: SaleFinding, value: string): Reason => ({ outcome: 'rejected', reason, value });

const originOf = (group: RowGroup, file: string): Origin => ({
  file,
  line: group.rows[0]?.line ?? 0,
  record: group.name,
  ...(group.store && { store: group.store }),
});

const unmapped = (column: string, value: string): Reason => {
  const message = `no rule of the profile says what a record with "${value}" in ${column} is`;
  return rejected({ code: 'unmapped-status', message, column }, value);
};

const ruledOut = ({ treat, reason, message }: RecordRule): Reason => ({
  outcome: treat === 'ignore' ? 'ignored' : 'rejected',
  reason: { code: reason ?? 'by-rule', message: message ?? 'by a rule of the profile' },
});

/** The reason of a rule that asks for a review. */
const ruledReview = ({ treat, reason, message }: RecordRule): readonly SaleFinding[] =>
  treat === 'review'
    ? [{ code: reason ?? 'review', message: message ?? 'the profile asks for a review' }]
    : [];

const badCell = ({ problem, column, value }: CellProblem): Reason =>
  rejected({ code: 'bad-cell', message: `"${value}" in ${column} ${problem}`, column }, value);

const GIFT_CARD_SALE: Reason = {
  outcome: 'ignored',
  reason: {
    code: 'gift-card-sale',
    message: 'only gift cards were sold; the sale comes when they are spent',
  },
};

/** The ids of a record, or the reason why it has none. */
const identityOf = (
  group: RowGroup,
  first: TableRow,
  kind: Sale['kind'],
  { idOf, refundIdOf, referenceOf }: Parts,
): Pick<Sale, 'id' | 'reference'> | Reason => {
  const name = idOf ? idOf(first) : group.name;
  const own = (kind === 'refund' && refundIdOf?.(first)) || '';
  const referenced = referenceOf ? referenceOf(first) : own === '' ? name : '';
  for (const text of [name, own, referenced]) {
    const reason = damagedId(text);
    if (reason) return rejected(reason, text);
  }
  const order = serviceId(kind === 'refund' ? referenced : name);
  // A refund that names no order still gets an id, so that a person can decide about it.
  const id = kind === 'order' ? order : own === '' ? refundOf(order || serviceId(name)) : serviceId(own);
  if (id === '') {
    const message = `"${name}" is not an id, so the record cannot be told from others`;
    return { outcome: 'rejected', reason: { code: 'no-id', message } };
  }
  return { id, reference: kind === 'refund' && order !== '' ? order : null };
};

/** The reason to reject a text that a spreadsheet has left of an id. */
const damagedId = (text: string): SaleFinding | undefined =>
  isMangled(text)
    ? { code: 'mangled-id', message: `"${text}" is what a spreadsheet left of an id` }
    : undefined;

const refundOf = (id: string): string => (id === '' ? '' : `${id}-refund`);

/**
 * Returns the rows that the amounts of a record are read from, the first rule of which it meets all conditions, its kind
 * by that rule, and the sign of its amounts. Without a rule it counts as an order.
 */
const ruled = (group: RowGroup, first: TableRow, parts: Parts, rules = parts.rules) => {
  const amounts = parts.amountRows(group.rows);
  const rule = rules.find(({ tests }) => tests.every((test) => test(first, amounts)))?.rule;
  const isRefund = rule?.treat === 'refund' || (rule?.treat === 'review' && rule.as === 'refund');
  const kind: Sale['kind'] = isRefund ? 'refund' : 'order';
  const sign: 1 | -1 = isRefund && rule.amounts !== 'positive' ? -1 : 1;
  return { amounts, rule, kind, sign };
};

/** The column tested by the last rule, which is taken for the status column of messages. */
const statusColumn = ({ rules, shape }: SalesProfile): string => {
  const conditions = rules.flatMap(({ when }) => when);
  const named = conditions.filter((condition) => 'column' in condition);
  return named.at(-1)?.column ?? shape.key[0] ?? '';
};

import type { ExemptionType } from '../contract/scalars.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  add,
  formatMoney,
  formatPrice,
  isWholeCents,
  type Money,
  money,
  moneyOfPrice,
  type Price,
  parseExactPrice,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { type AmountExpression, columnsOf, ifStated } from './expression.ts';
import { type LineSource, packedSource } from './packed-lines.ts';
import type { SalesProfile } from './profile.ts';
import { type AmountOf, type CellProblem, isProblem, type RowForm, type RowReader } from './row-reader.ts';
import type { SaleFinding } from './sale.ts';
import type { SaleMap } from './sale-map.ts';
import { sellerReader } from './sale-words.ts';
import type { TableRow } from './table-row.ts';

/** The figures of a whole record, in reading order: the first unreadable one is reported. */
const FIGURES = [
  'goods',
  'shipping',
  'salesTax',
  'marketplaceTax',
  'total',
  'refunded',
  'paidByGiftCard',
  'paidByOthers',
] as const;
type Figure = (typeof FIGURES)[number];

/**
 * The amounts of a record from its source, with the sign of an order, in cents. Goods are `undefined` if the source has
 * no such figure apart from its lines, and so is a total that it does not state.
 */
export type SaleFigures = Readonly<Record<Exclude<Figure, 'goods' | 'total'>, Money>> & {
  readonly goods: Money | undefined;
  readonly total: Money | undefined;
  readonly fees: readonly Fee[];
};

export type Fee = {
  readonly description: string;
  readonly amount: Money;
};

/** Reads the amounts of a record from its amount rows, or returns the first unreadable cell. */
type FiguresReader = (rows: readonly TableRow[], sign: 1 | -1) => SaleFigures | CellProblem;

/** Return a reader of the amounts that a map states; what it does not state is nothing. */
export const figuresReader = (
  { map, locale }: Pick<SalesProfile, 'locale'> & { map: Pick<SaleMap, 'fees'> & Partial<SaleMap> },
  read: RowReader,
  header: readonly string[],
  form: RowForm,
): FiguresReader => {
  const cents = (expression: AmountExpression | undefined, finer = locale.finerAmounts): CentsOf => {
    if (expression === undefined) return () => ZERO;
    return centsOf(read.amount(expression), columnsOf(expression), finer);
  };
  // No total proves what was refunded.
  const readers = FIGURES.map(
    (name) => [name, cents(map[name], name === 'refunded' ? 'refuse' : undefined)] as const,
  );
  const fees = map.fees.map(({ description, amount, items }) => ({
    description,
    amountOf: cents(amount),
    itemsOf: items && namedFees(items, packedSource(items, header, form), locale.finerAmounts),
  }));
  return (rows, sign) => {
    const figures = {} as Record<Figure, Money>;
    for (const [name, amountOf] of readers) {
      const amount = amountOf(rows, name === 'refunded' ? 1 : sign);
      if (isProblem(amount)) return amount;
      figures[name] = amount;
    }
    const charged: Fee[] = [];
    for (const { description, amountOf, itemsOf } of fees) {
      const amount = amountOf(rows, sign);
      if (isProblem(amount)) return amount;
      const items = itemsOf?.(rows, sign) ?? [];
      const named = sum(items.map((item) => item.amount));
      // Names count where they are of the whole amount, or where only they say it.
      if (items.length > 0 && (named === amount || amount === ZERO)) charged.push(...items);
      else if (amount !== ZERO) charged.push({ description, amount });
    }
    return {
      ...figures,
      goods: map.goods === undefined ? undefined : figures.goods,
      fees: charged,
      total: map.total === undefined ? undefined : figures.total,
    };
  };
};

type FeeItems = NonNullable<SalesProfile['map']['fees'][number]['items']>;

/** Return a reader of the fees packed into a cell of the first row; none where one of them cannot be read. */
const namedFees = ({ name, amount }: FeeItems, { readers, rowsOf }: LineSource, finer: FinerAmounts) => {
  const [read] = readers;
  if (!read) return undefined;
  const nameOf = read.text(name);
  const amountOf = centsOf(read.amount(amount), columnsOf(amount), finer);
  return (rows: readonly TableRow[], sign: 1 | -1): readonly Fee[] => {
    const items = rowsOf(rows.slice(0, 1)).map((item) => ({
      description: nameOf(item),
      amount: amountOf([item], sign),
    }));
    const isRead = (item: (typeof items)[number]): item is Fee => !isProblem(item.amount);
    return items.every(isRead) ? items.filter((item) => item.amount !== ZERO) : [];
  };
};

type FinerAmounts = SalesProfile['locale']['finerAmounts'];

type CentsOf = (rows: readonly TableRow[], sign: 1 | -1) => Money | CellProblem;

const centsOf =
  (amountOf: AmountOf, columns: string, finer: FinerAmounts): CentsOf =>
  (rows, sign) => {
    // A record has at least one row.
    const value = amountOf(rows[0] as TableRow, rows);
    if (isProblem(value)) return value.column === '' ? { ...value, column: columns } : value;
    if (isWholeCents(value) || finer === 'round') return money(sign * moneyOfPrice(value));
    return { problem: 'is finer than a cent', column: columns, value: formatPrice(value) };
  };

/** The amounts of a record, of which `goods` is the total without fees, and whether its lines have a minus. */
type ReadFigures = {
  readonly figures: SaleFigures;
  readonly goods: Money;
  readonly tips: Money;
  readonly hasMinus: boolean;
  readonly kind: 'order' | 'refund';
};

/** List doubts about readable amounts. */
export const doubtsOf = ({ figures, goods, tips, hasMinus, kind }: ReadFigures): readonly SaleFinding[] => {
  const { shipping, salesTax, marketplaceTax, fees, total, refunded } = figures;
  const taxes = add(salesTax, marketplaceTax);
  const fee = sum(fees.map(({ amount }) => amount));
  const all = sum([goods, fee, tips, shipping, taxes]);
  const doubts: SaleFinding[] = [];
  // Whether the total includes marketplace tax varies, even between orders of one marketplace.
  if (total !== undefined && total !== all && total !== all - marketplaceTax) {
    const charged = fee === ZERO ? '' : ` + ${formatMoney(fee)} fees`;
    const tipped = tips === ZERO ? '' : ` + ${formatMoney(tips)} tips`;
    const parts = `${formatMoney(goods)} goods${charged}${tipped} + ${formatMoney(shipping)} shipping + ${formatMoney(taxes)} tax`;
    doubts.push({ code: 'total-differs', message: `${parts} is not the total of ${formatMoney(total)}` });
  }
  const isBelow = goods + fee < 0 || shipping < 0 || salesTax < 0 || marketplaceTax < 0;
  // A unit price may stand without a minus where another amount of the refund has it, but not where none has.
  const isUnsigned =
    kind === 'refund' &&
    !hasMinus &&
    goods !== ZERO &&
    [figures.goods ?? ZERO, fee, shipping, taxes, total ?? ZERO].every((amount) => amount <= 0);
  if (isBelow || isUnsigned) {
    doubts.push(
      kind === 'order'
        ? { code: 'negative-order', message: 'an order has a negative amount' }
        : { code: 'negative-refund', message: 'a refund takes money instead of giving it back' },
    );
  }
  if (refunded < 0) {
    const message = `the order says that ${formatMoney(refunded)} was refunded, less than nothing; posted, nothing of it was`;
    doubts.push({ code: 'adjustment', message });
  }
  if (refunded > 0 && refunded > (total ?? all)) {
    doubts.push({
      code: 'over-refunded',
      message: `${formatMoney(refunded)} was refunded of ${formatMoney(total ?? all)}`,
    });
  }
  return doubts;
};

/** Return a function that finds failed checks of the profile. A cell that is not an amount is reported as a problem. */
export const checksReader = ({ checks }: SalesProfile, read: RowReader) => {
  const compiled = checks.map(({ name, amount, equals, tolerance }) => ({
    name,
    leftOf: read.amount(amount),
    rightsOf: equals.map(read.amount),
    allowed: parseExactPrice(tolerance) ?? 0,
    columns: [columnsOf(amount), equals.map(columnsOf).join(' or ')],
  }));
  return (rows: readonly TableRow[]): readonly SaleFinding[] | CellProblem => {
    const first = rows[0] as TableRow;
    const doubts: SaleFinding[] = [];
    for (const { name, leftOf, rightsOf, allowed, columns } of compiled) {
      const left = leftOf(first, rows);
      if (isProblem(left)) return left;
      const rights: Price[] = [];
      for (const rightOf of rightsOf) {
        const right = rightOf(first, rows);
        if (isProblem(right)) return right;
        rights.push(right);
      }
      if (rights.some((right) => Math.abs(left - right) <= allowed)) continue;
      const message = `${columns[0]} is ${formatPrice(left)}, and ${columns[1]} comes to ${rights.map(formatPrice).join(' or ')}`;
      doubts.push({ code: name, message });
    }
    return doubts;
  };
};

/** What decides who collects, beside the record. */
export type Facilitation = {
  /** Whether the channel is a marketplace that collects the tax on all of its sales. */
  readonly isMarketplace: boolean;
  /** Whether the law of a state has marketplaces collect the tax on a day. */
  readonly facilitates: (state: string, day: CalendarDate) => boolean;
};

type Collected = {
  readonly salesTax: Money;
  readonly marketplaceTax: Money;
  readonly exemptionType: ExemptionType | null;
  readonly doubts: readonly SaleFinding[];
};

/**
 * Return a function that decides who collected the tax of a record: the seller, or a marketplace that remits it itself.
 */
export const taxCollector = (map: SaleMap, read: RowReader, { isMarketplace, facilitates }: Facilitation) => {
  const { marketplace, soldBy } = map;
  const isAlways = marketplace === 'always';
  const facilitated = (isAlways ? [] : [marketplace ?? []].flat()).map(({ when, since = '' }) => ({
    tests: when.map(read.holds),
    since,
  }));
  const sourceOf = ifStated(soldBy?.source, read.text);
  const sellerOf = sellerReader(soldBy?.own);
  const hinted = sellerReader();
  const hintsOf = (soldBy?.hints ?? []).map(read.text);
  const exemptions = map.exemption.map(({ when, type }) => ({ tests: when.map(read.holds), type }));
  return (
    { salesTax, marketplaceTax }: Pick<SaleFigures, 'salesTax' | 'marketplaceTax'>,
    first: TableRow,
    rows: readonly TableRow[],
    state: string,
    day: CalendarDate,
  ): Collected => {
    const isLaw = facilitates(state, day);
    const isSold = ({ tests, since }: (typeof facilitated)[number]): boolean =>
      (since === 'law' ? isLaw : day >= since) && tests.some((test) => rows.some((row) => test(row, rows)));
    const source = sourceOf?.(first) ?? '';
    const seller = source === '' ? 'none' : sellerOf(source);
    const byRule = isAlways || (isLaw && seller === 'facilitator') || facilitated.some(isSold);
    if (isMarketplace || (byRule && map.marketplaceTax === undefined)) {
      const all = add(salesTax, marketplaceTax);
      return { salesTax: ZERO, marketplaceTax: all, exemptionType: 'marketplace', doubts: [] };
    }
    if (byRule || marketplaceTax !== ZERO) {
      const message = `${formatMoney(salesTax)} was collected by the seller beside ${formatMoney(marketplaceTax)} by the marketplace`;
      const doubts = salesTax === ZERO ? [] : [{ code: 'two-collectors', message }];
      return { salesTax, marketplaceTax, exemptionType: 'marketplace', doubts };
    }
    const exemption = exemptions.find(({ tests }) => tests.every((test) => test(first)));
    const hint =
      seller === 'unclear'
        ? source
        : hintsOf.map((hintOf) => hintOf(first)).find((text) => /^(facilitator|unclear)$/.test(hinted(text)));
    const isUnclear = isLaw && hint !== undefined && (seller === 'unclear' || seller === 'none');
    const message = `"${hint}" may mean that a marketplace sold it, which remits the tax; no known source of the shop’s own says otherwise`;
    const doubts = isUnclear ? [{ code: 'collector-unclear', message }] : [];
    return { salesTax, marketplaceTax, exemptionType: exemption?.type ?? null, doubts };
  };
};

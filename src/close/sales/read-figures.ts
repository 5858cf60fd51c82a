import type { ExemptionType } from '../../contract/scalars.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, formatMoney, type Money, money, sum, ZERO } from '../../kernel/money.ts';
import { formatPrice, isWholeCents, moneyOfPrice, type Price, parseExactPrice } from '../../kernel/price.ts';
import type { TableRow } from './files/table-row.ts';
import type { AmountExpression } from './profile/expression.ts';
import type { SaleMap } from './profile/sale-map.ts';
import type { SalesProfile } from './profile.ts';
import { type AmountOf, type CellProblem, columnsOf, isProblem } from './read-amount.ts';
import type { RowReader } from './row-reader.ts';
import type { SaleFinding } from './sale.ts';

/** The amounts of a record from its source, with the sign of an order, in cents. */
export type SaleFigures = {
  /** `undefined` if the source has no such figure apart from its lines. */
  readonly goods: Money | undefined;
  readonly shipping: Money;
  readonly salesTax: Money;
  readonly marketplaceTax: Money;
  readonly fees: readonly { readonly description: string; readonly amount: Money }[];
  readonly total: Money | undefined;
  readonly refunded: Money;
  readonly paidByGiftCard: Money;
  readonly paidByOthers: Money;
};

/** Reads the amounts of a record from its amount rows, or returns the first unreadable cell. */
type FiguresReader = (rows: readonly TableRow[], sign: 1 | -1) => SaleFigures | CellProblem;

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

export const figuresReader = ({ map, locale }: SalesProfile, read: RowReader): FiguresReader => {
  const cents = (expression: AmountExpression | undefined, finer = locale.finerAmounts): CentsOf => {
    if (expression === undefined) return () => ZERO;
    return centsOf(read.amount(expression), columnsOf(expression), finer);
  };
  // No total proves what was refunded.
  const readers = FIGURES.map(
    (name) => [name, cents(map[name], name === 'refunded' ? 'refuse' : undefined)] as const,
  );
  const fees = map.fees.map(({ description, amount }) => ({ description, amountOf: cents(amount) }));
  return (rows, sign) => {
    const figures = {} as Record<(typeof FIGURES)[number], Money>;
    for (const [name, amountOf] of readers) {
      const amount = amountOf(rows, name === 'refunded' ? 1 : sign);
      if (isProblem(amount)) return amount;
      figures[name] = amount;
    }
    const charged: { description: string; amount: Money }[] = [];
    for (const { description, amountOf } of fees) {
      const amount = amountOf(rows, sign);
      if (isProblem(amount)) return amount;
      if (amount !== ZERO) charged.push({ description, amount });
    }
    return {
      ...figures,
      goods: map.goods === undefined ? undefined : figures.goods,
      fees: charged,
      total: map.total === undefined ? undefined : figures.total,
    };
  };
};

/** Return a reader of only the taxes of a record: the seller's and a marketplace's. */
export const taxReader = (
  { map: { salesTax, marketplaceTax }, locale: { finerAmounts } }: SalesProfile,
  read: RowReader,
) => {
  const [ownOf, othersOf] = [salesTax, marketplaceTax].map((expression) =>
    expression === undefined
      ? () => ZERO
      : centsOf(read.amount(expression), columnsOf(expression), finerAmounts),
  ) as [CentsOf, CentsOf];
  return (rows: readonly TableRow[], sign: 1 | -1) => {
    const [own, others] = [ownOf(rows, sign), othersOf(rows, sign)];
    return isProblem(own) || isProblem(others) ? undefined : { salesTax: own, marketplaceTax: others };
  };
};

type FinerAmounts = SalesProfile['locale']['finerAmounts'];

type CentsOf = (rows: readonly TableRow[], sign: 1 | -1) => Money | CellProblem;

const centsOf =
  (amountOf: AmountOf, columns: string, finer: FinerAmounts): CentsOf =>
  (rows, sign) => {
    const [first] = rows;
    const value = first ? amountOf(first, rows) : BLANK;
    if (isProblem(value)) return value.column === '' ? { ...value, column: columns } : value;
    if (isWholeCents(value) || finer === 'round') return money(sign * moneyOfPrice(value));
    return { problem: 'is finer than a cent', column: columns, value: formatPrice(value) };
  };

const BLANK: CellProblem = { problem: 'is blank', column: '', value: '' };

/** The amounts of a record, of which `goods` is the total without fees, and whether its lines have a minus. */
type ReadFigures = {
  readonly figures: SaleFigures;
  readonly goods: Money;
  readonly hasMinus: boolean;
  readonly kind: 'order' | 'refund';
};

/** List doubts about readable amounts. */
export const doubtsOf = ({ figures, goods, hasMinus, kind }: ReadFigures): readonly SaleFinding[] => {
  const { shipping, salesTax, marketplaceTax, fees, total, refunded } = figures;
  const taxes = add(salesTax, marketplaceTax);
  const fee = sum(fees.map(({ amount }) => amount));
  const all = sum([goods, fee, shipping, taxes]);
  const doubts: SaleFinding[] = [];
  // Whether the total includes marketplace tax varies, even between orders of one marketplace.
  if (total !== undefined && total !== all && total !== all - marketplaceTax) {
    const charged = fee === ZERO ? '' : ` + ${formatMoney(fee)} fees`;
    const parts = `${formatMoney(goods)} goods${charged} + ${formatMoney(shipping)} shipping + ${formatMoney(taxes)} tax`;
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
    const [first] = rows;
    const doubts: SaleFinding[] = [];
    if (!first) return doubts;
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

type RowsOf = (rows: readonly TableRow[]) => readonly TableRow[];

/** Return a function that gives the rows of a record as its amounts are read from them. */
export const amountRowsOf = ({ shape, file: { nullTokens } }: SalesProfile, read: RowReader): RowsOf => {
  const nothing = new Set(['', ...nullTokens]);
  const isBlank = (cell: string | undefined): boolean => nothing.has((cell ?? '').trim());
  if (shape.kind === 'jurisdiction') return filledDown(shape.asBefore.map(read.indexOf), isBlank);
  if (shape.kind === 'line-repeat' && shape.summary !== undefined)
    return withSummary(read.text(shape.summary), isBlank);
  return (rows) => rows;
};

/** Fill the blank cells of these columns with those of the row before. */
const filledDown = (columns: readonly number[], isBlank: (cell: string | undefined) => boolean): RowsOf => {
  const present = columns.filter((index) => index >= 0);
  if (present.length === 0) return (rows) => rows;
  return (rows) => {
    const filled: TableRow[] = [];
    for (const row of rows) {
      const before = filled.at(-1);
      if (before && present.some((index) => isBlank(row.cells[index]))) {
        const isFilled = (index: number): boolean => present.includes(index) && isBlank(row.cells[index]);
        const cells = row.cells.map((cell, index) => (isFilled(index) ? (before.cells[index] ?? '') : cell));
        filled.push({ line: row.line, cells });
      } else filled.push(row);
    }
    return filled;
  };
};

/**
 * If the first row summarizes the record and the others list its items, amounts on the first row apply to the whole
 * record and are blanked in the others, so that they are not counted twice.
 */
const withSummary = (
  summaryOf: (row: TableRow) => string,
  isBlank: (cell: string | undefined) => boolean,
): RowsOf => {
  const isSummary = (row: TableRow): boolean => summaryOf(row) === '';
  return (rows) => {
    const [first, ...others] = rows;
    if (!first || others.length === 0 || !isSummary(first) || others.every(isSummary)) return rows;
    const isTold = first.cells.map((cell) => !isBlank(cell));
    return [
      first,
      ...others.map(({ line, cells }) => ({
        line,
        cells: cells.map((cell, index) => (isTold[index] ? '' : cell)),
      })),
    ];
  };
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
export const taxCollector = (map: SaleMap, read: RowReader, isMarketplace: boolean) => {
  const { marketplace } = map;
  const isAlways = marketplace === 'always';
  const facilitated = (isAlways ? [] : [marketplace ?? []].flat()).map(({ when, since = '' }) => ({
    tests: when.map(read.holds),
    since,
  }));
  const exemptions = map.exemption.map(({ when, type }) => ({ tests: when.map(read.holds), type }));
  return (
    { salesTax, marketplaceTax }: Pick<SaleFigures, 'salesTax' | 'marketplaceTax'>,
    first: TableRow,
    rows: readonly TableRow[],
    day: CalendarDate,
  ): Collected => {
    const isSold = ({ tests, since }: (typeof facilitated)[number]): boolean =>
      day >= since && tests.some((test) => rows.some((row) => test(row, rows)));
    const byRule = isAlways || facilitated.some(isSold);
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
    return { salesTax, marketplaceTax, exemptionType: exemption?.type ?? null, doubts: [] };
  };
};

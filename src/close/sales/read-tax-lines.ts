import { absolute, formatMoney, type Money, money, sum, ZERO } from '../../kernel/money.ts';
import { moneyOfPrice, type Price, price, priceOfMoney } from '../../kernel/price.ts';
import { RATE_ONE, type Rate } from '../../kernel/rate.ts';
import { isProblem } from './cell-problem.ts';
import type { RowForm } from './cell-reader.ts';
import type { TableRow } from './files/table-row.ts';
import { type LineSource, numberedSource, packedSource } from './packed-lines.ts';
import type { StatedTax } from './profile/tax-lines.ts';
import type { SalesProfile } from './profile.ts';
import { columnsOf, type RowReader } from './row-view.ts';
import type { Remark } from './sale.ts';
import { addUpTo, missedBy, type TaxLine } from './tax-line.ts';
import { fractionOf, percentOf, type TaxLineName, taxLineNameOf } from './tax-line-name.ts';

/** The lines of tax of a record, and what could not be read of them. */
export type ReadTaxLines = { readonly lines: readonly TaxLine[]; readonly remarks: readonly Remark[] };

/** Reads the lines of tax of one record. They are evidence beside its figures: none of them can reject it. */
export type TaxLineReader = (rows: readonly TableRow[], sign: 1 | -1) => ReadTaxLines;

const NOTHING: ReadTaxLines = { lines: [], remarks: [] };

/** Look up once for a file where its lines of tax stand. */
export const taxLineReader = (
  { taxLines }: SalesProfile,
  header: readonly string[],
  cells: RowReader,
  form: RowForm,
): TaxLineReader => {
  if (!taxLines) return () => NOTHING;
  const source = sourceOf(taxLines, header, cells, form);
  if (!source) return () => NOTHING;
  const nameOf = rememberedNames();
  return (rows, sign) => {
    const parts: Part[] = [];
    const remarks: Remark[] = [];
    for (const row of source.rowsOf(rows))
      for (const stated of taxLines.lines) {
        const part = readPart(row, stated, source.read, nameOf);
        if (part && 'code' in part) remarks.push(part);
        else if (part) parts.push(part);
      }
    return { lines: addedUp(parts, sign), remarks };
  };
};

const sourceOf = (
  taxLines: NonNullable<SalesProfile['taxLines']>,
  header: readonly string[],
  read: RowReader,
  form: RowForm,
): LineSource | undefined => {
  if (taxLines.kind === 'rows') return { read, rowsOf: (rows) => rows };
  const found =
    taxLines.kind === 'numbered'
      ? numberedSource(taxLines.columns, header, form)
      : packedSource(taxLines, header, form);
  // They are said once of a whole record, on its first row, and repeated on the others by some exports.
  return found && { ...found, rowsOf: (rows) => found.rowsOf(rows.slice(0, 1)) };
};

/** A million dollars: no sale has such a tax, and as many rows as a record may have still add up exactly. */
const LARGEST = priceOfMoney(money(100_000_000));

type Part = Omit<TaxLine, 'amount'> & { readonly amount: Price };

type NameReader = (name: string, level: string) => TaxLineName;

/** Names in a file that are worth remembering: every order to one place has the same. */
const NAMES_MAX = 10_000;

const rememberedNames = (): NameReader => {
  const known = new Map<string, TaxLineName>();
  return (name, level) => {
    const key = `${level}\u0001${name}`;
    const found = known.get(key) ?? taxLineNameOf(name, level);
    if (known.size < NAMES_MAX) known.set(key, found);
    return found;
  };
};

const readPart = (
  row: TableRow,
  stated: StatedTax,
  read: RowReader,
  nameOf: NameReader,
): Part | Remark | undefined => {
  const amount = read.amount(row, { orZero: stated.amount });
  const name = read.text(row, stated.name);
  if (isProblem(amount)) {
    const message = `${amount.column} of the tax "${name}" ${amount.problem}: "${amount.value}"`;
    return { code: 'tax-line-unreadable', message, column: amount.column };
  }
  if (amount === 0) return undefined;
  if (Math.abs(amount) > LARGEST) {
    const column = columnsOf(stated.amount);
    return {
      code: 'tax-line-unreadable',
      message: `${column} of the tax "${name}" is no tax of a sale`,
      column,
    };
  }
  const named = nameOf(name, stated.level === undefined ? '' : read.text(row, stated.level));
  return { ...named, rate: named.rate ?? statedRate(row, amount, stated, read), amount };
};

const statedRate = (row: TableRow, amount: Price, stated: StatedTax, read: RowReader): Rate | null => {
  const text = stated.rate === undefined ? '' : read.text(row, stated.rate);
  if (text === '') return null;
  if (text.includes('%')) return percentOf(text);
  const [usual, other] =
    stated.rateIs === 'percent' ? [percentOf(text), fractionOf(text)] : [fractionOf(text), percentOf(text)];
  if (stated.taxable === undefined) return usual;
  const taxable = read.amount(row, { orZero: stated.taxable });
  if (isProblem(taxable) || comesTo(usual, taxable, amount)) return usual;
  return comesTo(other, taxable, amount) ? other : usual;
};

/** Whether a rate of a taxable amount is an amount of tax, to the cent. */
const comesTo = (rate: Rate | null, taxable: Price, amount: Price): boolean => {
  if (rate === null) return false;
  const off = BigInt(taxable) * BigInt(rate) - BigInt(amount) * BigInt(RATE_ONE);
  return (off < 0n ? -off : off) <= 100n * BigInt(RATE_ONE);
};

/** Lines that say the same of whom and how much, added up and brought to cents, in the order of the export. */
const addedUp = (parts: readonly Part[], sign: 1 | -1): readonly TaxLine[] => {
  const sums = new Map<string, { readonly part: Part; total: number }>();
  for (const part of parts) {
    const { amount, ...told } = part;
    const key = JSON.stringify(told);
    const known = sums.get(key);
    if (known) known.total += amount;
    else sums.set(key, { part, total: amount });
  }
  return [...sums.values()].flatMap(({ part: { name, rate, kind, place }, total }) => {
    const amount = moneyOfPrice(price(total));
    return amount === ZERO ? [] : [{ name, rate, amount: money(sign * amount), kind, place }];
  });
};

/**
 * What the lines of tax and the tax that was collected do not have in common.
 * @param collected By whomever; the lines do not say who remits them
 */
export const taxLinesDiffer = (lines: readonly TaxLine[], collected: Money): readonly Remark[] => {
  if (lines.length === 0 || addUpTo(lines, collected)) return [];
  const told = sum(lines.map(({ amount }) => amount));
  const missed = missedBy(lines, collected);
  const where = missed < 0 ? 'too much' : 'in no line';
  const message = `the tax lines come to ${formatMoney(told)}, and the tax collected is ${formatMoney(collected)}: ${formatMoney(absolute(missed))} is ${where}`;
  return [{ code: 'tax-lines-differ', message }];
};

import {
  absolute,
  formatMoney,
  type Money,
  money,
  moneyOfPrice,
  type Price,
  price,
  priceOfMoney,
  RATE_ONE,
  type Rate,
  sum,
  ZERO,
} from '../../kernel/money.ts';
import type { TableRow } from './files/table-row.ts';
import { type LineSource, numberedSource, packedSource } from './packed-lines.ts';
import type { StatedTax } from './profile/sale-map.ts';
import type { SalesProfile } from './profile.ts';
import { type AmountOf, columnsOf, isProblem, type TextOf } from './read-amount.ts';
import { remembered } from './remembered.ts';
import { ifStated, type RowForm, type RowReader } from './row-reader.ts';
import type { SaleFinding } from './sale.ts';
import { addUpTo, missedBy, type TaxLine } from './tax-line.ts';
import { fractionOf, percentOf, type TaxLineName, taxLineNameOf } from './tax-line-name.ts';

/** The tax lines of a record, and findings about unreadable ones. */
export type ReadTaxLines = { readonly lines: readonly TaxLine[]; readonly findings: readonly SaleFinding[] };

/** Reads the tax lines of one record. They are only evidence for its figures, so they never cause a rejection. */
export type TaxLineReader = (rows: readonly TableRow[], sign: 1 | -1) => ReadTaxLines;

const NOTHING: ReadTaxLines = { lines: [], findings: [] };

/** Compile the reader of a file's tax lines. */
export const taxLineReader = (
  { taxLines }: Pick<SalesProfile, 'taxLines'>,
  header: readonly string[],
  cells: RowReader,
  form: RowForm,
): TaxLineReader => {
  if (!taxLines) return () => NOTHING;
  const source = sourceOf(taxLines, header, cells, form);
  if (!source) return () => NOTHING;
  const nameOf = rememberedNames();
  const stated = source.readers.flatMap((read) => taxLines.lines.map((line) => statedCells(line, read)));
  return (rows, sign) => {
    const parts: Part[] = [];
    const findings: SaleFinding[] = [];
    for (const row of source.rowsOf(rows))
      for (const cells of stated) {
        const part = readPart(row, cells, nameOf);
        if (part && 'code' in part) findings.push(part);
        else if (part) parts.push(part);
      }
    return parts.length === 0 && findings.length === 0 ? NOTHING : { lines: addedUp(parts, sign), findings };
  };
};

const sourceOf = (
  taxLines: NonNullable<SalesProfile['taxLines']>,
  header: readonly string[],
  read: RowReader,
  form: RowForm,
): LineSource | undefined => {
  if (taxLines.kind === 'rows') return { readers: [read], rowsOf: (rows) => rows };
  const found =
    taxLines.kind === 'numbered'
      ? numberedSource(taxLines.columns, header, form)
      : packedSource(taxLines, header, form);
  // They apply to the whole record: its first row has them, and some exports repeat them on the others.
  return found && { ...found, rowsOf: (rows) => found.rowsOf(rows.slice(0, 1)) };
};

/** One million dollars: more than any sale's tax, yet the most rows a record may have still add up exactly. */
const LARGEST = priceOfMoney(money(100_000_000));

type Part = { readonly named: KnownName; readonly rate: Rate | null; readonly amount: Price };

/** A parsed tax name, with a text key for comparing it. */
type KnownName = TaxLineName & { readonly mark: string };

type NameReader = (name: string, level: string) => KnownName;

/** Return a cached parser of names: all orders to one place have the same names. */
const rememberedNames = (): NameReader => {
  const known = remembered((text): KnownName => {
    const [level, name = ''] = text.split('\u0001');
    const named = taxLineNameOf(name, level);
    return { ...named, mark: JSON.stringify([named.name, named.rate, named.kind, named.place]) };
  });
  return (name, level) => known(`${level}\u0001${name}`);
};

/** The compiled readers of a tax line. */
type StatedCells = {
  readonly name: TextOf;
  readonly level: TextOf | undefined;
  readonly amount: AmountOf;
  readonly column: string;
  readonly rate: TextOf | undefined;
  readonly taxable: AmountOf | undefined;
  readonly rateIs: StatedTax['rateIs'];
};

const statedCells = (stated: StatedTax, read: RowReader): StatedCells => ({
  name: read.text(stated.name),
  level: ifStated(stated.level, read.text),
  amount: read.amount({ orZero: stated.amount }),
  column: columnsOf(stated.amount),
  rate: ifStated(stated.rate, read.text),
  taxable: ifStated(stated.taxable, (taxable) => read.amount({ orZero: taxable })),
  rateIs: stated.rateIs,
});

const readPart = (row: TableRow, cells: StatedCells, nameOf: NameReader): Part | SaleFinding | undefined => {
  const amount = cells.amount(row);
  if (amount === 0) return undefined;
  const name = cells.name(row);
  if (isProblem(amount)) {
    const message = `${amount.column} of the tax "${name}" ${amount.problem}: "${amount.value}"`;
    return { code: 'tax-line-unreadable', message, column: amount.column };
  }
  if (Math.abs(amount) > LARGEST) {
    const { column } = cells;
    return {
      code: 'tax-line-unreadable',
      message: `${column} of the tax "${name}" is not a tax of a sale`,
      column,
    };
  }
  const named = nameOf(name, cells.level?.(row) ?? '');
  return { named, rate: named.rate ?? statedRate(row, amount, cells), amount };
};

const statedRate = (row: TableRow, amount: Price, cells: StatedCells): Rate | null => {
  const text = cells.rate?.(row) ?? '';
  if (text === '') return null;
  if (text.includes('%')) return percentOf(text);
  const [usual, other] =
    cells.rateIs === 'percent' ? [percentOf(text), fractionOf(text)] : [fractionOf(text), percentOf(text)];
  if (cells.taxable === undefined) return usual;
  const taxable = cells.taxable(row);
  if (isProblem(taxable) || comesTo(usual, taxable, amount)) return usual;
  return comesTo(other, taxable, amount) ? other : usual;
};

/** Whether a rate times a taxable amount equals a tax, to the cent. */
const comesTo = (rate: Rate | null, taxable: Price, amount: Price): boolean => {
  if (rate === null) return false;
  const off = BigInt(taxable) * BigInt(rate) - BigInt(amount) * BigInt(RATE_ONE);
  return (off < 0n ? -off : off) <= 100n * BigInt(RATE_ONE);
};

/** Add up lines with the same name and rate, round them to cents, and keep the order of the export. */
const addedUp = (parts: readonly Part[], sign: 1 | -1): readonly TaxLine[] => {
  const sums = new Map<string, { readonly part: Part; total: number }>();
  for (const part of parts) {
    const key = `${part.rate} ${part.named.mark}`;
    const known = sums.get(key);
    if (known) known.total += part.amount;
    else sums.set(key, { part, total: part.amount });
  }
  const lines: TaxLine[] = [];
  for (const { part, total } of sums.values()) {
    const amount = moneyOfPrice(price(total));
    if (amount === ZERO) continue;
    const { name, kind, place } = part.named;
    lines.push({ name, rate: part.rate, amount: money(sign * amount), kind, place });
  }
  return lines;
};

/**
 * Report a difference between the tax lines and the collected tax.
 * @param collected by seller and marketplace together; the lines do not say who remits them
 */
export const taxLinesDiffer = (lines: readonly TaxLine[], collected: Money): readonly SaleFinding[] => {
  if (lines.length === 0 || addUpTo(lines, collected)) return [];
  const told = sum(lines.map(({ amount }) => amount));
  const missed = missedBy(lines, collected);
  const where = missed < 0 ? 'too much' : 'in no line';
  const message = `the tax lines come to ${formatMoney(told)}, and the tax collected is ${formatMoney(collected)}: ${formatMoney(absolute(missed))} is ${where}`;
  return [{ code: 'tax-lines-differ', message }];
};

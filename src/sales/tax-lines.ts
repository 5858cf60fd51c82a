import {
  formatMoney,
  type Money,
  money,
  moneyOfPrice,
  type Price,
  parseRate,
  price,
  priceOfMoney,
  RATE_ONE,
  type Rate,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { columnsOf, ifStated } from './expression.ts';
import { type LineSource, numberedSource, packedSource } from './packed-lines.ts';
import type { SalesProfile } from './profile.ts';
import { isProblem, type RowForm, type RowReader } from './row-reader.ts';
import { addUpTo, type SaleFinding, type TaxLine, type TaxLineKind } from './sale.ts';
import type { StatedTax, TaxLines } from './sale-map.ts';
import { saleWords } from './sale-words.ts';
import { remembered, type TableRow } from './table-row.ts';

/** The tax lines of a record, and findings about unreadable ones. */
type ReadTaxLines = {
  readonly lines: readonly TaxLine[];
  readonly findings: readonly SaleFinding[];
};

/** Reads the tax lines of one record. They are only evidence for its figures, so they never cause a rejection. */
type TaxLineReader = (rows: readonly TableRow[], sign: 1 | -1) => ReadTaxLines;

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
  taxLines: TaxLines,
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

type Part = {
  readonly named: KnownName;
  readonly rate: Rate | null;
  readonly amount: Price;
};

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

/** Compile the readers of a tax line. */
const statedCells = (stated: StatedTax, read: RowReader) => ({
  name: read.text(stated.name),
  level: ifStated(stated.level, read.text),
  amount: read.amount({ orZero: stated.amount }),
  column: columnsOf(stated.amount),
  rate: ifStated(stated.rate, read.text),
  rateIs: stated.rateIs,
});

type StatedCells = ReturnType<typeof statedCells>;

const readPart = (row: TableRow, cells: StatedCells, nameOf: NameReader): Part | SaleFinding | undefined => {
  const amount = cells.amount(row);
  if (amount === 0) return undefined;
  const name = cells.name(row);
  if (isProblem(amount)) return unreadable(amount.column, name, `${amount.problem}: "${amount.value}"`);
  if (Math.abs(amount) > LARGEST) return unreadable(cells.column, name, 'is not a tax of a sale');
  const named = nameOf(name, cells.level?.(row) ?? '');
  return { named, rate: named.rate ?? statedRate(row, cells), amount };
};

const unreadable = (column: string, name: string, why: string): SaleFinding => ({
  code: 'tax-line-unreadable',
  message: `${column} of the tax "${name}" ${why}`,
  column,
});

const statedRate = (row: TableRow, { rate, rateIs }: StatedCells): Rate | null => {
  const text = rate?.(row) ?? '';
  if (text === '') return null;
  return rateIs === 'percent' || text.includes('%') ? percentOf(text) : fractionOf(text);
};

/** Add up lines with the same name and rate, round them to cents, and keep the order of the export. */
const addedUp = (parts: readonly Part[], sign: 1 | -1): readonly TaxLine[] => {
  const lines: TaxLine[] = [];
  for (const same of Map.groupBy(parts, ({ rate, named }) => `${rate} ${named.mark}`).values()) {
    const amount = moneyOfPrice(price(same.reduce((total, part) => total + part.amount, 0)));
    const [first] = same;
    if (!first || amount === ZERO) continue;
    const { name, kind, place } = first.named;
    lines.push({
      name,
      rate: first.rate,
      amount: money(sign * amount),
      kind,
      place,
    });
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
  const message = `the tax lines come to ${formatMoney(told)}, and the tax collected is ${formatMoney(collected)}`;
  return [{ code: 'tax-lines-differ', message }];
};

/** The parts of a tax line's name. */
type TaxLineName = Pick<TaxLine, 'name' | 'rate' | 'kind' | 'place'>;

/**
 * Parse the name of a tax line: `Colorado Springs City Tax 3.07%`, `LOS ANGELES CO LOCAL TAX SL`,
 * `US-FL-MIAMI-DADE HOMESTEAD : CITY TAX-1`. A name in no known form is its own place, without a kind.
 *
 * @param level the kind of jurisdiction in the export's words, if stated apart from the name
 */
export const taxLineNameOf = (text: string, level = ''): TaxLineName => {
  const { name, rate } = withoutRate(text.replace(/\s+/g, ' ').trim());
  const told = ofRateCode(name) ?? jurisdictionOf(name);
  return { name, rate, kind: kindOfLevel(level) ?? told.kind, place: told.place };
};

/**
 * Split off the rate: `7.25%`, `7,25 %` or `0.0725` after a name, or a percentage before it. Values that cannot be tax
 * rates are not taken as such.
 */
const withoutRate = (text: string): Pick<TaxLine, 'name' | 'rate'> => {
  const percents = [...text.matchAll(/\(?@?\s*(\d+(?:[.,]\d+)?)\s?(?:%|percent\b)\s*\)?/gi)];
  const [only] = percents;
  if (only) {
    const rate = percents.length === 1 ? percentOf(only[1] ?? '') : null;
    const title = `${text.slice(0, only.index)} ${text.slice(only.index + only[0].length)}`;
    return { name: rate === null ? text : tidied(title), rate };
  }
  const fraction = /^(.*\S)\s+\(?(0?[.,]\d{2,7})\)?$/.exec(text);
  const rate = fractionOf(fraction?.[2] ?? '');
  return { name: rate === null ? text : tidied(fraction?.[1] ?? ''), rate };
};

const tidied = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–:,@]+|[\s\-–:,@]+$/g, '')
    .trim();

/** Parse `7.25` or `7,25` percent; `null` if it is not a number, has too many decimals, or exceeds 100 %. */
export const percentOf = (text: string): Rate | null => {
  const [whole = '', places = ''] = text.trim().replace('%', '').trim().replace(',', '.').split('.');
  const digits = `${whole.padStart(2, '0')}`;
  if (!/^\d+$/.test(digits) || !/^\d*$/.test(places)) return null;
  return rateOf(`${digits.slice(0, -2) || '0'}.${digits.slice(-2)}${places}`);
};

/** Parse `0.0725`, `.0725` or `0,0725`. */
export const fractionOf = (text: string): Rate | null =>
  rateOf(text.trim().replace(',', '.').replace(/^\./, '0.'));

const rateOf = (text: string): Rate | null => {
  const found = parseRate(text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''));
  return found === undefined || found < 0 || found > RATE_ONE ? null : found;
};

const kindOfLevel = (level: string): TaxLineKind | null =>
  saleWords().taxes.levels.find(({ form }) => like(form).test(level.trim()))?.kind ?? null;

type Told = Pick<TaxLine, 'kind' | 'place'>;

/** The regular expression of a form, compiled once. */
const like = remembered((form) => new RegExp(form, 'i'));

const withoutTaxWords = (title: string): string => {
  const words = like(saleWords().taxes.words);
  let core = title.trim();
  while (words.test(core)) core = core.replace(words, '').trim();
  return core;
};

/**
 * Parse a rate code of WooCommerce: country, state, name and priority, separated by hyphens. State and name may be
 * missing, and a name may contain hyphens. Plugins put county and city before the name at every level.
 */
const ofRateCode = (text: string): Told | undefined => {
  const code = /^[A-Z]{2}(?:-([A-Z]{2})(?=-| :))?[- ]+(.*?)-\d+$/.exec(text);
  if (!code) return undefined;
  const [, state = '', name = ''] = code;
  const { kind, place } = jurisdictionOf(name.replace(/\s*:\s*/g, ' ').trim());
  const isOfState = kind === 'state' || (kind === null && place === '');
  return { kind, place: isOfState ? state : place };
};

const toldBy = (forms: ReturnType<typeof saleWords>['taxes']['forms'], text: string): Told | undefined => {
  for (const { kind, form } of forms) {
    const found = like(form).exec(text);
    if (found) return { kind, place: tidied(found[1] ?? '') };
  }
  return undefined;
};

const jurisdictionOf = (title: string): Told => {
  const { whole, occupation, forms } = saleWords().taxes;
  const ofOccupation = like(occupation).exec(title);
  const core = withoutTaxWords(tidied(ofOccupation ? (ofOccupation[1] ?? '') : title));
  const otherwise = { kind: ofOccupation && core === '' ? ('state' as const) : null, place: core };
  return toldBy(whole, title) ?? toldBy(forms, core) ?? otherwise;
};

import type { Price } from '../kernel/money.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import { dateForm } from './read-date.ts';
import { moneyReader } from './read-money.ts';
import type { SampleColumn } from './sample.ts';
import { columnWords } from './table-row.ts';

/** Reads an amount of a sample, written as most exports of US shops do. */
const amountOf: (cell: string) => Price | undefined = moneyReader({
  decimal: '.',
  negative: ['minus', 'parentheses', 'typographic-minus'],
  currencySymbols: ['$', 'US$', 'USD'],
});

/** Cells that say yes or no, which amounts of 0 and 1 look like. */
const YES_OR_NO = /^(?:0|1|y|n|yes|no|true|false)$/i;

/** Whether a column answers a question in each row: by its name, or by its cells, unless these are nothing but zeros. */
const isFlag = (name: string, filled: readonly string[]): boolean =>
  /\?\s*$/.test(name) ||
  (filled.some((cell) => cell !== '0') && filled.every((cell) => YES_OR_NO.test(cell)));

/** What the filled cells of a column can be. */
const CELLS = {
  text: () => true,
  amount: (filled: readonly string[], name: string) =>
    !isFlag(name, filled) && filled.every((cell) => amountOf(cell) !== undefined),
  count: (filled: readonly string[]) => filled.every((cell) => /^-?\d+(?:\.0+)?$/.test(cell)),
  date: (filled: readonly string[]) => dateFormsOf(filled).length > 0,
  /** Sales abroad name other regions, so half of the cells are enough. */
  state: (filled: readonly string[]) =>
    filled.filter((cell) => usRegionCode(cell) !== undefined).length * 2 >= filled.length,
  /** More different values are not kinds of rows. */
  kind: (filled: readonly string[]) => filled.length > 0 && new Set(filled).size <= 20,
} satisfies Record<string, (filled: readonly string[], name: string) => boolean>;

/** What a profile needs columns for: the words that exports use, what the cells have to be, and what is never meant. */
const sought = (cells: keyof typeof CELLS, words: RegExp, never?: RegExp) => ({ cells, words, never });

const place = (words: string, cells: keyof typeof CELLS = 'text') =>
  sought(
    cells,
    new RegExp(`(?:\\b(?:ship|deliver)\\w*\\b.*)?\\b(?:${words})\\b(?: code)?`),
    /\b(?:tax(?:es)?|bill\w*|e-?mail|ip|status)\b/,
  );

const RECORD = 'order|invoice|receipt|sale|transaction|doc(?:ument)?';

const SOUGHT = {
  id: sought(
    'text',
    new RegExp(
      `^(?:${RECORD})$|\\b(?:${RECORD}) ?(?:#|(?:id|no\\.?|num|number)\\b)|^(?:id|no\\.?|num|number|name)$`,
    ),
    /\b(?:orig\w*|parent|related|refund\w*|of)\b/,
  ),
  date: sought('date', new RegExp(`(?:^(?:${RECORD}|purchase|created)\\w* ?)?\\b(?:date|time|on|at)\\b|.`)),
  status: sought('kind', new RegExp(`^(?:(?:${RECORD}|financial|record|event) )?(?:status|type|kind)$`)),
  currency: sought('kind', /\bcurr(?:ency)?\b/, /rate/),
  country: place('country'),
  state: place('state|province|region|st', 'state'),
  zip: place('zip|zipcode|postal|postcode|post'),
  city: place('city|town|suburb'),
  street: place('street|address(?: ?(?:line)? ?1)?'),
  tax: sought(
    'amount',
    /(?:total )?(?:sales )?\btax(?:es)?\b(?: (?:total|amount|collected|charged))?/,
    /\b(?:rate|id|no|incl\w*|excl\w*|before|pre|ex|without|after|with|net|exempt|refund\w*|ship\w*|freight)\b|%/,
  ),
  shipping: sought(
    'amount',
    /\b(?:shipping|freight|delivery|postage)\b/,
    /\b(?:tax(?:es)?|disc\w*)$|\b(?:incl\w*|refund\w*)\b/,
  ),
  refunded: sought('amount', /\brefund(?:ed|s)?\b/, /\b(?:of|for|type|id|no|number|by|tax(?:es)?)\b/),
  goods: sought(
    'amount',
    /\bsub ?-?total\b|\b(?:before|pre|excl?\w*|without|net of)\b.*\btax|\b(?:net|goods|items?|line) (?:net|sales|total|amount)\b/,
    /\b(?:unit|each|ship\w*|freight|disc\w*)\b/,
  ),
  total: sought(
    'amount',
    new RegExp(`(?:(?:grand|${RECORD}) )?\\btotal\\b|^(?:gross|amount)$`),
    /\b(?:sub|before|pre|excl?\w*|without|refund\w*)\b/,
  ),
  quantity: sought('count', /\b(?:quantity|qty|units)\b/),
  price: sought(
    'amount',
    /(?:\bunit\b.*)?\b(?:price|cost|amount)\b/,
    /\b(?:tax(?:es)?|ship\w*|disc\w*|total)\b/,
  ),
  description: sought(
    'text',
    /\b(?:item|product|article|description|title)\b|^name$/,
    /\b(?:id|sku|code|no|number|price|cost|type|disc\w*)\b|#/,
  ),
  sku: sought('text', /\bsku\b|\b(?:item|product) (?:id|code|no|number)\b|\bupc\b/),
};

type Meaning = keyof typeof SOUGHT;
export type Guess = Partial<Record<Meaning, SampleColumn>>;

/**
 * Guess the column of each meaning by its name, where its cells can have that meaning: the one with cells whose name has
 * least beside the words. Each column is used once.
 */
export const guessColumns = (columns: readonly SampleColumn[]): Guess => {
  const guess: Guess = {};
  const free = new Set(columns.filter(({ name }) => name !== ''));
  for (const [meaning, { cells, words, never }] of Object.entries(SOUGHT)) {
    const fitting = [...free].flatMap((column) => {
      const name = wordsOf(column);
      const filled = filledOf(column);
      const [found] = never?.test(name) || !CELLS[cells](filled, column.name) ? [] : (words.exec(name) ?? []);
      return found === undefined
        ? []
        : [{ column, fit: Number(filled.length > 0) + found.length / name.length }];
    });
    const [best] = fitting.sort((one, other) => other.fit - one.fit);
    if (!best) continue;
    guess[meaning as Meaning] = best.column;
    free.delete(best.column);
  }
  return guess;
};

/** The words of a name, without a unit such as `($)` behind it. */
const wordsOf = ({ name }: SampleColumn): string => columnWords(name).replace(/\s*\((?:\W*|usd)\)$/, '');

export const filledOf = ({ cells }: SampleColumn): readonly string[] => cells.filter((cell) => cell !== '');

/** The forms in which exports write dates, the most precise first. */
const FORMS = [
  'yyyy-MM-dd HH:mm:ss ZZZ',
  'yyyy-MM-ddTHH:mm:ssZZZ',
  'yyyy-MM-dd( HH:mm(:ss))',
  'yyyy-MM-ddTHH:mm:ss',
  'MMM d, yyyy h:mm:ss a zzz',
  'MMM d, yyyy( h:mm(:ss) a)',
  'M/d/yyyy( H:mm(:ss))',
  'M/d/yyyy( h:mm(:ss) a)',
  'M/d/yy( H:mm)',
  'd/M/yyyy( H:mm(:ss))',
  'd/M/yy( H:mm)',
  'M-d-yyyy',
  'd-M-yyyy',
  'd.M.yyyy( H:mm)',
  'd MMM yyyy',
  'yyyy/MM/dd( HH:mm:ss)',
  'yyyyMMdd',
] as const;

/** The forms that fit all of some cells; an empty list where one of them is not a date. */
export const dateFormsOf = (cells: readonly string[]): readonly string[] =>
  cells.length === 0 ? [] : FORMS.filter((form) => cells.every((cell) => dateForm(form)(cell) !== undefined));

/** The rows of each order, by their places in the sample. */
export type Orders = readonly (readonly number[])[];

/** Rows next to each other with one number, or with none behind the first, are one order. */
export const ordersOf = ({ cells }: SampleColumn): Orders => {
  const orders: number[][] = [];
  for (const [at, id] of cells.entries()) {
    const isFurther = at > 0 && (id === '' || id === cells[at - 1]);
    if (isFurther) orders.at(-1)?.push(at);
    else orders.push([at]);
  }
  return orders;
};

/** Whether the cells of a column differ between the rows of one order, so that they are of lines and not of the order. */
export const isOfLines = ({ cells }: SampleColumn, orders: Orders): boolean =>
  orders.some((rows) => new Set(rows.map((at) => cells[at]).filter((cell) => cell)).size > 1);

/** What a column comes to in each order: the sum of its lines, or what it says once. Blank cells are zero. */
export const amountsIn = (
  column: SampleColumn,
  orders: Orders,
  quantity?: SampleColumn,
): readonly number[] => {
  const ofLines = quantity !== undefined || isOfLines(column, orders);
  const amountAt = (at: number): number =>
    (amountOf(column.cells[at] ?? '') ?? 0) * Number(quantity?.cells[at] || 1);
  return orders.map((rows) =>
    ofLines
      ? rows.reduce((sum, at) => sum + amountAt(at), 0)
      : (rows.map(amountAt).find((amount) => amount !== 0) ?? 0),
  );
};

/** The columns with the price of the goods and the total of a sale, and whether their numbers prove it. */
export type PriceColumns = {
  /** `of` says whether it is that of all units of a line, or of one. */
  readonly goods: { readonly column: SampleColumn; readonly of: 'all' | 'unit' } | undefined;
  readonly total: SampleColumn | undefined;
  /** Goods, shipping and tax come to the total in every order of the sample. */
  readonly isProven: boolean;
};

/**
 * Find the price by its numbers: goods, shipping and tax come to the total in every order, for two of the columns. Where
 * no two do, the words of the names decide about the goods, and a total is one only where no column has the goods.
 */
export const findPrice = (guess: Guess, columns: readonly SampleColumn[], orders: Orders): PriceColumns => {
  const { shipping, tax, quantity } = guess;
  const taken = [shipping, tax, quantity, guess.refunded, guess.id];
  const amounts = columns.filter(
    (column) => !taken.includes(column) && CELLS.amount(filledOf(column), column.name),
  );
  const beside = [shipping, tax].map((column) => column && amountsIn(column, orders));
  const besideAt = (at: number): number => (beside[0]?.[at] ?? 0) + (beside[1]?.[at] ?? 0);
  const isTotal = (total: SampleColumn, goods: readonly number[]): boolean =>
    amountsIn(total, orders).every((amount, at) => amount === (goods[at] ?? 0) + besideAt(at));
  const first = (...named: readonly (SampleColumn | undefined)[]): readonly SampleColumn[] =>
    [...named, ...amounts].filter((column) => column !== undefined);
  // Without shipping and tax, any two equal columns would be price and total.
  for (const total of orders.some((_, at) => besideAt(at) !== 0) ? first(guess.total) : [])
    for (const column of first(guess.goods, guess.price).filter((one) => one !== total)) {
      if (isTotal(total, amountsIn(column, orders)))
        return { goods: { column, of: 'all' }, total, isProven: true };
      if (quantity && isTotal(total, amountsIn(column, orders, quantity)))
        return { goods: { column, of: 'unit' }, total, isProven: true };
    }
  if (guess.goods) return { goods: { column: guess.goods, of: 'all' }, total: undefined, isProven: false };
  const unit = quantity && guess.price && { column: guess.price, of: 'unit' as const };
  return { goods: unit, total: unit ? undefined : guess.total, isProven: false };
};

import { TieoutError } from '../../kernel/errors.ts';
import { usRegionCode } from '../../kernel/us-regions.ts';
import { detectProfile } from './detect-profile.ts';
import type { FileSource } from './file-source.ts';
import { isSalesProfile, shippedProfiles } from './load-profiles.ts';
import type { Profile } from './profile.ts';
import { dateForm } from './read-date.ts';
import { amountOf, amountsIn, type OrderRows, sampleOf, sumOf } from './sample.ts';
import { type SurveyedFile, surveyFile } from './survey-file.ts';
import { columnWords, normalColumn } from './table-row.ts';

/** A column of a sample: its name, and its cells row by row. */
export type SampleColumn = { readonly name: string; readonly cells: readonly string[] };

type Test = (cells: readonly string[]) => boolean;

/** Cells that say yes or no, which amounts of 0 and 1 look like. */
const YES_OR_NO = /^(?:0|1|y|n|yes|no|true|false)$/i;

/** Whether a column answers a question in each row: by its name, or by its cells, unless these are nothing but zeros. */
export const isFlag = ({ name, cells }: SampleColumn): boolean => {
  const filled = filledOf(cells);
  return (
    /\?\s*$/.test(name) ||
    (filled.some((cell) => cell !== '0') && filled.every((cell) => YES_OR_NO.test(cell)))
  );
};

/** Whether a cell of such a column says yes. */
export const saysYes = (cell: string): boolean => /^(?:1|y|yes|true)$/i.test(cell);

const areAmounts: Test = (cells) => cells.every((cell) => amountOf(cell) !== undefined);
const areCounts: Test = (cells) => cells.every((cell) => /^-?\d+(?:\.0+)?$/.test(cell));
const areDates: Test = (cells) => dateFormsOf(cells).length > 0;
/** Sales abroad name other regions, so half of the cells are enough. */
const areStates: Test = (cells) =>
  cells.filter((cell) => usRegionCode(cell) !== undefined).length * 2 >= cells.length;
const areKinds: Test = (cells) => cells.length > 0 && new Set(cells).size <= KINDS_MAX;
const areTexts: Test = () => true;
const areFilled: Test = (cells) => cells.length > 0;

/** More different values than these are not kinds of rows. */
const KINDS_MAX = 20;

type Sought = { readonly cells: Test; readonly words: readonly RegExp[]; readonly never?: RegExp };

const ofPlace = (words: string, cells: Test): Sought => ({
  cells,
  words: [
    new RegExp(`^(?:ship|deliver)\\w*\\b.*\\b(?:${words})\\b`),
    new RegExp(`^(?:${words})(?: code)?$`),
    new RegExp(`\\b(?:${words})\\b`),
  ],
  never: /\b(?:tax(?:es)?|bill\w*|e-?mail|ip|status)\b/,
});

/** What a profile needs columns for: the words that exports use, the best first, and what the cells have to be. */
const SOUGHT = {
  id: {
    cells: areTexts,
    words: [
      /^(?:order|invoice|receipt|sale|transaction|doc(?:ument)?)(?: ?(?:id|no\.?|num|number|#))?$/,
      /\b(?:order|po|invoice|receipt|sale|transaction|purchase|doc)(?: ?#| (?:id|no|num|number)\b)/,
      /^(?:id|no\.?|num|number|name)$/,
    ],
    never: /\b(?:orig\w*|parent|related|refund\w*|of)\b/,
  },
  date: {
    cells: areDates,
    words: [
      /^(?:order|sale|invoice|transaction|purchase|created|doc(?:ument)?)\w* ?(?:time|at)\b/,
      /^(?:order|sale|invoice|transaction|purchase|created|doc(?:ument)?)\w* ?(?:date|on)\b/,
      /^(?:date|time)\b/,
      /\b(?:date|time)\b/,
      /./,
    ],
  },
  status: {
    cells: areKinds,
    words: [/^(?:order |financial |transaction |doc(?:ument)? |sale |record |event )?(?:status|type|kind)$/],
  },
  currency: { cells: areFilled, words: [/^curr(?:ency)?(?: code)?$/, /\bcurrency\b/], never: /rate/ },
  country: ofPlace('country', areTexts),
  state: ofPlace('state|province|region|st', areStates),
  zip: ofPlace('zip|zipcode|postal|postcode|post', areTexts),
  city: ofPlace('city|town|suburb', areTexts),
  street: ofPlace('street|address(?: ?(?:line)? ?1)?', areTexts),
  tax: {
    cells: areAmounts,
    words: [/^(?:total )?(?:sales )?tax(?:es)?(?: (?:total|amount|collected|charged))?$/, /\btax(?:es)?\b/],
    never:
      /\b(?:rate|id|no|incl\w*|excl\w*|before|pre|ex|without|after|with|net|exempt|refund\w*|ship\w*|freight)\b|%/,
  },
  shipping: {
    cells: areAmounts,
    words: [
      /^(?:total )?(?:shipping|freight|delivery|postage)(?: (?:amount|cost|charge|fee|total|price))?$/,
      /\b(?:shipping|freight|delivery|postage)\b/,
    ],
    never: /\b(?:tax(?:es)?|disc\w*)$|\b(?:incl\w*|refund\w*)\b/,
  },
  refunded: {
    cells: areAmounts,
    words: [/\brefund(?:ed|s)?\b/],
    never: /\b(?:of|for|date|reason|status|type|id|no|number|by|tax(?:es)?)\b/,
  },
  goods: {
    cells: areAmounts,
    words: [
      /^sub ?-?total$/,
      /\b(?:before|pre|excl?\w*|without|net of)\b.*\btax/,
      /^(?:net|goods|items?|products?|line|row) (?:net|sales|total|amount|value)$/,
      /\bsub ?-?total\b/,
    ],
    never: /\b(?:unit|each|ship\w*|freight|disc\w*)\b/,
  },
  total: {
    cells: areAmounts,
    words: [
      /^(?:order|grand|invoice|transaction|sale|doc(?:ument)?) (?:total|amount|value)$/,
      /^total$/,
      /\btotal\b/,
      /^(?:gross|amount)$/,
    ],
    never: /\b(?:sub|before|pre|excl?\w*|without|refund\w*)\b/,
  },
  quantity: { cells: areCounts, words: [/^(?:line |item )?(?:quantity|qty)$/, /\b(?:quantity|qty|units)\b/] },
  price: {
    cells: areAmounts,
    words: [/\bunit\b.*\b(?:price|cost|amount)\b/, /\b(?:price|cost)\b/, /\bamount\b/],
    never: /\b(?:tax(?:es)?|ship\w*|disc\w*|total)\b/,
  },
  description: {
    cells: areTexts,
    words: [
      /^(?:line ?item |item |product )?(?:name|title|description|text)$/,
      /\b(?:item|product|article|description)\b/,
    ],
    never: /\b(?:id|sku|code|no|number|price|cost|type|disc\w*)\b|#/,
  },
  sku: { cells: areTexts, words: [/\bsku\b/, /\b(?:item|product) (?:id|code|no|number)\b/, /\bupc\b/] },
} satisfies Record<string, Sought>;

export type Meaning = keyof typeof SOUGHT;
export type Guess = Partial<Record<Meaning, SampleColumn>>;

/**
 * Guess the column of each meaning by the words of its name, where its cells can have that meaning. Each column is used
 * once; of several, one with cells goes before one without.
 */
export const guessColumns = (columns: readonly SampleColumn[]): Guess => {
  const guess: Guess = {};
  const free = new Set(columns.filter(({ name }) => name !== ''));
  for (const [meaning, sought] of Object.entries(SOUGHT) as [Meaning, Sought][]) {
    const column = bestOf([...free], sought);
    if (!column) continue;
    guess[meaning] = column;
    free.delete(column);
  }
  return guess;
};

const bestOf = (free: readonly SampleColumn[], { cells, words, never }: Sought): SampleColumn | undefined => {
  const fitting = free.filter((column) => {
    const isAmount = cells === areAmounts || cells === areCounts;
    return !(isAmount && isFlag(column) && cells !== areCounts) && cells(filledOf(column.cells));
  });
  for (const word of words) {
    const named = fitting.filter(({ name }) => word.test(wordsOf(name)) && !never?.test(wordsOf(name)));
    const [first] = named;
    if (first) return named.find(({ cells: some }) => filledOf(some).length > 0) ?? first;
  }
  return undefined;
};

/** The words of a name, without a unit such as `($)` behind it. */
const wordsOf = (name: string): string => columnWords(name).replace(/\s*\((?:\W*|usd)\)$/, '');

export const filledOf = (cells: readonly string[]): readonly string[] => cells.filter((cell) => cell !== '');

/** The forms in which exports write dates, the most precise first. */
const FORMS = [
  'yyyy-MM-dd HH:mm:ss ZZZ',
  'yyyy-MM-ddTHH:mm:ssZZZ',
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-ddTHH:mm:ss',
  'yyyy-MM-dd HH:mm',
  'yyyy-MM-dd',
  'MMM d, yyyy h:mm:ss a zzz',
  'MMM d, yyyy h:mm:ss a',
  'MMM d, yyyy h:mm a',
  'MMM d, yyyy',
  'M/d/yyyy h:mm:ss a',
  'M/d/yyyy h:mm a',
  'M/d/yyyy H:mm:ss',
  'M/d/yyyy H:mm',
  'M/d/yyyy',
  'M/d/yy H:mm',
  'M/d/yy',
  'd/M/yyyy H:mm:ss',
  'd/M/yyyy H:mm',
  'd/M/yyyy',
  'd/M/yy',
  'M-d-yyyy',
  'd-M-yyyy',
  'd.M.yyyy H:mm',
  'd.M.yyyy',
  'd MMM yyyy',
  'yyyy/MM/dd HH:mm:ss',
  'yyyy/MM/dd',
  'yyyyMMdd',
] as const;

/** The forms that fit all of some cells; an empty list where one of them is not a date. */
export const dateFormsOf = (cells: readonly string[]): readonly string[] =>
  cells.length === 0 ? [] : FORMS.filter((form) => cells.every((cell) => dateForm(form)(cell) !== undefined));

/** A column of prices: of all units of a line, or of one unit. */
export type PriceColumn = { readonly column: SampleColumn; readonly of: 'all' | 'unit' };

/** The columns with the price and the total of a sale, and whether their numbers prove it. */
export type PriceColumns = {
  readonly goods: PriceColumn | undefined;
  readonly total: SampleColumn | undefined;
  /** Goods, shipping and tax come to the total in every order of the sample. */
  readonly isProven: boolean;
};

/** The columns that have amounts, and no flags of 0 and 1. */
export const amountColumns = (columns: readonly SampleColumn[]): readonly SampleColumn[] =>
  columns.filter((column) => {
    const filled = column.cells.filter((cell) => cell !== '');
    return filled.length > 0 && !isFlag(column) && filled.every((cell) => amountOf(cell) !== undefined);
  });

/**
 * Find the price by its numbers: goods, shipping and tax come to the total in every order, for two of the columns. Where
 * no two do, the words of the names decide about the goods, and a total is one only where no column has the goods.
 */
export const findPrice = (
  guess: Guess,
  columns: readonly SampleColumn[],
  orders: readonly OrderRows[],
): PriceColumns => {
  const taken = [guess.shipping, guess.tax, guess.refunded, guess.id, guess.quantity];
  const amounts = amountColumns(columns).filter((column) => !taken.includes(column));
  const first = (...named: readonly (SampleColumn | undefined)[]): Iterable<SampleColumn> =>
    new Set([...named.filter((column) => column !== undefined), ...amounts]);
  const [shipping, tax] = [guess.shipping, guess.tax].map((column) => column && amountsIn(column, orders));
  const beside = orders.map((_, at) => (shipping?.[at] ?? 0) + (tax?.[at] ?? 0));
  const isTotal = (total: SampleColumn, goods: PriceColumn): boolean => {
    const [whole, part] = [amountsIn(total, orders), pricesIn(goods, guess.quantity, orders)];
    return (
      total !== goods.column && whole.every((amount, at) => amount === (part[at] ?? 0) + (beside[at] ?? 0))
    );
  };
  // Without shipping and tax, any two equal columns would be price and total.
  for (const total of beside.some((amount) => amount !== 0) ? first(guess.total) : [])
    for (const column of first(guess.goods, guess.price))
      for (const of of guess.quantity ? (['all', 'unit'] as const) : (['all'] as const))
        if (isTotal(total, { column, of })) return { goods: { column, of }, total, isProven: true };
  const goods = named(guess);
  return { goods, total: goods ? undefined : guess.total, isProven: false };
};

const named = ({ goods, price, quantity }: Guess): PriceColumn | undefined => {
  if (goods) return { column: goods, of: 'all' };
  return price && quantity && { column: price, of: 'unit' };
};

/** What a price comes to in each order. */
const pricesIn = (
  { column, of }: PriceColumn,
  quantity: SampleColumn | undefined,
  orders: readonly OrderRows[],
): readonly number[] =>
  of === 'all'
    ? amountsIn(column, orders)
    : orders.map((rows) =>
        sumOf(rows.map((at) => (amountOf(column.cells[at] ?? '') ?? 0) * Number(quantity?.cells[at] || 1))),
      );

/**
 * Read the first order numbers of a table that looks like sales; none if it does not, has no numbers, or is unreadable.
 */
export const saleNumbersIn = async (source: FileSource): Promise<readonly string[]> => {
  try {
    const file = await surveyFile(source);
    const { columns } = await sampleOf(file);
    const guess = guessColumns(columns);
    const profile = await knownProfile(file);
    const name = profile ? keyOf(profile) : hasColumnsOfSales(guess) ? guess.id?.name : undefined;
    const column = columns.find((one) => name !== undefined && normalColumn(one.name) === normalColumn(name));
    return [...new Set(filledOf(column?.cells ?? []))];
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return [];
    throw error;
  }
};

const keyOf = (profile: Profile): string | undefined =>
  isSalesProfile(profile) ? profile.shape.key[0] : undefined;

const knownProfile = async (file: SurveyedFile): Promise<Profile | undefined> => {
  try {
    return (await detectProfile(file, shippedProfiles())).profile;
  } catch (error) {
    if (error instanceof TieoutError && error.code === 'E_EXPORT_UNKNOWN') return undefined;
    throw error;
  }
};

/**
 * Whether columns look like sales: an amount with an order number, or with a date and a tax or destination. Price lists
 * and bank statements have neither.
 */
const hasColumnsOfSales = ({ id, date, total, tax, goods, price, state, zip }: Guess): boolean => {
  const isOfOrders = /order|invoice|receipt|sale/i.test(id?.name ?? '');
  return Boolean(total ?? tax ?? goods ?? price) && (isOfOrders || Boolean(date && (tax ?? state ?? zip)));
};

import { normalColumn } from '../files/normal-column.ts';
import { inEnglish } from './words-abroad.ts';

/** What a profile needs columns for, and the words by which exports call them, the best first. */
const WORDS = {
  id: [
    /^order\s*(id|no\.?|number|#)$/,
    /^(po|invoice|transaction|purchase order|doc|document|receipt|sale)\s*(id|no\.?|number|#)$/,
    /\b(order|invoice)\b.*(id|no|num|#)/,
    /^(id|name|number|num)$/,
    /#$/,
  ],
  date: [
    /^(order|sale|invoice|transaction|purchase|created)?\s*(date|time|at)$/,
    /^(order|sale|invoice|transaction|purchase|created)\s*(date|at|on)/,
    /\bdate\b/,
    /\btime\b/,
  ],
  time: [/^(order|sale|doc|document|invoice|transaction)?\s*time$/],
  type: [/^(order|sale|doc|document|invoice|transaction|record|event)?\s*(type|kind)$/],
  reference: [/^(orig|original|parent|related|refunded)\b.*(doc|order|invoice|id|no|number)/],
  customer: [/^(customer|cust|buyer|client)\s*(id|no\.?|number|#)$/, /^(customer|buyer|client)$/],
  exempt: [/\bexempt|\bresale/],
  status: [/^(order|payment|financial)?\s*status$/, /status/],
  currency: [/^currency( code)?$/, /currency/, /^curr\b/],
  country: [
    /^(ship|deliver)\w*\s*(to\s*)?country( code)?$/,
    /^country( code)?$/,
    /^(ship|deliver|to).*country/,
    /country/,
  ],
  state: [
    /^(ship|deliver)\w*\s*(to\s*)?(state|province)( code)?$/,
    /^(state|province)( code)?$/,
    /^(ship|deliver|to).*(state|province|region|\bst$)/,
    /\b(state|province|region)\b/,
  ],
  zip: [
    /^(ship|deliver)\w*\s*(to\s*)?(zip|postal|post)\s?(code)?$/,
    /^(zip|postal|post)\s?(code)?$/,
    /^(ship|deliver|to).*(zip|postal|post ?code)/,
    /\b(zip|postal|post ?code)/,
  ],
  city: [
    /^(ship|deliver)\w*\s*(to\s*)?city$/,
    /^city$/,
    /^(ship|deliver|to).*(city|town|suburb)/,
    /\b(city|town|suburb)\b/,
  ],
  street: [
    /^(ship(ping|ped)?( to)?|deliver(y|ed)?( to)?|to)?\s*(street|address)\s*(line)?\s*1$/,
    /^(ship(ping|ped)?( to)?|deliver(y|ed)?( to)?|to)\s*(street|address)$/,
    /^(ship|deliver|to)(?!.*(e-?mail|status)).*(street|address)/,
    /^(?!.*(e-?mail|status|ip\b)).*\b(street|address)/,
  ],
  shipping: [
    /^(total\s+)?(shipping|freight|delivery|postage)(\s+(amount|cost|charge|total|price))?$/,
    /(shipping|freight|postage).*(amount|cost|charge|price|total)/,
  ],
  shippingTax: [/^(shipping|freight|delivery|postage)\s*tax$/],
  tax: [/^(total\s+)?(sales\s+)?tax(es)?(\s+(total|amount))?$/, /\btax(es)?\b/],
  net: [/^(line|row)\s*(net|total|amount)$/],
  total: [
    /^(order|grand|invoice|doc|document)\s*total$/,
    /^total$/,
    /^(transaction|order|sale|invoice)\s*(value|amount)$/,
    /\btotal\b/,
    /total/,
    /^(gross|amount)\b/,
  ],
  goods: [/^(sub\s*-?total|item total|order value)$/, /subtotal.*after/, /subtotal/],
  refunded: [/refund/],
  quantity: [/^(line|item)?\s*(quantity|qty)$/, /quantity|qty/, /^units$/],
  unitPrice: [/^(unit|item|line\s*item)?\s*price$/, /unit.*(price|cost|amount)/, /price|item cost/],
  orderDiscount: [/^(order|cart|invoice|doc|document)\s*disc(ount)?$/],
  discount: [/(line|row).*disc(ount)?\b/, /discount.*(amount|total|value)/, /^discounts?$/],
  sku: [/^((seller|item|product|line\s*item)\s*)?sku$/, /\bsku\b/, /item\s*(code|no|number)/, /\bupc\b/],
  description: [
    /^(item|product|line\s*item)?\s*(name|title|description)$/,
    /description|product|item|article/,
  ],
} as const;

export type Meaning = keyof typeof WORDS;

/** The columns that were guessed for their meanings, and the meanings of which a person has to make sure. */
export type ColumnGuess = {
  readonly guess: Partial<Record<Meaning, string>>;
  readonly unsure: ReadonlySet<Meaning>;
};

/**
 * The columns that most likely have these meanings; each column is taken for one of them only. A guess is sure where
 * the whole name says it, and no other column is called so.
 */
export const guessColumns = (header: readonly string[]): ColumnGuess => {
  const taken = new Set<string>();
  const guess: Partial<Record<Meaning, string>> = {};
  const unsure = new Set<Meaning>();
  const words = new Map(header.map((name) => [name, englishOf(name)]));
  for (const meaning of Object.keys(WORDS) as Meaning[]) {
    for (const word of WORDS[meaning]) {
      const fitting = header.filter(
        (name) => name.trim() !== '' && !taken.has(name) && word.test(words.get(name) ?? ''),
      );
      const [column] = fitting;
      if (column === undefined) continue;
      guess[meaning] = column;
      taken.add(column);
      if (!saysAll(word) || fitting.length > 1) unsure.add(meaning);
      break;
    }
  }
  return { guess, unsure };
};

/** What has no meaning in English, or half of one, may have one in another language. */
const englishOf = (name: string): string => {
  const words = wordsOf(name);
  if (isOneOf(WHOLE, words)) return words;
  const translated = inEnglish(words);
  return isOneOf(WHOLE, translated) || !isOneOf(ANY, words) ? translated : words;
};

const isOneOf = (some: readonly RegExp[], words: string): boolean => some.some((word) => word.test(words));
const saysAll = ({ source }: RegExp): boolean => source.startsWith('^') && source.endsWith('$');
const ANY: readonly RegExp[] = Object.values(WORDS).flat();
const WHOLE = ANY.filter(saysAll);

/** `*InvoiceNumber`, `POCity` and `order_id` are words that stand close together. */
const wordsOf = (name: string): string =>
  normalColumn(
    name
      .replace(/^\s*\*/, '')
      .replaceAll('_', ' ')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  );

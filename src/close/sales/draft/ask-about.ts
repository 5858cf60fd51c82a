import type { ColumnGuess, Meaning } from './guess-columns.ts';
import { quoted } from './map-lines.ts';

/** What a person calls the meanings whose names alone do not say it. */
const NAMES: Partial<Record<Meaning, string>> = {
  id: 'number of the order',
  reference: 'number of the order that is given back',
  zip: 'ZIP code',
  net: 'amount of the line',
  goods: 'price of all goods, after discounts',
  total: 'total of the order',
  tax: 'sales tax that was charged',
  shippingTax: 'tax on the shipping',
  refunded: 'amount that was given back',
  unitPrice: 'price of one piece',
  discount: 'discount of the line',
  orderDiscount: 'discount of the order',
  sku: 'item number',
};

/** Marks each line that names a column of which no one can be sure, unless the line asks something already. */
export const askAbout = ({ guess, unsure }: ColumnGuess): ((line: string) => string) => {
  const open = [...unsure];
  return (line) => {
    if (line.includes(' # DECIDE') || line.trimStart().startsWith('#')) return line;
    const meaning = open.find((one) => line.includes(quoted(guess[one] ?? '')));
    return meaning === undefined ? line : `${line} # DECIDE: is this the ${NAMES[meaning] ?? meaning}?`;
  };
};

import { absolute, type Money, subtract, sum } from '../../kernel/money.ts';
import type { LedgerEntry } from './ledger-file.ts';

/** Which entries of a ledger book a sale, among those that name it. Both functions return none if they find none. */

/** The entry that books exactly this tax, or all lines of the document that does. */
export const entriesOfAmount = (entries: readonly LedgerEntry[], amount: Money): readonly LedgerEntry[] =>
  bookings(entries, amount).find((booking) => amountOf(booking) === amount) ?? [];

/**
 * An invoice, receipt, credit or refund with the number of a sale belongs to that sale, whatever its amount. Of several,
 * and of their lines, those whose amount is nearest.
 */
export const documentOf = (
  entries: readonly LedgerEntry[],
  names: readonly string[],
  amount: Money,
): readonly LedgerEntry[] => {
  const documents = entries.filter(
    ({ type, number }) => DOCUMENTS.test(type) && names.includes(plainName(number)),
  );
  const distance = (booking: readonly LedgerEntry[]): Money => absolute(subtract(amountOf(booking), amount));
  return bookings(documents, amount).toSorted((left, right) => distance(left) - distance(right))[0] ?? [];
};

const DOCUMENTS = /invoice|receipt|credit|refund/i;

/** What may book an amount: each entry with its sign, and the lines of a document together. */
const bookings = (entries: readonly LedgerEntry[], amount: Money): readonly (readonly LedgerEntry[])[] => {
  const possible = entries.filter((entry) => entry.amount > 0 === amount > 0);
  const documents = Map.groupBy(possible, ({ type, number, date }) => JSON.stringify([type, number, date]));
  return [...possible.map((entry) => [entry]), ...documents.values()];
};

const amountOf = (entries: readonly LedgerEntry[]): Money => sum(entries.map(({ amount }) => amount));

/** Lists the entries with each name. */
export const entriesByName = (
  entries: readonly LedgerEntry[],
  namesOf: (entry: LedgerEntry) => readonly string[],
): ReadonlyMap<string, readonly LedgerEntry[]> => {
  const byName = new Map<string, LedgerEntry[]>();
  for (const entry of entries)
    for (const name of namesOf(entry)) {
      const known = byName.get(name);
      if (known) known.push(entry);
      else byName.set(name, [entry]);
    }
  return byName;
};

/** Sale names that an entry may refer to: its number, and the words in its memo that contain a digit. */
export const namesIn = ({ number, memo }: LedgerEntry): readonly string[] => {
  const words = memo.split(/[\s,;:()]+/).map(plainName);
  const named = words.filter((word) => word.length >= NAME_LENGTH_MIN && /\d/.test(word));
  return [...new Set([plainName(number), ...named].filter((name) => name !== ''))];
};

/** Minimum length of a name in a memo: a single digit is more likely a count. */
const NAME_LENGTH_MIN = 2;

/** Normalize a sale number: lower case, without the leading `#`. */
export const plainName = (name: string): string => name.trim().replace(/^#/, '').toLowerCase();

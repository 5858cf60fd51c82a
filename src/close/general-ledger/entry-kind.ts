import { type Money, ZERO } from '../../kernel/money.ts';
import { type GeneralLedger, groupFinder, groupOfAccount } from './general-ledger.ts';
import type { LedgerEntry } from './ledger-file.ts';

/** What an entry on an account of sales tax means. */
export type EntryKind = 'collected' | 'remitted' | 'discounts' | 'adjustments';

/** Types of entries that mean one thing in every program that writes them. */
const TYPES: readonly (readonly [RegExp, EntryKind])[] = [
  [/^(sales tax payment|tax payment|tax liability payment|tax return payment)$/, 'remitted'],
  [
    /^(cheque?|check|expense|bill|bill payment.*|bill pmt.*|spend money|payable .*|transfer|vendor payment)$/,
    'remitted',
  ],
  [
    /^(invoice|sales receipt|credit memo|refund receipt|refund|cash (sale|refund)|customer (invoice|credit|refund))$/,
    'collected',
  ],
  [/^(receivable (invoice|credit note)|receive money|deposit|statement charge|pos .*)$/, 'collected'],
];

/** Words of memos and split accounts, asked where the type leaves it open. The first that fits decides. */
const WORDS: readonly (readonly [RegExp, EntryKind])[] = [
  [/discount|timely|collection allowance|vendor'?s? (compensation|allowance)|other income/, 'discounts'],
  [/round|adjust|write.?off|penalt|interest|correct/, 'adjustments'],
  [/remit|payment|\bpaid\b|\beft\b|\bach\b|webfile/, 'remitted'],
];

/** The parts of returns that are known to be open, by which an entry without words is told. */
type KnownParts = { readonly payable: readonly Money[]; readonly discount: readonly Money[] };

/**
 * By the type of the entry, then by its words, then by what the open returns ask for. What is left is tax of sales, and
 * of refunds where it is negative.
 */
const entryKind = (entry: LedgerEntry, known: KnownParts): EntryKind => {
  const type = entry.type.trim().toLowerCase();
  const byType = TYPES.find(([pattern]) => pattern.test(type))?.[1];
  if (byType !== undefined) return byType;
  const text = `${entry.memo} ${entry.split}`.toLowerCase();
  const byWord = WORDS.find(([pattern]) => pattern.test(text))?.[1];
  if (byWord !== undefined && (byWord === 'adjustments' || entry.amount < 0)) return byWord;
  if (/adjustment$/.test(type)) return 'adjustments';
  if (known.payable.includes(-entry.amount as Money)) return 'remitted';
  if (known.discount.includes(-entry.amount as Money)) return 'discounts';
  return 'collected';
};

/** Tells the kind of each entry of a ledger by the open returns of its balance. */
export const kindFinder = ({ accounts, before }: GeneralLedger): ((entry: LedgerEntry) => EntryKind) => {
  const groupOf = groupFinder(accounts);
  const byAccount = new Map(
    accounts.map((account): readonly [string, KnownParts] => {
      const group = groupOfAccount(account);
      const returns = before?.returns.filter(({ state }) => groupOf(state) === group) ?? [];
      const parts = (part: 'payable' | 'discount') =>
        returns.map((each) => each[part]).filter((amount) => amount !== ZERO);
      return [account.account, { payable: parts('payable'), discount: parts('discount') }];
    }),
  );
  return (entry) => entryKind(entry, byAccount.get(entry.account) ?? { payable: [], discount: [] });
};

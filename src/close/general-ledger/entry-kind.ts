import { type Money, ZERO } from '../../kernel/money.ts';
import {
  JOURNAL_LINE_NAMES,
  JOURNAL_LINES,
  type JournalLine,
  lineOfMemo,
} from '../filing/journal/journal-lines.ts';
import { accountFinder } from './accounts.ts';
import { type GeneralLedger, groupFinder, groupOfAccount } from './general-ledger.ts';
import type { LedgerEntry } from './ledger-file.ts';
import { settlementsOf } from './settlements.ts';

/** The kind of an entry on a sales-tax account. */
export type EntryKind = 'collected' | 'remitted' | 'discounts' | 'adjustments';

/** Entry types with the same meaning in every program. */
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
  [/^(receivable (invoice|credit note)|statement charge|pos .*)$/, 'collected'],
];

/** Words in memos and split accounts, used if the type is ambiguous. The first match decides. */
const WORDS: readonly (readonly [RegExp, EntryKind])[] = [
  [/discount|timely|collection allowance|vendor'?s? (compensation|allowance)|other income/, 'discounts'],
  [/rounding|rounded|round.?off|adjust|write.?off|penalt|\binterest\b|\bcorrect/, 'adjustments'],
  [/remit|payment|\bpaid\b|\beft\b|\bach\b|webfile/, 'remitted'],
];

/** Types of money received: from customers, or from a state that refunds what a return paid too much. */
const RECEIPTS = /^(receive money|deposit)$/;

/** What an entry with the words of the journal, or beside one of its accounts, is. The journal's own line for tax payable clears a return. */
const JOURNAL_KINDS: Readonly<Record<JournalLine, EntryKind>> = {
  ...{ payable: 'remitted', due: 'remitted', discount: 'discounts' },
  ...{ expense: 'adjustments', notRemitted: 'adjustments', useTax: 'adjustments', rounding: 'adjustments' },
  ...{ prepayments: 'adjustments', credits: 'adjustments', fees: 'adjustments', feeExpense: 'adjustments' },
};

const journalAccount = accountFinder(
  JOURNAL_LINE_NAMES.filter((line) => line !== 'payable').map((line) => ({ line, ...JOURNAL_LINES[line] })),
);

/** Amounts that would settle the open returns, used to classify an entry without telling words. */
type KnownAmounts = { readonly remitted: readonly Money[]; readonly discounts: readonly Money[] };

/**
 * Classify an entry by its type, then by its words, then by the amounts of the open returns. Anything left is tax of
 * sales, or of refunds if negative.
 */
const entryKind = (entry: LedgerEntry, known: KnownAmounts): EntryKind => {
  const type = entry.type.trim().toLowerCase();
  const byType = TYPES.find(([pattern]) => pattern.test(type))?.[1];
  if (byType !== undefined) return byType;
  if (RECEIPTS.test(type)) return known.remitted.includes(entry.amount) ? 'remitted' : 'collected';
  const line = lineOfMemo(entry.memo) ?? journalAccount(entry.split)?.line;
  if (line !== undefined) return JOURNAL_KINDS[line];
  const text = `${entry.memo} ${entry.split}`.toLowerCase();
  const byWord = WORDS.find(([pattern]) => pattern.test(text))?.[1];
  if (byWord !== undefined && (byWord === 'adjustments' || entry.amount < 0)) return byWord;
  if (/adjustment$/.test(type)) return 'adjustments';
  if (known.remitted.includes(entry.amount)) return 'remitted';
  if (known.discounts.includes(entry.amount)) return 'discounts';
  return 'collected';
};

/** Return a function that classifies entries, given the open returns of their group. */
export const kindFinder = ({ accounts, before }: GeneralLedger): ((entry: LedgerEntry) => EntryKind) => {
  const groupOf = groupFinder(accounts);
  const byAccount = new Map(
    accounts.map((account): readonly [string, KnownAmounts] => {
      const group = groupOfAccount(account);
      const ways = (before?.returns ?? [])
        .filter(({ state }) => groupOf(state) === group)
        .flatMap(settlementsOf);
      return [
        account.account,
        {
          remitted: ways.map(({ remitted }) => remitted).filter((amount) => amount !== ZERO),
          discounts: ways.flatMap(({ discounts }) => discounts.map(({ amount }) => amount)),
        },
      ];
    }),
  );
  return (entry) => entryKind(entry, byAccount.get(entry.account) ?? { remitted: [], discounts: [] });
};

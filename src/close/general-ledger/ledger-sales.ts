import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import type { Sale } from '../sales/sale.ts';
import { kindFinder } from './entry-kind.ts';
import { type GeneralLedger, groupFinder, groupOfAccount } from './general-ledger.ts';
import type { LedgerEntry } from './ledger-file.ts';
import type { LedgerCause, OpenItem } from './open-items.ts';
import { causeOf, textOf } from './settle-returns.ts';

/** The sales of one group, with the ledger entries that book them. */
export type GroupSales = {
  collected: Money;
  /** Tax that marketplaces collected and remit themselves. */
  marketplace: Money;
  readonly marketplaceDays: Map<CalendarDate, Money>;
  /** Tax of sales whose number no entry has: daily totals, and the first of them individually. */
  readonly days: Map<CalendarDate, Money>;
  readonly single: OpenItem[];
  /** Number of sales booked by an entry of their own, and those of them booked outside the period. */
  matched: number;
  readonly booked: { readonly entry: LedgerEntry; readonly item: OpenItem }[];
  readonly causes: LedgerCause[];
};

export type LedgerSales = {
  readonly add: (row: DetailRow, sale: Pick<Sale, 'marketplaceTax'>) => void;
  readonly groups: ReadonlyMap<string, GroupSales>;
  /** Entries matched to a sale by its number. */
  readonly taken: ReadonlySet<LedgerEntry>;
  /** The sale names in an entry; an entry that names an already booked sale may be a duplicate. */
  readonly namesOf: (entry: LedgerEntry) => readonly string[];
  /** The marketplace tax on a sale, by each name of the sale. */
  readonly marketplaceSales: ReadonlyMap<string, Money>;
};

/** Maximum number of sales kept individually; further ones appear only in daily totals. */
const SINGLE_MAX = 500;

/** Collect rows of Detail one by one, matching each to the ledger entry that names it. */
export const ledgerSales = (ledger: GeneralLedger, period: FilingPeriod): LedgerSales => {
  const { accounts, entries } = ledger;
  const groupOf = groupFinder(accounts);
  const groupOfEntry = new Map(accounts.map((account) => [account.account, groupOfAccount(account)]));
  const kindOf = kindFinder(ledger);
  const byName = new Map<string, LedgerEntry[]>();
  const names = new Map<LedgerEntry, readonly string[]>();
  for (const entry of entries) {
    if (kindOf(entry) !== 'collected') continue;
    const own = namesIn(entry);
    names.set(entry, own);
    for (const name of own) byName.set(name, [...(byName.get(name) ?? []), entry]);
  }
  const groups = new Map<string, GroupSales>();
  const taken = new Set<LedgerEntry>();
  const marketplaceSales = new Map<string, Money>();
  const groupNamed = (name: string): GroupSales => {
    const found = groups.get(name) ?? emptyGroup();
    groups.set(name, found);
    return found;
  };

  return {
    groups,
    taken,
    marketplaceSales,
    namesOf: (entry) => names.get(entry) ?? [],
    add: (row, { marketplaceTax }) => {
      if (!row.isPosted) return;
      const groupName = groupOf(row.state);
      const group = groupNamed(groupName);
      const { businessDate: day, collected: amount } = row;
      if (marketplaceTax !== ZERO) {
        const own = row.kind === 'refund' ? (-marketplaceTax as Money) : marketplaceTax;
        group.marketplace = add(group.marketplace, own);
        addTo(group.marketplaceDays, day, own);
        for (const name of namesOfSale(row)) if (byName.has(name)) marketplaceSales.set(name, own);
      }
      if (amount === ZERO) return;
      group.collected = add(group.collected, amount);
      const candidates = namesOfSale(row)
        .flatMap((name) => byName.get(name) ?? [])
        .filter((entry) => !taken.has(entry) && groupOfEntry.get(entry.account) === groupName)
        .filter((entry) => entry.amount > 0 === amount > 0);
      const entry =
        candidates.find((each) => each.amount === amount) ??
        candidates.find((each) => isDocumentOf(each, row));
      if (!entry) {
        addTo(group.days, day, amount);
        if (group.single.length < SINGLE_MAX)
          group.single.push({ group: groupName, day, amount, record: row.record });
        return;
      }
      taken.add(entry);
      group.matched += 1;
      if (!isWithin(period, entry.date))
        group.booked.push({ entry, item: { group: groupName, day, amount, record: row.record } });
      group.causes.push(...differencesOf(groupName, row, entry, period));
    },
  };
};

/** An invoice, receipt, credit or refund with the number of a sale belongs to that sale, whatever its amount. */
const isDocumentOf = ({ type, number }: LedgerEntry, row: DetailRow): boolean =>
  /invoice|receipt|credit|refund/i.test(type) && namesOfSale(row).includes(plainName(number));

const differencesOf = (
  group: string,
  { record, businessDate, collected }: DetailRow,
  entry: LedgerEntry,
  period: FilingPeriod,
): readonly LedgerCause[] => {
  const at = { group, line: 'collected' } as const;
  if (!isWithin(period, entry.date)) {
    const what = `${record} was sold on ${businessDate} and is posted on ${entry.date}${textOf(entry)}`;
    return [causeOf({ ...at, cause: 'other-month' }, collected, what, entry)];
  }
  const difference = (collected - entry.amount) as Money;
  if (difference === ZERO) return [];
  const what = `${record} carries other tax than its entry on ${entry.date}${textOf(entry)}`;
  return [causeOf({ ...at, cause: 'other-amount' }, difference, what, entry)];
};

export const emptyGroup = (): GroupSales => ({
  collected: ZERO,
  marketplace: ZERO,
  marketplaceDays: new Map(),
  days: new Map(),
  single: [],
  matched: 0,
  booked: [],
  causes: [],
});

const addTo = (days: Map<CalendarDate, Money>, day: CalendarDate, amount: Money): void => {
  days.set(day, add(days.get(day) ?? ZERO, amount));
};

/** Sale names that an entry may refer to: its number, and the words in its memo that contain a digit. */
const namesIn = ({ number, memo }: LedgerEntry): readonly string[] => {
  const words = memo.split(/[\s,;:()]+/).map(plainName);
  const named = words.filter((word) => word.length >= NAME_LENGTH_MIN && /\d/.test(word));
  return [...new Set([plainName(number), ...named].filter((name) => name !== ''))];
};

/** Minimum length of a name in a memo: a single digit is more likely a count. */
const NAME_LENGTH_MIN = 2;

const namesOfSale = ({
  id,
  record,
  reference,
}: Pick<DetailRow, 'id' | 'record' | 'reference'>): readonly string[] => [
  ...new Set([id, record, reference].map(plainName).filter((name) => name !== '')),
];

/** Normalize a sale number: lower case, without the leading `#`. */
export const plainName = (name: string): string => name.trim().replace(/^#/, '').toLowerCase();

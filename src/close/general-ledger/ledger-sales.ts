import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import type { Sale } from '../sales/sale.ts';
import { kindFinder } from './entry-kind.ts';
import { type GeneralLedger, groupFinder, groupOfAccount } from './general-ledger.ts';
import type { LedgerEntry } from './ledger-file.ts';
import type { LedgerCause, OpenItem } from './open-items.ts';
import { documentOf, entriesByName, entriesOfAmount, namesIn, plainName } from './sale-entries.ts';
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
  /** Number of sales booked by entries of their own, and those of them booked outside the period. */
  matched: number;
  readonly booked: { readonly entry: LedgerEntry; readonly item: OpenItem }[];
  readonly causes: LedgerCause[];
};

export type LedgerSales = {
  readonly add: (row: DetailRow, sale: Pick<Sale, 'marketplaceTax'>) => void;
  readonly groups: ReadonlyMap<string, GroupSales>;
  /** Entries matched to a sale by its number. */
  readonly taken: ReadonlySet<LedgerEntry>;
  /** The sale names in an entry. */
  readonly namesOf: (entry: LedgerEntry) => readonly string[];
  /** The names of the sales that entries were matched to; a further entry that names one may be a duplicate. */
  readonly booked: ReadonlySet<string>;
  /** The marketplace tax on a sale, by each name of the sale. */
  readonly marketplaceSales: ReadonlyMap<string, Money>;
};

/** Maximum number of sales kept individually; further ones appear only in daily totals. */
const SINGLE_MAX = 500;

/** Collect rows of Detail one by one, matching each to the ledger entries that name it. */
export const ledgerSales = (ledger: GeneralLedger, period: FilingPeriod): LedgerSales => {
  const { accounts, entries } = ledger;
  const groupOf = groupFinder(accounts);
  const groupOfEntry = new Map(accounts.map((account) => [account.account, groupOfAccount(account)]));
  const kindOf = kindFinder(ledger);
  const names = new Map(
    entries.filter((entry) => kindOf(entry) === 'collected').map((entry) => [entry, namesIn(entry)]),
  );
  const namesOf = (entry: LedgerEntry): readonly string[] => names.get(entry) ?? [];
  const byName = entriesByName([...names.keys()], namesOf);
  const groups = new Map<string, GroupSales>();
  const taken = new Set<LedgerEntry>();
  const booked = new Set<string>();
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
    namesOf,
    booked,
    add: (row, { marketplaceTax }) => {
      if (!row.isPosted) return;
      const groupName = groupOf(row.state);
      const group = groupNamed(groupName);
      const { businessDate: day, collected: amount } = row;
      const saleNames = namesOfSale(row).filter((name) => byName.has(name));
      if (marketplaceTax !== ZERO) {
        const own = row.kind === 'refund' ? (-marketplaceTax as Money) : marketplaceTax;
        group.marketplace = add(group.marketplace, own);
        addTo(group.marketplaceDays, day, own);
        for (const name of saleNames) marketplaceSales.set(name, own);
      }
      if (amount === ZERO) return;
      group.collected = add(group.collected, amount);
      const candidates = [...new Set(saleNames.flatMap((name) => byName.get(name) ?? []))].filter(
        (entry) => !taken.has(entry) && groupOfEntry.get(entry.account) === groupName,
      );
      const exact = entriesOfAmount(candidates, amount);
      const own = exact.length > 0 ? exact : documentOf(candidates, saleNames, amount);
      const [entry] = own;
      if (!entry) {
        addTo(group.days, day, amount);
        if (group.single.length < SINGLE_MAX)
          group.single.push({ group: groupName, day, amount, record: row.record });
        return;
      }
      for (const each of own) taken.add(each);
      for (const name of saleNames) booked.add(name);
      group.matched += 1;
      if (!isWithin(period, entry.date))
        group.booked.push({ entry, item: { group: groupName, day, amount, record: row.record } });
      group.causes.push(...differencesOf(groupName, row, own, period));
    },
  };
};

const differencesOf = (
  group: string,
  { record, businessDate, collected }: DetailRow,
  entries: readonly LedgerEntry[],
  period: FilingPeriod,
): readonly LedgerCause[] => {
  const [entry] = entries;
  if (!entry) return [];
  const at = { group, line: 'collected' } as const;
  if (!isWithin(period, entry.date)) {
    const what = `${record} was sold on ${businessDate} and is posted on ${entry.date}${textOf(entry)}`;
    return [causeOf({ ...at, cause: 'other-month' }, collected, what, entry)];
  }
  const difference = subtract(collected, sum(entries.map(({ amount }) => amount)));
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

const namesOfSale = ({
  id,
  record,
  reference,
}: Pick<DetailRow, 'id' | 'record' | 'reference'>): readonly string[] => [
  ...new Set([id, record, reference].map(plainName).filter((name) => name !== '')),
];

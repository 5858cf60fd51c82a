import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, formatMoney, type Money, sum, ZERO } from '../../kernel/money.ts';
import { isBlankRow, type TableRow } from '../sales/files/table-row.ts';
import { accountFinder, type TaxAccount } from './accounts.ts';
import { type Cells, cellsOf, type Header, readAmount, readBalance, readDay } from './layouts.ts';
import type { LedgerBalance, LedgerDays, LedgerEntry, LedgerFile, LedgerProblem } from './ledger-file.ts';

export type SectionsGiven = {
  readonly file: string;
  readonly header: Header;
  readonly accounts: readonly TaxAccount[];
  /** Number of occurrences of each entry in earlier files; updated when this file ends. */
  readonly earlier: Map<string, number>;
};

/** A sales-tax account under its heading. */
type Section = {
  readonly path: string;
  readonly account: string;
  opening: Money | undefined;
  /** The day of the opening balance, if it is stated. */
  since: CalendarDate | undefined;
  moved: Money;
  entries: number;
  isDamaged: boolean;
  /** Whether a heading began it. Below a heading, a report prints the balance unless it is zero. */
  isHeaded: boolean;
};

const newSection = (path: string, account: string): Section => ({
  path,
  account,
  opening: undefined,
  since: undefined,
  moved: ZERO,
  entries: 0,
  isDamaged: false,
  isHeaded: false,
});

/** Read the rows of a ledger one by one: headings, entries, balances, totals, and surrounding text. */
export const sectionReader = ({ file, header, accounts, earlier }: SectionsGiven) => {
  const find = accountFinder(accounts);
  const entries: LedgerEntry[] = [];
  const problems: LedgerProblem[] = [];
  const counts = { rows: 0, used: 0, ignored: 0, rejected: 0 };
  const own = new Map<string, number>();
  const sections = new Map<string, Section>();
  const others = new Set<string>();
  let path: string[] = [];
  let last: Section | undefined;
  let firstDay: CalendarDate | undefined;

  const problem = (code: LedgerProblem['code'], line: number, record: string, message: string): void => {
    problems.push({ code, severity: 'error', origin: { file, line, record }, message });
  };
  const sectionOf = (name: string): Section | undefined => {
    const account = find(name)?.account;
    if (account === undefined) {
      others.add(name);
      return undefined;
    }
    const known = sections.get(name) ?? newSection(name, account);
    sections.set(name, known);
    return known;
  };
  const open = (name: string): void => {
    path.push(name);
    last = sectionOf(path.join(':'));
    if (last) last.isHeaded = true;
  };
  /**
   * The account of an entry: the heading above it if it means the same account as the entry's own cell, which some
   * reports shorten; otherwise the cell.
   */
  const nameOf = (cells: Cells): string => {
    const [heading, own] = [path.join(':'), cells('account')];
    return own === '' || find(heading)?.account === find(own)?.account ? heading || own : own;
  };
  /** Report a stated total or balance that differs from the sum of the rows. */
  const compare = (line: number, stated: Money, found: Money, what: string): void => {
    if (!last || last.isDamaged || stated === found) return;
    const message = `${what} of "${last.path}" is ${formatMoney(stated)} in the file, and its rows come to ${formatMoney(found)}: rows are missing or were changed`;
    problem('ledger-total', line, last.account, message);
  };
  const total = (line: number, title: string, cells: Cells): void => {
    const name = title.replace(/^total(?: for)?\s*/i, '');
    const isWhole = /with sub-?accounts$/i.test(name);
    const place = path.lastIndexOf(name.replace(/\s*with sub-?accounts$/i, ''));
    if (place < 0) return;
    last = sectionOf(path.slice(0, place + 1).join(':'));
    const stated = readAmount(header, cells);
    if (!isWhole && last && stated && 'amount' in stated)
      compare(line, stated.amount, last.moved, 'the total');
    path = path.slice(0, place);
  };
  const balance = (line: number, isOpening: boolean, cells: Cells): void => {
    const stated = readBalance(header, cells);
    if (!last || !stated) return;
    if ('problem' in stated) refuse(line, last, stated.problem);
    else if (isOpening) {
      last.opening = stated.amount;
      last.since = readDay(cells('date'));
    } else compare(line, stated.amount, add(last.opening ?? ZERO, last.moved), 'the closing balance');
  };
  const refuse = (line: number, section: Section | undefined, message: string): void => {
    if (section) section.isDamaged = true;
    problem('bad-ledger-row', line, section?.account ?? `row ${line}`, message);
  };

  const entry = (line: number, cells: Cells): 'used' | 'ignored' | 'rejected' => {
    const name = nameOf(cells);
    const section = name === '' ? undefined : sectionOf(name);
    const date = readDay(cells('date'));
    if (date && (!firstDay || date < firstDay)) firstDay = date;
    if (name !== '' && !section) return 'ignored';
    const read = readAmount(header, cells);
    const wrong =
      (name === '' && 'the row names no account, and stands under no heading of one') ||
      (!date && `Date "${cells('date')}" is not a day such as 10/31/2026 or 31 Oct 2026`) ||
      (!read && 'the row has no amount') ||
      (read && 'problem' in read && read.problem);
    if (wrong || !section || !date || !read || 'problem' in read) {
      refuse(line, section, wrong || 'the row cannot be read');
      return 'rejected';
    }
    section.moved = add(section.moved, read.amount);
    section.entries += 1;
    const said = {
      ...{ account: section.account, date, type: cells('type'), number: cells('number') },
      ...{ name: cells('name'), memo: cells('memo'), split: cells('split'), amount: read.amount },
    };
    const key = JSON.stringify(said);
    const copy = (own.get(key) ?? 0) + 1;
    own.set(key, copy);
    if (copy <= (earlier.get(key) ?? 0)) return 'ignored';
    entries.push({ ...said, file, line });
    return 'used';
  };

  const outcomeOf = ({ line, cells: all }: TableRow): 'used' | 'ignored' | 'rejected' => {
    if (isBlankRow(all)) return 'ignored';
    const cells = cellsOf(header, all);
    const filled = all.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [title = ''] = filled;
    const opening = /^(?:beginning|opening) balance$/i.test(title) || isBalanceMemo(cells);
    if (opening || /^closing balance$/i.test(title)) {
      if (isBalanceMemo(cells)) last = sectionOf(cells('account'));
      balance(line, opening, cells);
      return 'ignored';
    }
    if (/^total\b/i.test(title)) {
      total(line, title, cells);
      return 'ignored';
    }
    if ((all[0] ?? '').trim() !== '' && filled.length <= 2 && !readDay(title) && isHeading(filled, cells)) {
      open(title);
      if (filled.length === 2) balance(line, true, cells);
      return 'ignored';
    }
    return entry(line, cells);
  };

  return {
    add: (row: TableRow): void => {
      counts.rows += 1;
      counts[outcomeOf(row)] += 1;
    },
    end: (days: LedgerDays | null): Omit<LedgerFile, 'path' | 'sha256' | 'bytes' | 'layout'> => {
      for (const [key, count] of own) earlier.set(key, Math.max(count, earlier.get(key) ?? 0));
      const unended = sectionOf(path.join(':'));
      if (unended && unended.entries > 0)
        problem(
          'ledger-cut-off',
          0,
          unended.account,
          `the file ends within the account "${unended.path}", without its total: export it again`,
        );
      for (const [account, all] of byAccount(sections.values())) {
        if (all.length === 1) continue;
        const paths = all.map((each) => `"${each.path}"`).join(' and ');
        problem(
          'ledger-account',
          0,
          account,
          `${paths} are both called "${account}": name the one that is meant with its whole path`,
        );
      }
      return {
        ...{ ...counts, days, entries, problems, others: taxNames(others) },
        balances: balancesOf(sections.values(), { days, firstDay, hasBalances: header.places.balance >= 0 }),
      };
    },
  };
};

const byAccount = (sections: Iterable<Section>): ReadonlyMap<string, readonly Section[]> =>
  Map.groupBy(sections, ({ account }) => account);

type Beginning = {
  readonly days: LedgerDays | null;
  readonly firstDay: CalendarDate | undefined;
  readonly hasBalances: boolean;
};

/** Opening balances by account. A report with balances omits those that are zero. */
const balancesOf = (
  sections: Iterable<Section>,
  { days, firstDay, hasBalances }: Beginning,
): readonly LedgerBalance[] =>
  [...byAccount(sections)].flatMap(([account, all]) => {
    const known = all.flatMap(({ opening }) => opening ?? []);
    const stated = all.flatMap(({ since }) => since ?? [])[0] ?? days?.first;
    const before = stated ?? firstDay;
    const isNothing = hasBalances && all.some(({ isHeaded }) => isHeaded);
    if (before === undefined || (known.length === 0 && !isNothing)) return [];
    return [{ account, before, isStated: stated !== undefined, amount: sum(known) }];
  });

const NAMES_MAX = 8;

/** Other accounts that look like sales-tax accounts. */
const taxNames = (names: ReadonlySet<string>): readonly string[] =>
  [...names].filter((name) => /tax|payable/i.test(name)).slice(0, NAMES_MAX);

/** A heading row has only the account name, and perhaps a balance. */
const isHeading = (filled: readonly string[], cells: Cells): boolean =>
  filled.length === 1 || (filled.length === 2 && cells('balance') === filled[1]);

/** In a list without headings, the opening balance of an account is a row of its own. */
const isBalanceMemo = (cells: Cells): boolean =>
  cells('account') !== '' && /^(?:beginning|opening) balance$/i.test(cells('memo'));

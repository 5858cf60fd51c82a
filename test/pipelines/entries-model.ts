/**
 * A month's books as a list of entries: a record, what is said of it, and a sign. Nothing of the program is used here: no pages,
 * no database, no calculation but a rate for each place.
 */

/** What the exports say of an order or a refund, amounts in cents. */
export type Said = {
  readonly month: string;
  readonly at: string;
  readonly state: string;
  readonly zip: string;
  readonly isRefund: boolean;
  readonly price: number;
  readonly tax: number;
  /** Per ten thousand of the price. */
  readonly rate: number;
};

type Entry = {
  readonly key: string;
  readonly sign: 1 | -1;
  readonly said: Said;
  /** Where it was filed, and the states of registration by which; neither while it is open. */
  readonly filed?: { readonly label: string; readonly registered: ReadonlySet<string> };
};

/** What was decided of a late record: its entries, the locked month that it came late for, and with what it is filed. */
type Late = {
  readonly key: string;
  readonly source: string;
  readonly into: string;
  readonly entries: readonly Entry[];
};

/** A locked month, or an amended version of one: the records of its own days, and what came late for others. */
type Book = {
  readonly label: string;
  readonly source: string;
  readonly own: readonly Entry[];
  readonly lates: readonly Late[];
};

/** Gross, collected and expected by state, in cents; a state in which nothing is left does not show. */
export type Sums = Readonly<Record<string, readonly [gross: number, collected: number, expected: number]>>;

const MONTHS = ['2026-10', '2026-11', '2026-12', '2027-01', '2027-02'];

export const entriesModel = () => {
  let now: ReadonlyMap<string, Said> = new Map();
  let registered: ReadonlySet<string> = new Set(['CA']);
  let books: readonly Book[] = [];
  let lates: readonly Late[] = [];
  /** What the exports said of a record when it was decided last, and for which month it came late. */
  const decided = new Map<string, { readonly source: string; readonly said: Said | undefined }>();
  /** The amended versions that were begun and are not locked. */
  const begun = new Set<string>();

  const isLocked = (label: string): boolean => books.some((book) => book.label === label);
  const entriesOf = ({ own, lates: late }: Pick<Book, 'own' | 'lates'>): readonly Entry[] => [
    ...own,
    ...late.flatMap(({ entries }) => entries),
  ];
  const filedOf = (key: string): readonly Entry[] =>
    books.flatMap(entriesOf).filter((entry) => entry.key === key);
  /** What stands filed of a record: the last entry with a plus, unless a minus took it back. */
  const standing = (key: string): Entry | undefined => {
    const last = filedOf(key).at(-1);
    return last?.sign === 1 ? last : undefined;
  };

  /** What an open month has of its own: what the exports say of its days that is filed nowhere, and was not decided to be late. */
  const ownOf = (month: string): readonly Entry[] =>
    [...now].flatMap(([key, said]): Entry[] => {
      const isElsewhere =
        filedOf(key).length > 0 || lates.some((late) => late.key === key && late.entries.length > 0);
      return said.month === month && !isElsewhere ? [{ key, sign: 1, said }] : [];
    });
  const openBook = (label: string): Pick<Book, 'own' | 'lates'> => ({
    own: ownOf(label),
    lates: lates.filter(({ into }) => into === label),
  });

  /** The records that came late for a locked month and are not decided. */
  const lateKeys = (source: string): readonly string[] => {
    const candidates = new Set([
      ...[...now].flatMap(([key, said]) => (said.month === source && filedOf(key).length === 0 ? [key] : [])),
      ...books.flatMap((book) => (book.label === source ? book.own.map(({ key }) => key) : [])),
      ...[...lates, ...books.flatMap((book) => book.lates)].flatMap((late) =>
        late.source === source ? [late.key] : [],
      ),
    ]);
    return [...candidates].filter((key) => {
      const known = decided.get(key);
      return textOf(known ? known.said : standing(key)?.said) !== textOf(now.get(key));
    });
  };

  const versionsOf = (source: string): readonly Book[] => books.filter((book) => book.source === source);
  const amendedOf = (source: string): string => `${source}-amended-${versionsOf(source).length}`;

  return {
    say: (said: ReadonlyMap<string, Said>) => {
      now = said;
    },
    register: (states: readonly string[]) => {
      registered = new Set(states);
    },
    locked: (): readonly string[] => books.map(({ label }) => label),
    lateKeys,
    /** Whether an amended version of a month waits for its lock. */
    hasBegun: (source: string): boolean => begun.has(amendedOf(source)),
    amendedOf,
    decide: (source: string, choice: 'carry' | 'amend') => {
      const into =
        choice === 'amend'
          ? amendedOf(source)
          : (MONTHS.find((month) => month > source && !isLocked(month)) ?? 'none');
      for (const key of lateKeys(source)) {
        const stands = standing(key);
        const said = now.get(key);
        const entries: readonly Entry[] = [
          ...(stands ? [{ ...stands, sign: -1 as const }] : []),
          ...(said ? [{ key, sign: 1 as const, said }] : []),
        ];
        lates = [...lates.filter((late) => late.key !== key), { key, source, into, entries }];
        decided.set(key, { source, said });
        if (choice === 'amend' && entries.length > 0) begun.add(into);
      }
    },
    lock: (label: string) => {
      begun.delete(label);
      const filed = (entry: Entry): Entry =>
        entry.filed ? entry : { ...entry, filed: { label, registered } };
      const { own, lates: late } = openBook(label);
      lates = lates.filter(({ into }) => into !== label);
      books = [
        ...books,
        {
          label,
          source: label.slice(0, 7),
          own: own.map(filed),
          lates: late.map((one) => ({ ...one, entries: one.entries.map(filed) })),
        },
      ];
    },
    unlock: (label: string) => {
      const book = books.find((one) => one.label === label);
      if (!book) return;
      books = books.filter((one) => one !== book);
      const opened = book.lates.map((late) => ({
        ...late,
        entries: late.entries.map(({ filed, ...entry }) =>
          entry.sign === 1 || !filed ? entry : { ...entry, filed },
        ),
      }));
      lates = [...lates, ...opened];
      if (label !== book.source) {
        begun.add(label);
        return;
      }
      begun.delete(`${label}-amended-1`);
      lates = lates.filter(({ source }) => source !== label);
      for (const [key, { source }] of decided) if (source === label) decided.delete(key);
    },
    /** Whether books, or decisions of another month, rest on what a lock holds. */
    isBound: (label: string): boolean => {
      const filedLates = books.flatMap((book) => (book.label === label ? [] : book.lates));
      return (
        filedLates.some(({ source }) => source === label) ||
        [...lates, ...filedLates].some(
          ({ source, entries }) =>
            source !== label && entries.some(({ sign, filed }) => sign === -1 && filed?.label === label),
        )
      );
    },
    /** What a month, or an amended version of one, comes to. */
    sums: (label: string): Sums => {
      const version = books.findIndex((book) => book.label === label);
      const source = label.slice(0, 7);
      const held =
        version < 0
          ? [openBook(label)]
          : books.filter(
              (book, index) =>
                book.label === label || (label !== source && book.source === source && index < version),
            );
      return sumsOf(held.flatMap(entriesOf), registered);
    },
  };
};

const textOf = (said: Said | undefined): string => {
  if (!said) return '';
  const { at, zip, price, tax, isRefund } = said;
  return JSON.stringify([at, zip, price, tax, isRefund]);
};

const sumsOf = (entries: readonly Entry[], registered: ReadonlySet<string>): Sums => {
  const sums: Record<string, [number, number, number]> = {};
  for (const { sign, said, filed } of entries) {
    const { state, price, tax, rate, isRefund } = said;
    const factor = isRefund ? -sign : sign;
    const due = (filed?.registered ?? registered).has(state) ? (price * rate) / 10_000 : 0;
    const sum = sums[state] ?? [0, 0, 0];
    sums[state] = [sum[0] + factor * price, sum[1] + factor * tax, sum[2] + factor * due];
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum.some((amount) => amount !== 0)));
};

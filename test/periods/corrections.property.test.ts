import { tmpdir } from 'node:os';
import { expect, inject, test } from 'vitest';
import { keyCollector } from '../../src/evidence/keys.ts';
import { sha256 } from '../../src/kernel/json.ts';
import { amendedLabel, type FilingPeriod, parsePeriod } from '../../src/kernel/period.ts';
import { amendedTogether, correctionOf, countsIn } from '../../src/periods/corrections.ts';
import {
  type Correction,
  type CorrectionEntry,
  foldLocked,
  type LateChoice,
  type LockedEntry,
  type TodaysStatement,
} from '../../src/periods/fold.ts';
import type { LockedPeriod, Locks } from '../../src/periods/folders.ts';
import { mergedKeys } from '../../src/periods/keys.ts';
import { lockedDays } from '../../src/periods/locks.ts';
import type { Statement } from '../../src/read/shapes.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { type Random, seeded } from '../hostile/random.ts';

const REASON = { code: 'not-a-sale', message: '' };

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'].map(
  (label) => parsePeriod(label) as FilingPeriod,
);

/** What a shop says of one order now; withdrawn orders are named and are no sales. */
type Order = {
  id: number;
  day: string;
  state: string;
  cents: number;
  status: 'sale' | 'held' | 'withdrawn';
  file: string;
};

const statementOf = ({ id, day, state, cents, status, file }: Order): Statement => {
  const sale = {
    key: `desk/order/${id}`,
    channel: 'desk',
    kind: 'order',
    id: `${id}`,
    instant: Date.parse(day),
    businessDate: day,
    currency: 'USD',
    amount: cents,
    shipTo: { country: 'US', state },
    outcome: status === 'held' ? 'review' : 'accepted',
    findings: [],
    origin: { file, line: id, record: `${id}` },
  } as unknown as Sale;
  const stated = sha256(`${day} ${state} ${cents}`).slice(0, 16);
  return {
    sale,
    stated,
    identity: { created: sale.instant },
    file,
  };
};

/** A locked folder: the entries of a version of a period. */
type Folder = {
  readonly period: LockedPeriod;
  readonly entries: readonly LockedEntry[];
};

/** A shop over half a year, with what it locked and what was answered. */
const yearOf = (random: Random) => {
  const orders: Order[] = [];
  const folders: Folder[] = [];
  const answers = new Map<string, LateChoice>();
  let files = 0;

  const locks = (): Locks => ({ lines: [], ...lockedDays(folders.map(({ period }) => period)) });
  const inEffect = (): readonly LockedEntry[] => {
    const last = new Set(locks().periods.map(({ name }) => name));
    return folders.filter(({ period }) => last.has(period.name)).flatMap(({ entries }) => entries);
  };

  const dayIn = ({ label }: FilingPeriod): string => `${label}-${`${1 + random.below(28)}`.padStart(2, '0')}`;
  const tell = (month: FilingPeriod): void => {
    files += 1;
    for (let count = 0; count < 6; count += 1)
      orders.push({
        id: 1001 + orders.length,
        day: dayIn(month),
        state: random.pick(['CA', 'NY', 'TX']),
        cents: 100 + random.below(9_000),
        status: 'sale',
        file: `file-${files}`,
      });
  };
  /** Changes an order in a new file, or takes it back to what was said before. */
  const change = (known: readonly FilingPeriod[]): void => {
    const order = random.pick(orders);
    files += 1;
    Object.assign(order, { file: `file-${files}` });
    const kinds = [
      { cents: 100 + random.below(9_000) },
      { state: random.pick(['CA', 'NY', 'TX']) },
      { day: dayIn(random.pick(known)) },
      { status: 'withdrawn' },
      { status: 'held' },
      { status: 'sale' },
    ];
    Object.assign(order, random.pick(kinds));
  };

  /** All corrections, as a close computes them. */
  const corrections = (policy: LateChoice): readonly Correction[] => {
    const locked = foldLocked(inEffect());
    return orders.flatMap((order) => {
      const statement = statementOf(order);
      const { key } = statement.sale;
      const aside = { outcome: 'ignored', origin: statement.sale.origin, reason: REASON } as never;
      const today = {
        key,
        file: order.file,
        ...(order.status === 'withdrawn' ? { aside } : { statement }),
      };
      const answer = ({ key: of }: TodaysStatement, stated: string) => answers.get(`${of} ${stated}`);
      return (
        correctionOf({
          locked: locked.get(key),
          today,
          locks: locks(),
          answer,
          policy,
        }) ?? []
      );
    });
  };
  const answer = (asked: readonly Correction[]): void => {
    for (const { key, stated, choice } of asked)
      if (choice === 'ask' && random.below(10) > 0)
        answers.set(`${key} ${stated}`, random.pick(['next', 'amend', 'leave']));
  };

  const counted = (policy: LateChoice): readonly CorrectionEntry[] =>
    corrections(policy).flatMap(({ choice, entries }) =>
      choice === 'next' || choice === 'amend' ? entries : [],
    );
  /** The entries that a close of a period, or of an amended version of it, has. */
  const close = (period: FilingPeriod, policy: LateChoice): LockedEntry[] => {
    const own = {
      ...period,
      version: 0,
      name: period.label,
      folder: '',
      content: {},
    } as unknown as LockedPeriod;
    const late = counted(policy)
      .filter((entry) => countsIn(entry, locks(), period))
      .map(({ sale, marks, reverses }) => ({
        sale,
        ...marks,
        period: own,
        file: reverses?.file ?? sale.origin.file,
      }));
    const known = new Set(inEffect().map(({ sale, version }) => version?.of ?? sale.key));
    const fresh = orders
      .filter(({ day, status }) => status !== 'withdrawn' && period.first <= day && day <= period.last)
      .map(statementOf)
      .filter(({ sale }) => !known.has(sale.key))
      .map(({ sale, stated, identity, file }) => ({
        sale,
        stated,
        identity,
        period: own,
        file,
      }));
    return [...fresh, ...late];
  };
  const lock = (period: FilingPeriod, version: number, entries: readonly LockedEntry[]): void => {
    const name = version === 0 ? period.label : amendedLabel(period.label, version);
    const own = {
      ...period,
      version,
      name,
      folder: name,
      content: {},
      isOfReturns: false,
    } as unknown as LockedPeriod;
    folders.push({ period: own, entries: entries.map((entry) => ({ ...entry, period: own })) });
  };
  /** The entries of an amended version: those of the version before, and the corrections that go into it. */
  const amended = (label: string, policy: LateChoice): LockedEntry[] => {
    const before = locks().periods.find((period) => period.label === label) as LockedPeriod;
    const frozen = inEffect().filter(({ period }) => period.label === label);
    const version = { ...before, label: amendedLabel(label, before.version + 1) };
    const late = close(version, policy).filter(({ version: of }) => of !== undefined);
    return [...frozen, ...late];
  };
  return {
    orders,
    locks,
    inEffect,
    tell,
    change,
    corrections,
    answer,
    close,
    amended,
    lock,
    counted,
  };
};

/** Adds up what entries come to by state, reversals the other way. */
const sumsOf = (entries: readonly { sale: Sale }[]): Record<string, number> => {
  const sums: Record<string, number> = { CA: 0, NY: 0, TX: 0 };
  for (const { sale } of entries)
    if (sale.outcome !== 'review')
      sums[sale.shipTo.state] =
        (sums[sale.shipTo.state] ?? 0) + (sale.kind === 'order' ? 1 : -1) * sale.amount;
  return sums;
};

/** Lives a random year; after each step, what is locked together with what is open is what one close makes that knew all. */
const live = (seed: number): void => {
  const random = seeded(seed);
  const year = yearOf(random);
  const policy = random.pick(['ask', 'next', 'amend', 'leave'] as const);
  // Where everything is amended, each month by itself is what it would have been.
  const isAmending = policy === 'amend' && random.below(2) === 0;
  for (const [index, month] of MONTHS.slice(0, 5).entries()) {
    const known = MONTHS.slice(0, index + 1);
    year.tell(month);
    for (let changes = random.below(6); index > 0 && changes > 0; changes -= 1) year.change(known);
    if (!isAmending) year.answer(year.corrections(policy));
    const corrections = year.corrections(policy);
    const labels = new Set(
      corrections.flatMap(({ choice, entries }) =>
        choice === 'amend' ? entries.flatMap(({ place }) => ('amends' in place ? [place.amends] : [])) : [],
      ),
    );
    const untouched = year.inEffect().filter(({ period }) => !labels.has(period.label));
    const open = MONTHS.filter(({ first }) => year.locks().holding(first) === undefined);
    const all = [
      ...untouched,
      ...[...labels].flatMap((label) => year.amended(label, policy)),
      ...open.flatMap((period) => year.close(period, policy)),
    ];
    const fold = foldLocked(year.inEffect());
    // Of what is held, waits or is left, the locked version counts.
    const asFiled = new Set([
      ...year.orders.filter(({ status }) => status === 'held').map(({ id }) => `desk/order/${id}`),
      ...corrections.filter(({ choice }) => choice === 'ask' || choice === 'leave').map(({ key }) => key),
    ]);
    const knewAll = [
      ...year.orders
        .filter(({ id, status }) => status === 'sale' && !asFiled.has(`desk/order/${id}`))
        .map(statementOf),
      ...[...asFiled].flatMap((key) => fold.get(key)?.standing ?? []),
    ];
    expect(sumsOf(all), `seed ${seed}, ${month.label}`).toEqual(sumsOf(knewAll));
    expect(keysAgree(year.inEffect())).toBe(true);
    const posted = all.filter(({ sale }) => sale.outcome !== 'review').map(({ sale }) => sale.key);
    expect(new Set(posted).size, `seed ${seed}`).toBe(posted.length);
    if (isAmending && year.orders.every(({ status }) => status !== 'held'))
      for (const { label, first, last } of known) {
        const within = ({ sale }: { sale: Sale }) => first <= sale.businessDate && sale.businessDate <= last;
        const own = all.filter(({ period }) => period.name.startsWith(label));
        expect(sumsOf(own), `seed ${seed}, ${label}`).toEqual(sumsOf(knewAll.filter(within)));
      }
    for (const label of labels)
      if (random.below(3) > 0)
        for (const own of amendedTogether(year.corrections(policy), label)) {
          const { version } = year.locks().periods.find((each) => each.label === own) as LockedPeriod;
          year.lock(parsePeriod(own) as FilingPeriod, version + 1, year.amended(own, policy));
        }
    const next = MONTHS.find(({ first }) => year.locks().holding(first) === undefined);
    if (next && next.first <= month.first && random.below(3) > 0)
      year.lock(next, 0, year.close(next, policy));
  }
};

/** Whether keys alone say of each sale what its entries say. */
const keysAgree = (entries: readonly LockedEntry[]): boolean => {
  const collector = keyCollector(`${tmpdir()}/tieout-keys`);
  entries.forEach(collector.add);
  const keys = mergedKeys([...collector.sorted()]);
  return [...foldLocked(entries)].every(([key, { standing, versions, isHalf }]) => {
    const last = standing.at(-1) ?? versions.at(-1);
    const found = keys.has(key);
    return (
      found?.stated === last?.stated &&
      found?.version === (last?.version?.number ?? 0) &&
      found.standing === standing.length &&
      found.isHalf === isHalf &&
      keys.unsettled.has(keys.nameOf(key)) === (standing.length > 1 || isHalf)
    );
  });
};

test('locked months and the next one together are what one close makes that knew everything', () => {
  const years = Math.round(1_000 * inject('shareOfRuns'));
  for (let seed = 1; seed <= years; seed += 1) live(seed);
});

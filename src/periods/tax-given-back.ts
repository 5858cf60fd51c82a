import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { frequencyOn } from '../close/configuration/registration.ts';
import { rowOf } from '../close/evidence/entry.ts';
import { derivationIn } from '../close/evidence/manifest.ts';
import { entriesOfOrders } from '../close/evidence/read-entries.ts';
import type { FilingFigures } from '../close/figures/filing-figures.ts';
import { coveredBy } from '../close/figures/period-filing.ts';
import { type Remittance, settledBy } from '../close/figures/remittance.ts';
import { beyondDue, type GivenBackBeyond } from '../close/figures/row-parts.ts';
import { filingPeriodOf } from '../close/filing/dates.ts';
import { dueDateRuleFor, formFor } from '../close/filing/filing-law.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { DetailRow } from '../close/reconcile/detail-row.ts';
import { type Finding, finding } from '../close/reconcile/finding.ts';
import { type FoundOrder, orderKeyOf } from '../close/reconcile/refund-link.ts';
import type { Sale } from '../close/sales/sale.ts';
import { nameOfKey, saleKey } from '../close/sales/sale-name.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import {
  absolute,
  add,
  atLeastZero,
  lesser,
  type Money,
  money,
  negate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod, isAmendmentLabel, isWithin } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { statedBalance } from './balances.ts';
import type { PublishedPeriod, PublishedPeriods } from './folders.ts';

type Registration = LoadedConfiguration['registrations'][number];

/** The sales of the period, as far as they decide what its returns pay, and the orders of its refunds. */
export type TakenBack = {
  readonly beyond: readonly GivenBackBeyond[];
  readonly filing: FilingFigures;
  readonly refunded: RefundedBefore;
};

/** A way to pay tax twice, with the finding that says so. */
type PaidTwice = Way & Pick<Finding, 'code'> & { readonly text: (of: Text) => string };

type Text = { readonly amount: Money; readonly state: string; readonly isCorrected: boolean };

const sources = ({ isCorrected }: Text): string => (isCorrected ? 'refunds and late corrections' : 'refunds');

/** More was given back than was due: the tax charged goes down, and the tax due does not. */
const GIVEN_BACK: PaidTwice = {
  code: 'tax-given-back',
  isLess: false,
  paid: ({ adjustment }) => adjustment,
  text: (of) =>
    `${sources(of)} gave back ${shownMoney(of.amount)} that an earlier return of ${of.state} paid beyond the tax due, and this return pays it again`,
};

/** Less was given back than was due, because it had not been charged: the tax due goes down, and the tax charged does not. */
const DUE_NO_MORE: PaidTwice = {
  code: 'tax-due-no-more',
  isLess: true,
  paid: (of) => subtract(settledBy(of).remitted, of.collected),
  text: (of) =>
    `an earlier return of ${of.state} paid ${shownMoney(of.amount)} beyond the tax charged; ${sources(of)} took that difference away since, and this return does not take it off`,
};

/**
 * Returns a finding for each state of which an earlier return paid tax that refunds took back, and this return does not
 * take it off: the return pays the greater of the tax charged and the tax due, and a refund that lowers only one of the
 * two leaves the other, unless a credit is stated for it.
 */
export const taxGivenBack = async (
  published: PublishedPeriods,
  registrations: readonly Registration[],
  period: FilingPeriod,
  { beyond, filing, refunded }: TakenBack,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const registration of registrations) {
    const { state } = registration;
    const own = beyond.filter((each) => each.state === state);
    if (own.length === 0 || !paysTheGreater(registration, period)) continue;
    const [{ expected, collected, gap } = NOTHING_SOLD] = filing.of(state, period, []);
    const notCharged = subtract(add(expected, gap.tax), collected);
    if (notCharged === ZERO) continue;
    const way = notCharged > ZERO ? GIVEN_BACK : DUE_NO_MORE;
    const paid = await paidBefore(published, period, { registration, beyond: own, way, refunded });
    const amount = lesser(absolute(notCharged), paid);
    const isCorrected = own.some(({ correction }) => correction !== undefined);
    if (amount > statedBalance(registration, 'credits', period).added)
      findings.push(findingOf(period, way, { amount, state, isCorrected }));
  }
  return findings;
};

const NOTHING_SOLD = { expected: ZERO, collected: ZERO, gap: { tax: ZERO } };

const findingOf = ({ label }: FilingPeriod, { code, text }: PaidTwice, of: Text): Finding =>
  finding(code, text(of), { record: `${of.state} ${label}`, state: of.state });

/** Whether the return is of exactly this period, and pays the greater of the tax charged and the tax due. */
const paysTheGreater = (registration: Registration, period: FilingPeriod): boolean => {
  const { state, since, basis } = registration;
  const frequency = frequencyOn(registration.frequency, period.last);
  const law = loadFilingLaw();
  const form = { state, kind: 'state', name: '' } as const;
  const rule = basis ?? formFor(law, form, frequency, period.last).basis.rule;
  const { firstMonth } = dueDateRuleFor(law, form, frequency, period.last);
  return (
    since <= period.last &&
    rule === 'greater' &&
    coveredBy(period, { frequency, since }, firstMonth).coverage === 'whole'
  );
};

/** The orders of refunds as the exports or locked periods have them, and their refunds. */
export type RefundedBefore = ReadonlyMap<
  string,
  FoundOrder & { readonly refunds: readonly Pick<Sale, 'id' | 'businessDate' | 'salesTax'>[] }
>;

/** Which tax is looked for: what was given back beyond what was due, or what was given back less. */
export type Way = {
  readonly isLess: boolean;
  /** Returns what a return paid of it: beyond the tax due, or beyond the tax charged. */
  readonly paid: (of: Remittance) => Money;
};

type Asked = {
  readonly registration: LoadedConfiguration['registrations'][number];
  readonly beyond: readonly GivenBackBeyond[];
  readonly way: Way;
  readonly refunded: RefundedBefore;
};

/** Returns such tax as a positive amount, and the other as a negative one. */
const counted = ({ isLess }: Way, tax: Money): Money => (isLess ? negate(tax) : tax);

/** The refunds and corrections of one order, its key, and its day. */
type OfOrder = { readonly key: string; readonly own: readonly GivenBackBeyond[]; readonly day: CalendarDate };

/** Tax that is looked for, and the part of it that was due when its return was made and is not due now. */
type Noted = { readonly day: CalendarDate; readonly tax: Money; readonly asDue: Money };

/**
 * Returns what returns before a period paid of the tax that its refunds and corrections gave back beyond what was due, or
 * less: of each order, no more than earlier books leave of what it was charged too much, or too little; of each return,
 * no more than it paid beyond the tax due, or the tax charged. What was due of an order by its books was paid, whatever
 * is due of it now.
 */
export const paidBefore = async (
  published: PublishedPeriods,
  period: FilingPeriod,
  asked: Asked,
): Promise<Money> => {
  const orders = [...Map.groupBy(asked.beyond, orderOf(asked.beyond))].flatMap(
    ([key, own]): readonly OfOrder[] => {
      const day = asked.refunded.get(key)?.order?.businessDate ?? soldOn(own);
      return day !== undefined && day < period.first ? [{ key, own, day: calendarDate(day) }] : [];
    },
  );
  const books = await booksBetween(published, orders, period);
  const rows = await rowsOf(books, new Set(orders.map(({ key }) => key)));
  const byReturn = new Map<PublishedPeriod | undefined, Noted[]>();
  for (const order of orders) {
    const noted = notedOf(order, rows.get(order.key) ?? [], asked, period);
    const of = books.find((one) => isWithin(one.period, order.day) && returnIn(one, asked));
    byReturn.set(of, [...(byReturn.get(of) ?? []), noted]);
  }
  return sum([...byReturn].map(([of, noted]) => paidOf(of, noted, asked)));
};

/** Returns what tells the key of the order that a refund or a correction is about. The reversal of a refund names none. */
const orderOf = (beyond: readonly GivenBackBeyond[]) => {
  const recordOf = ({ key, correction }: GivenBackBeyond): string => correction?.corrects ?? key;
  const named = new Map(beyond.flatMap((each) => (each.order === '' ? [] : [[recordOf(each), each.order]])));
  return (each: GivenBackBeyond): string => {
    const record = recordOf(each);
    return nameOfKey(record).kind === 'order'
      ? record
      : orderKeyOf({ channel: each.channel, order: named.get(record) ?? '' });
  };
};

const soldOn = (own: readonly GivenBackBeyond[]): CalendarDate | undefined =>
  own.flatMap(({ correction }) => correction?.soldOn ?? [])[0];

/** Returns the books of the orders and those between them and a period, each in the version that counts. */
const booksBetween = async (
  published: PublishedPeriods,
  orders: readonly OfOrder[],
  period: FilingPeriod,
): Promise<readonly PublishedPeriod[]> => {
  const between = published.versions.filter(
    ({ label, last }) =>
      !isAmendmentLabel(label) && last < period.first && orders.some(({ day }) => day <= last),
  );
  return (await Promise.all(between.map(({ label }) => published.last(label)))).flatMap((one) => one ?? []);
};

/** Reads the posted rows of orders and of their refunds, by the keys of the orders. */
const rowsOf = async (books: readonly PublishedPeriod[], orders: ReadonlySet<string>) => {
  const rows = new Map<string, DetailRow>();
  for (const { folder, manifest } of books)
    for await (const entry of entriesOfOrders(folder, derivationIn(manifest.content), orders)) {
      const row = rowOf(entry);
      if (row.isPosted) rows.set(row.key, row);
    }
  return Map.groupBy(rows.values(), ({ kind, key, channel, reference }) =>
    kind === 'order' ? key : orderKeyOf({ channel, order: reference }),
  );
};

const notedOf = (
  { key, own, day }: OfOrder,
  rows: readonly DetailRow[],
  asked: Asked,
  { first }: FilingPeriod,
): Noted => {
  const { way, refunded } = asked;
  const wanted = atLeastZero(counted(way, sum(own.map(({ tax }) => tax))));
  const order = rows.find(({ kind }) => kind === 'order');
  if (order) {
    const refunds = rows.filter(({ kind }) => kind === 'refund');
    const charged = atLeastZero(counted(way, beyondDue(order)));
    const before = sum(refunds.map((row) => atLeastZero(counted(way, negate(beyondDue(row))))));
    const asDue = way.isLess ? ZERO : dueThen(order, own);
    const tax = lesser(wanted, add(atLeastZero(subtract(charged, before)), asDue));
    return { day, tax, asDue: lesser(asDue, tax) };
  }
  // No books say what was due of it: what refunds give back beyond what it was charged was never paid.
  const keys = new Set(own.map((each) => each.key));
  const { order: stated, refunds = [] } = refunded.get(key) ?? {};
  const before = refunds.filter(
    ({ id, businessDate }) =>
      businessDate < first && !keys.has(saleKey(nameOfKey(key).channel, 'refund', id)),
  );
  const left = subtract(stated?.salesTax ?? ZERO, sum(before.map(({ salesTax }) => salesTax)));
  const givenBack = sum(own.map(({ tax, expected }) => subtract(tax, expected)));
  const uncharged = atLeastZero(subtract(givenBack, left));
  return { day, tax: way.isLess ? wanted : atLeastZero(subtract(wanted, uncharged)), asDue: ZERO };
};

/** Returns the part of the tax due of an order by its books that refunds give back, as far as it is not due now. */
const dueThen = ({ gross, expected }: DetailRow, own: readonly GivenBackBeyond[]): Money => {
  const refunds = own.filter(({ correction }) => correction === undefined);
  if (gross <= ZERO || refunds.length === 0) return ZERO;
  const part = Math.min(1, -sum(refunds.map((each) => each.gross)) / gross);
  const due = subtract(money(Math.round(expected * part)), negate(sum(refunds.map((each) => each.expected))));
  return due > ROUNDING ? due : ZERO;
};

/** Cents by which a part of the tax of an order is rounded. */
const ROUNDING = 1;

/** Returns the return of exactly the period of some books. */
const returnIn = (
  { period: { label, last }, leaves }: PublishedPeriod,
  { registration: { state } }: Asked,
): Remittance | undefined =>
  leaves.remittances.find((each) => {
    if (each.state !== state || each.kind !== 'state') return false;
    const { frequency } = each;
    const { firstMonth } = dueDateRuleFor(
      loadFilingLaw(),
      { state, kind: 'state', name: '' },
      frequency,
      last,
    );
    return filingPeriodOf(last, frequency, firstMonth).label === amendedPeriod(label);
  });

const paidOf = (of: PublishedPeriod | undefined, noted: readonly Noted[], asked: Asked): Money => {
  const { registration, way } = asked;
  const [tax, asDue] = [sum(noted.map((each) => each.tax)), sum(noted.map((each) => each.asDue))];
  const registered = noted.filter(({ day }) => registration.since <= day);
  if (!of) return sum(registered.map((each) => each.tax));
  const own = returnIn(of, asked);
  return own ? add(asDue, lesser(subtract(tax, asDue), atLeastZero(way.paid(own)))) : ZERO;
};

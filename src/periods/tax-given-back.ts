import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { frequencyOn } from '../configuration/registration.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import { coveredBy } from '../figures/period-filing.ts';
import { type Remittance, settledBy } from '../figures/remittance.ts';
import type { GivenBackBeyond } from '../figures/row-parts.ts';
import { dueDateRuleFor, formFor } from '../filing/filing-law.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { type FoundOrder, orderKeyOf } from '../judge/refund-link.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  absolute,
  add,
  atLeastZero,
  lesser,
  type Money,
  negate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { type FilingPeriod, isAmendmentLabel, isWithin } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { exactReturn, ofState, statedBalance } from './balances.ts';
import type { PublishedPeriods } from './folders.ts';

type Registration = LoadedConfiguration['registrations'][number];

/** The sales of the period, as far as they decide what its returns pay, and the orders of its refunds. */
export type TakenBack = {
  readonly beyond: readonly GivenBackBeyond[];
  readonly filing: FilingFigures;
  readonly refunded: ReadonlyMap<string, FoundOrder>;
};

/** A way to pay tax twice, with the finding that says so. */
type PaidTwice = Pick<Finding, 'code'> & {
  /** Returns tax of this way as a positive amount, and other tax as a negative one. */
  readonly counted: (tax: Money) => Money;
  /** Returns what a return paid of it: beyond the tax due, or beyond the tax charged. */
  readonly paid: (of: Remittance) => Money;
  readonly text: (of: Text) => string;
};

type Text = { readonly amount: Money; readonly state: string; readonly isCorrected: boolean };

const sources = ({ isCorrected }: Text): string => (isCorrected ? 'refunds and late corrections' : 'refunds');

/** More was given back than was due: the tax charged goes down, and the tax due does not. */
const GIVEN_BACK: PaidTwice = {
  code: 'tax-given-back',
  counted: (tax) => tax,
  paid: ({ adjustment }) => adjustment,
  text: (of) =>
    `${sources(of)} gave back ${shownMoney(of.amount)} that an earlier return of ${of.state} paid beyond the tax due, and this return pays it again`,
};

/** Less was given back than was due, because it had not been charged: the tax due goes down, and the tax charged does not. */
const DUE_NO_MORE: PaidTwice = {
  code: 'tax-due-no-more',
  counted: negate,
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
    const paid = await paidBefore(published, period, { state, beyond: own, refunded }, way);
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
  const form = ofState(state);
  const rule = basis ?? formFor(law, form, frequency, period.last).basis.rule;
  const { firstMonth } = dueDateRuleFor(law, form, frequency, period.last);
  return (
    since <= period.last &&
    rule === 'greater' &&
    coveredBy(period, { frequency, since }, firstMonth).coverage === 'whole'
  );
};

type GivenBack = Pick<TakenBack, 'beyond' | 'refunded'> & { readonly state: string };

/**
 * Returns what returns before a period paid of the tax that its refunds and corrections gave back beyond what was due, or
 * less: of each return, no more than it paid beyond the tax due, or the tax charged. Of days without a published return it
 * is not known what was paid.
 */
const paidBefore = async (
  published: PublishedPeriods,
  { first }: FilingPeriod,
  { state, beyond, refunded }: GivenBack,
  { counted, paid }: PaidTwice,
): Promise<Money> => {
  const byReturn = new Map<Remittance, Money>();
  for (const [key, own] of Map.groupBy(beyond, orderOf(beyond))) {
    const day = refunded.get(key)?.order?.businessDate ?? soldOn(own);
    if (day === undefined || day >= first) continue;
    const filed = await returnOf(published, state, day);
    if (!filed) continue;
    const tax = atLeastZero(counted(sum(own.map((each) => each.tax))));
    byReturn.set(filed, add(byReturn.get(filed) ?? ZERO, tax));
  }
  return sum([...byReturn].map(([filed, tax]) => lesser(tax, atLeastZero(paid(filed)))));
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

/** Returns the state's own return with a day, where it is of exactly a published period, in the version that counts. */
const returnOf = async (
  published: PublishedPeriods,
  state: string,
  day: CalendarDate,
): Promise<Remittance | undefined> => {
  for (const { label, ...days } of published.versions) {
    if (isAmendmentLabel(label) || !isWithin(days, day)) continue;
    const found = await published.last(label);
    const filed = found && exactReturn(found, state);
    if (filed) return filed;
  }
  return undefined;
};

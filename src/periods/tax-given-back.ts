import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { FilingFigures } from '../close/figures/filing-figures.ts';
import type { GivenBackBeyond } from '../close/figures/given-back-beyond.ts';
import { coveredBy } from '../close/figures/period-filing.ts';
import { settledBy } from '../close/figures/remittance.ts';
import { dueDateRuleFor, formFor } from '../close/filing/law/filing-law.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { DraftException } from '../close/reconcile/exceptions.ts';
import { absolute, add, lesser, type Money, subtract, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import type { PublishedPeriods } from './folders.ts';
import { paidBefore, type RefundedBefore, type Way } from './paid-before.ts';
import { statedBalance } from './stated-balances.ts';

type Registration = LoadedConfiguration['registrations'][number];

/** The sales of the period, as far as they decide what its returns pay, and the orders of its refunds. */
export type TakenBack = {
  readonly beyond: readonly GivenBackBeyond[];
  readonly filing: FilingFigures;
  readonly refunded: RefundedBefore;
};

/** A way to pay tax twice, with the finding that says so. */
type PaidTwice = Way & Pick<DraftException, 'code'> & { readonly text: (of: Text) => string };

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
): Promise<readonly DraftException[]> => {
  const findings: DraftException[] = [];
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

const findingOf = ({ label }: FilingPeriod, { code, text }: PaidTwice, of: Text): DraftException => ({
  severity: 'warning',
  code,
  origin: { file: '', line: 0, record: `${of.state} ${label}` },
  message: text(of),
  state: of.state,
  effect: ZERO,
});

/** Whether the return is of exactly this period, and pays the greater of the tax charged and the tax due. */
const paysTheGreater = (registration: Registration, period: FilingPeriod): boolean => {
  const { state, since, frequency, basis } = registration;
  const law = loadFilingLaw();
  const form = { state, kind: 'state', name: '' } as const;
  const rule = basis ?? formFor(law, form, frequency, period.last).basis.rule;
  const { firstMonth } = dueDateRuleFor(law, form, frequency, period.last);
  return (
    since <= period.last &&
    rule === 'greater' &&
    coveredBy(period, registration, firstMonth).coverage === 'whole'
  );
};

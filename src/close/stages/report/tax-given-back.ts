import type { CalendarDate } from '../../../kernel/calendar.ts';
import { absolute, add, lesser, type Money, subtract, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { FilingFigures } from '../../figures/filing-figures.ts';
import type { GivenBackBeyond } from '../../figures/given-back-beyond.ts';
import { coveredBy } from '../../figures/period-filing.ts';
import { settledBy } from '../../figures/remittance.ts';
import { filingPeriodOf } from '../../filing/calendar/filing-period-of.ts';
import { dueDateRuleFor, formFor } from '../../filing/law/filing-law.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { registrationsCounted } from '../../periods/counted-registrations.ts';
import { statedBalance } from '../../periods/stated-balances.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { paidBefore, type Way } from './paid-before.ts';

type Registration = Configuration['registrations'][number];

/** The sales of the period, as far as they decide what its returns pay. */
type Given = { readonly beyond: readonly GivenBackBeyond[]; readonly filing: FilingFigures };

/** A way to pay tax twice, with the finding that says so. */
type PaidTwice = Way & Pick<DraftException, 'code'> & { readonly text: (given: Text) => string };

type Text = { readonly amount: Money; readonly state: string; readonly isCorrected: boolean };

const sources = ({ isCorrected }: Text): string => (isCorrected ? 'refunds and late corrections' : 'refunds');

/** More was given back than was due: the tax charged goes down, and the tax due does not. */
const GIVEN_BACK: PaidTwice = {
  code: 'tax-given-back',
  isLess: false,
  paid: ({ adjustment }) => adjustment,
  text: (given) =>
    `${sources(given)} gave back ${shownMoney(given.amount)} that an earlier return of ${given.state} paid beyond the tax due, and this return pays it again`,
};

/** Less was given back than was due, because it had not been charged: the tax due goes down, and the tax charged does not. */
const DUE_NO_MORE: PaidTwice = {
  code: 'tax-due-no-more',
  isLess: true,
  paid: (of) => subtract(settledBy(of).remitted, of.collected),
  text: (given) =>
    `an earlier return of ${given.state} paid ${shownMoney(given.amount)} beyond the tax charged; ${sources(given)} took that difference away since, and this return does not take it off`,
};

/**
 * Returns a finding for each state of which an earlier return paid tax that refunds took back, and this return does not
 * take it off: the return pays the greater of the tax charged and the tax due, and a refund that lowers only one of the
 * two leaves the other, unless a credit is stated for it.
 */
export const taxGivenBack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { beyond, filing }: Given,
): Promise<readonly DraftException[]> => {
  const found: DraftException[] = [];
  const countedIn = await registrationsCounted(ports.workspace);
  for (const registration of ports.configuration.registrations) {
    const { state } = registration;
    const own = beyond.filter((each) => each.state === state);
    if (own.length === 0 || !paysTheGreater(registration, period)) continue;
    const [{ expected, collected, gap } = NOTHING_SOLD] = filing.of(state, period, []);
    const notCharged = subtract(add(expected, gap.tax), collected);
    if (notCharged === ZERO) continue;
    const way = notCharged > ZERO ? GIVEN_BACK : DUE_NO_MORE;
    const labelOf = async (month: FilingPeriod): Promise<string> => {
      const counted = await countedIn([registration], month);
      const { frequency } = counted.find((each) => each.state === state) ?? registration;
      return filingPeriodOf(month.last, frequency, firstMonthOf(state, frequency, month.last)).label;
    };
    const paid = await paidBefore(ports, period, { state, labelOf, beyond: own, way });
    const amount = lesser(absolute(notCharged), paid);
    const isCorrected = own.some(({ correction }) => correction !== undefined);
    if (amount > statedBalance(registration, 'credits', period).added)
      found.push(findingOf(period, way, { amount, state, isCorrected }));
  }
  return found;
};

const NOTHING_SOLD = { expected: ZERO, collected: ZERO, gap: { tax: ZERO } };

const findingOf = ({ label }: FilingPeriod, { code, text }: PaidTwice, given: Text): DraftException => ({
  severity: 'warning',
  code,
  origin: { file: '', line: 0, record: `${given.state} ${label}` },
  message: text(given),
  state: given.state,
  effect: ZERO,
});

const formKeyOf = (state: string) => ({ state, kind: 'state', name: '' }) as const;

/** Whether the return is of exactly this period, and pays the greater of the tax charged and the tax due. */
const paysTheGreater = (registration: Registration, period: FilingPeriod): boolean => {
  const { state, since, frequency, basis } = registration;
  const law = loadFilingLaw();
  const rule = basis ?? formFor(law, formKeyOf(state), frequency, period.last).basis.rule;
  const { coverage } = coveredBy(period, registration, firstMonthOf(state, frequency, period.last));
  return since <= period.last && rule === 'greater' && coverage === 'whole';
};

const firstMonthOf = (state: string, frequency: Registration['frequency'], on: CalendarDate): number =>
  dueDateRuleFor(loadFilingLaw(), formKeyOf(state), frequency, on).firstMonth;

import type { CalendarDate } from '../../../kernel/calendar.ts';
import { add, atLeastZero, lesser, type Money, subtract, sum, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { FilingFigures } from '../../figures/filing-figures.ts';
import type { GivenBackBeyond } from '../../figures/given-back-beyond.ts';
import { coveredBy } from '../../figures/period-filing.ts';
import { filingPeriodOf } from '../../filing/calendar/filing-period-of.ts';
import { dueDateRuleFor, formFor } from '../../filing/law/filing-law.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { closingOf } from '../../periods/closing.ts';
import { lastVersionOf } from '../../periods/last-version.ts';
import { statedBalance } from '../../periods/stated-balances.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { postingOf, type Sale } from '../../sales/sale.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { calculationCache } from '../recompute/calculation-cache.ts';
import { answersTo, nothingDue } from '../recompute/calculations.ts';
import { type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import { orderKeyOf, refundsBeforeOf } from './refund-links.ts';

type Registration = Configuration['registrations'][number];

/** The sales of the period, as far as they decide what its returns pay. */
type Given = { readonly beyond: readonly GivenBackBeyond[]; readonly filing: FilingFigures };

/**
 * Returns a finding for each state in which refunds gave back tax that an earlier return paid beyond what was due. The
 * return pays the greater of the tax charged and the tax due, so that such tax is paid a second time, unless a credit is
 * stated for it.
 */
export const taxGivenBack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { beyond, filing }: Given,
): Promise<readonly DraftException[]> => {
  const found: DraftException[] = [];
  for (const registration of ports.configuration.registrations) {
    const { state } = registration;
    const own = beyond.filter((each) => each.state === state);
    if (own.length === 0 || !paysTheGreater(registration, period)) continue;
    const [{ expected, collected, gap } = NOTHING_SOLD] = filing.of(state, period, []);
    const paidAgain = atLeastZero(subtract(add(expected, gap.tax), collected));
    const amount = lesser(paidAgain, await paidBefore(ports, period, registration, own));
    if (amount > statedBalance(registration, 'credits', period).added)
      found.push(findingOf(state, period, amount));
  }
  return found;
};

const NOTHING_SOLD = { expected: ZERO, collected: ZERO, gap: { tax: ZERO } };

const findingOf = (state: string, { label }: FilingPeriod, amount: Money): DraftException => ({
  severity: 'warning',
  code: 'tax-given-back',
  origin: { file: '', line: 0, record: `${state} ${label}` },
  message: `refunds gave back ${shownMoney(amount)} that an earlier return of ${state} paid beyond the tax due, and this return pays it again`,
  state,
  effect: ZERO,
});

const formKeyOf = (state: string) => ({ state, kind: 'state', name: '' }) as const;

/** Whether the return is of exactly this period, and pays the greater of the tax charged and the tax due. */
const paysTheGreater = ({ state, since, frequency, basis }: Registration, period: FilingPeriod): boolean => {
  const law = loadFilingLaw();
  const rule = basis ?? formFor(law, formKeyOf(state), frequency, period.last).basis.rule;
  const { coverage } = coveredBy(period, frequency, firstMonthOf(state, frequency, period.last));
  return since <= period.last && rule === 'greater' && coverage === 'whole';
};

const firstMonthOf = (state: string, frequency: Registration['frequency'], on: CalendarDate): number =>
  dueDateRuleFor(loadFilingLaw(), formKeyOf(state), frequency, on).firstMonth;

/**
 * Returns what refunds gave back of tax that returns before this one paid beyond the tax due: of each order, no more than
 * is left of what it was charged too much; of each return, no more than it paid beyond the tax due, where it was closed.
 */
const paidBefore = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { state, frequency }: Registration,
  beyond: readonly GivenBackBeyond[],
): Promise<Money> => {
  const byPeriod = new Map<string, Money>();
  const byOrder = Map.groupBy(beyond, orderKeyOf);
  for (const batch of batchesOf([...byOrder], ORDERS_AT_ONCE)) {
    const sales = await salesByKey(
      ports.workspace,
      batch.map(([key]) => key),
    );
    const orders = batch.flatMap(([key, [refund]]): readonly Sale[] => {
      const order = sales.get(key);
      const isFiledBefore = order && order.businessDate < period.first && postingOf(order) === 'posted';
      return isFiledBefore && refund ? [{ ...order, exemptionType: refund.exemptionType }] : [];
    });
    for (const [{ key, businessDate }, left] of await overchargesLeft(ports, period, orders)) {
      const tax = lesser(left, sum((byOrder.get(key) ?? []).map((refund) => refund.tax)));
      const { label } = filingPeriodOf(businessDate, frequency, firstMonthOf(state, frequency, businessDate));
      byPeriod.set(label, add(byPeriod.get(label) ?? ZERO, tax));
    }
  }
  const amounts: Money[] = [];
  for (const [label, tax] of byPeriod) {
    const version = await lastVersionOf(ports.workspace, { label });
    const closed = (await closingOf(ports.workspace, version))?.report.remittances;
    const paid = closed?.find((each) => each.state === state && each.kind === 'state');
    amounts.push(closed ? lesser(tax, atLeastZero(paid?.adjustment ?? ZERO)) : tax);
  }
  return sum(amounts);
};

const ORDERS_AT_ONCE = 1_000;

/** Returns what each order was charged beyond the tax due, less what refunds before the period gave back of that. */
const overchargesLeft = async (
  ports: ClosePorts,
  period: FilingPeriod,
  orders: readonly Sale[],
): Promise<ReadonlyMap<Sale, Money>> => {
  const owed = orders.filter((order) => nothingDue(ports, order) === undefined);
  const before = await refundsLike(ports, period, owed);
  // A remote service has answered these requests already, and is not asked for more.
  const left = isEmbedded(ports) ? Number.MAX_SAFE_INTEGER : 0;
  const calls = { cache: calculationCache(ports, () => {}), asked: 0, left };
  const answers = await answersTo(ports, [...owed, ...before.values()].flat(), calls);
  const beyondOf = (sale: Sale): Money => {
    const answer = answers.get(sale)?.answer;
    const due = answer && 'amount_to_collect' in answer ? answer.amount_to_collect : sale.salesTax;
    return atLeastZero(subtract(sale.salesTax, due));
  };
  return new Map(
    owed.map((order) => {
      const givenBack = (before.get(order.key) ?? []).map(beyondOf);
      return [order, atLeastZero(subtract(beyondOf(order), sum(givenBack)))];
    }),
  );
};

/** Returns the refunds of orders before the period, with the exemptions of the orders, by their keys. */
const refundsLike = async (
  { workspace }: ClosePorts,
  period: FilingPeriod,
  orders: readonly Sale[],
): Promise<ReadonlyMap<string, readonly Sale[]>> => {
  const exemptions = new Map(orders.map(({ key, exemptionType }) => [key, exemptionType]));
  const refunds = await refundsBeforeOf(workspace, period, [...exemptions.keys()]);
  return new Map(
    [...refunds].map(([key, own]) => [
      key,
      own.map((refund) => ({ ...refund, exemptionType: exemptions.get(key) ?? null })),
    ]),
  );
};

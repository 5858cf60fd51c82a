import { frequencyOn } from '../configuration/fields.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import { coveredBy, isHandedIn, remittanceRule, stateReturnOf } from '../figures/period-filing.ts';
import { ofState } from '../filing/load-filing-law.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import { amountToPay, filedBefore } from '../filing/tax-return.ts';
import { type Finding, finding } from '../judge/finding.ts';
import type { JurisdictionTotals } from '../judge/period-totals.ts';
import type { BeyondDue, FoundOrder } from '../judge/refund-link.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  absolute,
  add,
  atLeastZero,
  formatMoney,
  lesser,
  type Money,
  negate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { type FilingPeriod, isAmendmentLabel, isWithin } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import type { RefundedOrderOf } from '../read/shapes.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { ACCOUNTS, type Registration, statedBalance } from './balances.ts';

/** The sales of the period, as far as they decide what its returns pay, and the orders of its refunds. */
type TakenBack = {
  readonly beyond: readonly BeyondDue[];
  readonly filing: FilingFigures;
  readonly refunded: ReadonlyMap<string, FoundOrder>;
  /** The days of the periods that were closed here: only there, returns of Tieout may have paid it. */
  readonly closed: readonly Days[];
};
type Days = Pick<FilingPeriod, 'first' | 'last'>;

/**
 * Returns a finding for each state in which refunds and corrections of sales of earlier periods gave back more tax than was
 * due, or less, and its return does not take that off: it pays the greater of the tax charged and the tax due, and only one
 * of the two goes down. What earlier returns paid of it, a person finds out; a credit that is stated for it answers the
 * finding.
 */
export const taxGivenBack = (
  registrations: readonly Registration[],
  period: FilingPeriod,
  { beyond, filing, refunded, closed }: TakenBack,
): readonly Finding[] => {
  const orderOf = orderOfRecords(beyond);
  /** By order of an earlier closed period, what was given back of it beyond what was due; negative for less. */
  const taxesIn = (state: string): readonly Money[] =>
    [...Map.groupBy(beyond, orderOf)].flatMap(([order, rows]) => {
      const day = refunded.get(order)?.order?.businessDate ?? rows.find(({ soldOn }) => soldOn)?.soldOn;
      const isEarlier = day !== undefined && day < period.first && closed.some((days) => isWithin(days, day));
      return isEarlier ? sum(rows.flatMap((row) => (row.state === state ? row.tax : []))) : [];
    });
  return registrations.flatMap((registration) => {
    const { state } = registration;
    if (!beyond.some((each) => each.state === state) || !paysTheGreater(registration, period)) return [];
    const [{ expected, collected, gap } = NOTHING_SOLD] = filing.of(state, period, []);
    const notCharged = subtract(add(expected, gap.tax), collected);
    const isMore = notCharged > ZERO;
    const given = sum(taxesIn(state).map((tax) => atLeastZero(isMore ? tax : negate(tax))));
    const amount = lesser(absolute(notCharged), given);
    if (amount <= statedBalance(registration, 'credits', period).added) return [];
    const message = `refunds and corrections of earlier sales gave back ${shownMoney(amount)} ${isMore ? 'more' : 'less'} than the tax due, and this return does not take it off: if an earlier return paid it, too much is paid`;
    return [finding('tax-given-back', message, { record: `${state} ${period.label}`, state })];
  });
};

const NOTHING_SOLD = { expected: ZERO, collected: ZERO, gap: { tax: ZERO } };

/** Returns what tells the key of the order that a refund or a correction is about. The reversal of a refund names none. */
const orderOfRecords = (beyond: readonly BeyondDue[]) => {
  const named = new Map(beyond.flatMap(({ record, order }) => (order === '' ? [] : [[record, order]])));
  return ({ record }: BeyondDue): string =>
    nameOfKey(record).kind === 'order' ? record : (named.get(record) ?? '');
};

/** Whether the return is of exactly this period, and pays the greater of the tax charged and the tax due. */
const paysTheGreater = (registration: Registration, period: FilingPeriod): boolean => {
  const { state, since } = registration;
  const frequency = frequencyOn(registration.frequency, period.last);
  return (
    since <= period.last &&
    remittanceRule(registration, period) === 'greater' &&
    coveredBy(period, ofState(state, frequency), since).coverage === 'whole'
  );
};

/** What the returns of an amended version are filled in from. */
type AmendedReturns = {
  readonly returns: readonly FilingRegistration[];
  readonly filing: Pick<FilingFigures, 'of'>;
  readonly jurisdictions: readonly JurisdictionTotals[];
};

/**
 * Returns a finding for each balance of which an amended return leaves more than the return before it, or leaves something
 * although there is more to pay: the balances that later periods opened with are theirs. None for other periods.
 */
export const creditsLeft = (
  period: FilingPeriod,
  { returns, filing, jurisdictions }: AmendedReturns,
): readonly Finding[] =>
  returns.flatMap((registration): readonly Finding[] => {
    const { state } = registration;
    const [figures] = filing.of(state, period, jurisdictions, registration.filedBefore);
    if (!figures || !isAmendmentLabel(period.label)) return [];
    const made = stateReturnOf(figures, registration);
    const before = isHandedIn(made) ? filedBefore(made.filed) : undefined;
    if (!isHandedIn(made) || !before) return [];
    return ACCOUNTS.flatMap((account) => {
      const { used, closing } = made.filed[account];
      const beyond = subtract(closing, registration[account]?.usedLater ?? ZERO);
      if (beyond <= ZERO && (closing <= ZERO || amountToPay(made.filed) <= ZERO)) return [];
      const message = `the return of ${state} uses ${shownMoney(used)} of its ${account} and leaves ${shownMoney(closing)}, of which the return of ${before.version} left ${shownMoney(subtract(closing, beyond))} to later periods`;
      return [finding('amended-leaves-credit', message, { record: `${state} ${period.label}`, state })];
    });
  });

/**
 * Returns a finding for each corrected order that comes to less now than the refunds of it that are filed: these stay
 * deducted, and the correction deducts the order once more.
 *
 * @param lockedUntil the last day of the last locked period
 */
export const refundsOfLateOrders = (
  late: PeriodSums['late'],
  refunded: ReadonlyMap<string, RefundedOrderOf>,
  lockedUntil: CalendarDate | undefined,
): readonly Finding[] =>
  [...Map.groupBy(late, ({ version }) => version.of)].flatMap(([key, versions]): readonly Finding[] => {
    const { id, channel, kind } = nameOfKey(key);
    const last = Math.max(...versions.map(({ version }) => version.number));
    const now = versions.filter(({ version }) => version.number === last);
    const standing = now.find(({ row, version }) => row.isPosted && !version.isReversal)?.row;
    const filed = (refunded.get(key)?.refunds ?? []).filter(
      ({ businessDate }) => lockedUntil !== undefined && businessDate <= lockedUntil,
    );
    const amount = standing?.gross ?? ZERO;
    const salesTax = standing?.collected ?? ZERO;
    const goods = sum(filed.map((refund) => refund.amount));
    const tax = sum(filed.map((refund) => refund.salesTax));
    const total = add(amount, salesTax);
    const back = add(goods, tax);
    const place = standing ?? now[0]?.row;
    if (kind !== 'order' || !place || (goods <= amount && back <= total)) return [];
    const message = `${id} comes to ${formatMoney(total)} since it was corrected, and ${formatMoney(back)} of it was refunded and filed before`;
    const { file, line, record, state } = place;
    return [
      finding('late-order-refunded', message, {
        origin: { file, line, record },
        state,
        record: id,
        channel,
        severity: goods > amount ? 'error' : 'warning',
        effect: negate(atLeastZero(subtract(tax, salesTax))),
      }),
    ];
  });

import { frequencyOn } from '../configuration/fields.ts';
import { dueDateOf, filingPeriodOf } from '../filing/dates.ts';
import { type JournalEntry, journalOf, journalOfLater } from '../filing/journal.ts';
import { dueDateRuleFor, formFor, loadFilingLaw, ofState, type Wanted } from '../filing/load-filing-law.ts';
import { type MonthFigures, nexusWatchOf } from '../filing/nexus.ts';
import { type FilingRegistration, type RemittanceBasis, registrationFor } from '../filing/registration.ts';
import { returnOf } from '../filing/return-of.ts';
import { returnKey, type StateFigures } from '../filing/state-figures.ts';
import type { RollForward } from '../filing/tax-return.ts';
import { uploadFilesOf } from '../filing/upload-files.ts';
import { isOpen } from '../judge/finding.ts';
import type { ShorterReturn } from '../judge/readiness.ts';
import { type CalendarDate, calendarDate, laterOf } from '../kernel/calendar.ts';
import { add, subtract, sum, ZERO } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod } from '../kernel/period.ts';
import { usRegionName } from '../kernel/us-regions.ts';
import type { FilingFigures } from './filing-figures.ts';
import type { Coverage, PeriodReport, PriorPeriodState } from './period-report.ts';

export type StateReturn = ReturnType<typeof stateReturnOf>;

/** The filing of a period: the returns of each registration, and everything that follows from them. */
export type PeriodFiling = ReturnType<typeof filePeriod>;

/**
 * Fills in a return from its figures.
 *
 * @param isOpen whether open decisions could add to its tax
 */
export const stateReturnOf = (figures: StateFigures, given: FilingRegistration, isOpen = false) => {
  const registration = registrationFor(given, figures);
  const wanted = { ...figures, frequency: registration.frequency };
  const { filing, coverage } = coveredBy(figures.period, wanted, registration.since);
  const dueDate = dueDateOf(wanted, filing);
  return { filed: returnOf(figures, registration, dueDate.due, isOpen), dueDate, coverage };
};

/** Whether a return is filed: not for part of its period, and not if it is not required. */
export const isHandedIn = ({ coverage, filed }: StateReturn): boolean =>
  coverage === 'whole' && filed.instead === undefined;

/**
 * Returns the filing period that a close covers; if it covers several, or parts of several, the first with a return,
 * which ends on the first day of the registration or later.
 */
export const coveredBy = (closed: FilingPeriod, wanted: Wanted, since: string) => {
  const { firstMonth } = dueDateRuleFor(wanted, closed.last);
  const filingOn = (day: CalendarDate) => filingPeriodOf(day, wanted.frequency, firstMonth);
  const filing = filingOn(closed.last);
  const isWhole = closed.first === filing.first && closed.last === filing.last;
  const coverage: Coverage = isWhole ? 'whole' : 'part';
  return closed.first < filing.first
    ? { filing: filingOn(laterOf(closed.first, calendarDate(since))), coverage: 'several' as const }
    : { filing, coverage };
};

/**
 * Returns the states whose returns are of other periods than the closed one, each once. None where another return is of
 * exactly this period: the close is made for that one, and `status` lists the others until their periods are closed.
 */
export const shorterReturns = ({ returns }: Pick<PeriodFiling, 'returns'>): readonly ShorterReturn[] => {
  if (returns.some(isHandedIn)) return [];
  const shorter = returns
    .filter(({ coverage, filed }) => coverage === 'several' && filed.instead === undefined)
    .map(
      ({ filed: { figures }, dueDate: { period } }): ShorterReturn => ({
        state: figures.state,
        period: period.label,
        isLast: period.last >= figures.period.last,
      }),
    );
  return [...new Map(shorter.map((each) => [each.state, each])).values()];
};

/** Returns the rule by which a state's own return pays tax over: that of the registration, or of its form. */
export const remittanceRule = (
  { state, frequency, basis }: PeriodReport['registrations'][number],
  { last }: FilingPeriod,
): RemittanceBasis => basis ?? formFor(ofState(state, frequencyOn(frequency, last)), last).basis.rule;

/** Returns the states whose returns of the period take the tax collected there, and not only the tax due. */
export const statesRemitting = (
  registrations: PeriodReport['registrations'],
  period: FilingPeriod,
): ReadonlySet<string> =>
  new Set(
    registrations
      .filter((each) => each.since <= period.last && remittanceRule(each, period) !== 'expected')
      .map(({ state }) => state),
  );

/** Builds the rows that later periods need of a period: its states with sales and those with a return. */
export const priorPeriodStates = (
  { period, states }: PeriodReport,
  figures: FilingFigures,
  { returns }: PeriodFiling,
): readonly PriorPeriodState[] => {
  const names = new Set([...states.map(({ state }) => state), ...returns.map(stateOf)]);
  return [...names].sort().map((state): PriorPeriodState => {
    const totals = states.find((each) => each.state === state);
    const filed = returns.find((each) => stateOf(each) === state && each.filed.figures.kind === 'state');
    return {
      period: period.label,
      state,
      orders: totals?.orders ?? 0,
      gross: totals?.gross ?? ZERO,
      collected: totals?.collected ?? ZERO,
      expected: totals?.expected ?? ZERO,
      filed: {
        ...figures.counted(state),
        prepaymentsLeft: leftOf(filed, 'prepayments'),
        creditsLeft: leftOf(filed, 'credits'),
      },
    };
  });
};

const stateOf = ({ filed }: StateReturn): string => filed.figures.state;

/** Returns the balance left. A return that is not filed, because it is not required or for part of its period, uses nothing. */
const leftOf = (given: StateReturn | undefined, account: 'prepayments' | 'credits') => {
  if (!given) return ZERO;
  const { opening, added, closing }: RollForward = given.filed[account];
  return isHandedIn(given) ? closing : add(opening, added);
};

const withState = (state: string, entries: readonly JournalEntry[]) =>
  entries.map((entry) => ({ ...entry, state }));

/** Fills in the returns of a period from its totals. */
export const filePeriod = (
  report: PeriodReport,
  registrations: readonly FilingRegistration[],
  figures: FilingFigures,
) => {
  const { period, seller, laterCharges = [] } = report;
  const returns = registrations.flatMap((registration) => {
    const { state, filedBefore } = registration;
    const isOpenIn = report.exceptions.some((each) => [state, ''].includes(each.state) && isOpen(each));
    return figures
      .of(state, period, report.jurisdictions, filedBefore)
      .map((own) => stateReturnOf(own, registration, isOpenIn));
  });
  const whole = returns.filter(isHandedIn);
  return {
    returns,
    uploads: whole.flatMap(({ filed }) => uploadFilesOf(filed, seller)),
    journal: [
      ...whole.flatMap(({ filed }) => withState(returnKey(filed.figures), journalOf(filed))),
      ...laterCharges.flatMap((each) => withState(each.return, journalOfLater(each))),
    ],
    nexus: [...monthsOf(report, figures)]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([state, known]) => {
        const isRegistered = registrations.some((each) => each.state === state);
        return nexusWatchOf(loadFilingLaw().nexus, state, known, period.last.slice(0, 7), isRegistered) ?? [];
      }),
  };
};

/**
 * Returns the figures of the months that were closed here, by state. Taxable is gross less exempt and marketplace
 * sales, because no one has computed it where no tax is collected. A threshold is then met too early rather than too
 * late.
 */
const monthsOf = (
  { trend, months: behind = trend, period }: PeriodReport,
  figures: FilingFigures,
): ReadonlyMap<string, readonly MonthFigures[]> => {
  const rows = behind
    .map((row) => ({ ...row, month: amendedPeriod(row.period) }))
    .filter(({ month, state }) => MONTH.test(month) && usRegionName(state) !== undefined);
  const months = [...new Set(rows.map(({ month }) => month))];
  const states = [...new Set(rows.map(({ state }) => state))];
  const monthOf = (month: string, state: string): MonthFigures => {
    const row = rows.find((each) => each.month === month && each.state === state);
    const counted = month === amendedPeriod(period.label) ? figures.counted(state) : row?.filed;
    const { exempt = ZERO, resale = ZERO, marketplace = ZERO } = counted ?? {};
    const gross = row?.gross ?? ZERO;
    return {
      month,
      gross,
      resale,
      taxable: subtract(gross, sum([exempt, marketplace])),
      marketplace,
      transactions: counted?.transactions ?? row?.orders ?? 0,
      marketplaceTransactions: counted?.marketplaceOrders ?? 0,
    };
  };
  return new Map(states.map((state) => [state, months.map((month) => monthOf(month, state))]));
};

const MONTH = /^\d{4}-\d{2}$/;

import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { frequencyOn } from '../configuration/registration.ts';
import { isPayable } from '../figures/pay-list.ts';
import { companionInput, type PeriodReport, type PriorPeriodState } from '../figures/period-report.ts';
import type { BalanceFile } from '../figures/read-balances.ts';
import { lateIn, returnsDue, settledBy } from '../figures/remittance.ts';
import { type PaidReturn, type PeriodLedger, periodAccounts } from '../figures/roll-forward.ts';
import type {
  FilingRegistration,
  Prepayments,
  SettledReturn,
  StatedOfReturn,
} from '../filing/registration.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { reasonsOf } from '../judge/readiness.ts';
import { addDays } from '../kernel/calendar.ts';
import { add, type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import {
  amendedPeriod,
  type FilingPeriod,
  isAmendmentLabel,
  monthsOf,
  versionBefore,
} from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { filedBeforeOf } from './amended-returns.ts';
import {
  ACCOUNTS,
  type Account,
  balanceUnknown,
  type Completions,
  changedWithin,
  completingIn,
  leaversTo,
  misplacedAmounts,
  statedBalance,
  statedBefore,
  type Taken,
  unknownReturns,
} from './balances.ts';
import { type FilingLine, statedIn } from './filings.ts';
import { closedReportOf, firstOf, type PublishedPeriod, type PublishedPeriods } from './folders.ts';

type Registration = LoadedConfiguration['registrations'][number];

/** The number of earlier periods in the trend: for months, as many as a threshold by the year before is measured by. */
const PERIODS_BEFORE = 23;

/** What the folders of earlier periods leave to the books of a period. */
export type EarlierPeriods = {
  readonly before: PublishedPeriod | undefined;
  readonly trend: readonly PriorPeriodState[];
  readonly months: Pick<PeriodReport, 'months'>;
  /** What the returns take over, by state. */
  readonly takenOver: ReadonlyMap<string, Taken>;
  readonly completions: Completions;
  readonly findings: readonly Finding[];
  /** What `filings.csv` states for the returns of the period. */
  readonly stated: readonly StatedOfReturn[];
  /** The days of the periods that were closed here. */
  readonly closed: PublishedPeriods['versions'];
  /** The registrations that count: an amended version has those that its period was filed with. */
  readonly registrations: Registration[];
  /** In an amended version, how each return was filed before, by state. */
  readonly filedBefore: ReadonlyMap<string, Pick<FilingRegistration, 'filedBefore'>>;
};

/** Reads the manifests of earlier periods, each in the version that counts. */
export const earlierPeriods = async (
  published: PublishedPeriods,
  configuration: Pick<LoadedConfiguration, 'registrations'>,
  period: FilingPeriod,
  filings: readonly FilingLine[],
): Promise<EarlierPeriods> => {
  const isAmended = isAmendmentLabel(period.label);
  const amended = isAmended ? await published.last(amendedPeriod(period.label)) : undefined;
  const registrations = (await amended?.frame())?.configured ?? configuration.registrations;
  const [before] = await versionsBefore(published, period, 1);
  const completions = await completionsOf(published, period, registrations);
  const takenOver = await takenOverBy(published, registrations, period, amended);
  return {
    before,
    trend: (await publishedBefore(published, period)).flatMap(keptOf),
    months: await monthsBehind(published, period),
    takenOver,
    completions,
    findings: [
      ...changedWithin(registrations, period),
      ...misplacedAmounts({ registrations: [...registrations] }, period),
      ...(await unknownBalances(published, registrations, period)),
      ...(await untakenCredits(published, registrations, period)),
      ...unknownReturns(completions, registrations, period),
    ],
    stated: statedIn(filings, period),
    closed: published.versions,
    registrations,
    filedBefore: amended ? await filedBeforeOf(amended, registrations) : new Map(),
  };
};

const allOf = async ({
  versions,
  of,
}: Pick<PublishedPeriods, 'versions' | 'of'>): Promise<readonly PublishedPeriod[]> =>
  (await Promise.all(versions.map(({ label }) => of(label)))).flatMap((one) => one ?? []);

const keptOf = ({ leaves }: PublishedPeriod): readonly PriorPeriodState[] => leaves.kept;

const versionsBefore = async (
  published: PublishedPeriods,
  period: FilingPeriod,
  count: number,
): Promise<readonly (PublishedPeriod | undefined)[]> => {
  const found: (PublishedPeriod | undefined)[] = [];
  for (let at = versionBefore(period); at && found.length < count; at = versionBefore(at))
    found.push(await published.last(at.label));
  return found;
};

const publishedBefore = async (
  published: PublishedPeriods,
  period: FilingPeriod,
): Promise<readonly PublishedPeriod[]> =>
  (await versionsBefore(published, period, PERIODS_BEFORE)).flatMap((one) => one ?? []).reverse();

/** Returns the months up to the end of a period of several months. A month has them in its trend. */
const monthsBehind = async (
  published: PublishedPeriods,
  period: FilingPeriod,
): Promise<Pick<PeriodReport, 'months'>> => {
  const last = monthsOf(period).at(-1);
  if (last === undefined || last.label === amendedPeriod(period.label)) return {};
  const own = await published.last(last.label);
  const months = [...(await publishedBefore(published, last)), ...(own ? [own] : [])];
  return { months: months.flatMap(keptOf) };
};

/** Returns the state's own return of a period; `undefined` if it has none, or if that may still change. */
const returnOf = async (published: PublishedPeriods, label: string, state: string) => {
  const found = await published.last(label);
  if (!found || (!found.isLocked && reasonsOf(found.leaves.readiness, state).length > 0)) return undefined;
  return found.leaves.remittances.find((each) => each.state === state && each.kind === 'state');
};

const completionsOf = async (
  published: PublishedPeriods,
  period: FilingPeriod,
  registrations: readonly Registration[],
): Promise<Completions> => {
  const completions = new Map();
  for (const registration of registrations) {
    const { state } = registration;
    const completing = completingIn(registration, period);
    if (!completing) continue;
    const returns: SettledReturn[] = [];
    const notKnown: string[] = [];
    for (const { label } of completing.shorter) {
      const filed = await returnOf(published, label, state);
      if (filed === undefined) notKnown.push(label);
      else if (filed.isRequired) returns.push({ period: label, ...settledBy(filed) });
    }
    const { form, frequency } = completing.longer;
    completions.set(state, {
      form,
      frequency,
      returns,
      notKnown,
      shorter: frequencyOn(registration.frequency, period.last),
    });
  }
  return completions;
};

/** Returns what the returns of a period take over. Accounts whose opening amount is configured take over nothing. */
const takenOverBy = async (
  published: PublishedPeriods,
  registrations: readonly Registration[],
  period: FilingPeriod,
  amended: PublishedPeriod | undefined,
): Promise<ReadonlyMap<string, Taken>> => {
  const taken = new Map<string, Taken>();
  for (const registration of registrations.filter(({ since }) => since <= period.last)) {
    const { state } = registration;
    const before = await firstOf(published, leaversTo(registration, period));
    // It uses no more than the version before: what that left is for the periods behind.
    const usedLater = amended && leftIn(amended, state);
    const paid = (account: Account): Prepayments => {
      const { opening, added } = statedBalance(registration, account, period);
      return {
        opening: opening ?? (before && leftIn(before, state)?.[account]) ?? ZERO,
        added,
        ...(usedLater && { usedLater: usedLater[account] }),
      };
    };
    taken.set(state, {
      prepayments: paid('prepayments'),
      credits: paid('credits'),
    });
  }
  return taken;
};

const leftIn = ({ leaves }: PublishedPeriod, state: string): Record<Account, Money> | undefined => {
  const row = leaves.kept.find((each) => each.state === state);
  return row && { prepayments: row.filed?.prepaymentsLeft ?? ZERO, credits: row.filed?.creditsLeft ?? ZERO };
};

/**
 * Returns an exception for each state whose accounts open with nothing because none of the periods that could leave them
 * was closed, although the last closed one before them left some, or the configuration has some for an earlier one.
 */
const unknownBalances = async (
  published: PublishedPeriods,
  registrations: readonly Registration[],
  period: FilingPeriod,
): Promise<readonly Finding[]> => {
  const found: Finding[] = [];
  const last = published.versions.findLast((one) => !isAmendmentLabel(one.label) && one.last < period.first);
  const closed = last && (await published.last(last.label));
  for (const registration of registrations) {
    const { state } = registration;
    const from = leaversTo(registration, period);
    const [before] = from;
    if (before === undefined || (await firstOf(published, from))) continue;
    const left = closed && leftIn(closed, state);
    const known = ACCOUNTS.flatMap((account) => {
      if (statedBalance(registration, account, period).opening !== undefined) return [];
      const stated = statedBefore(registration, account, period);
      if (stated && (!left || closed.period.last < stated.days.first))
        return stated.amount > ZERO ? stated.days.label : [];
      return left && left[account] > ZERO ? closed.period.label : [];
    });
    if (known[0] !== undefined) found.push(balanceUnknown(state, before, known[0]));
  }
  return found;
};

/**
 * Returns a finding for each state whose return before this one ended in a credit, if the registration states no credits of
 * this period: whether such a credit is used or refunded is between the seller and the state.
 */
const untakenCredits = async (
  published: PublishedPeriods,
  registrations: readonly Registration[],
  period: FilingPeriod,
): Promise<readonly Finding[]> => {
  const found: Finding[] = [];
  for (const registration of registrations) {
    const { state } = registration;
    if (statedBalance(registration, 'credits', period).isStated) continue;
    const before = await firstOf(published, leaversTo(registration, period));
    const due = before ? returnsDue(await closedReportOf(before)) : [];
    const credits = due.filter(
      ({ key, status, amount }) => key === state && isPayable({ status }) && amount < ZERO,
    );
    if (!before || credits.length === 0) continue;
    const amount: Money = sum(credits.map((each) => negate(each.amount)));
    found.push(
      finding(
        'credit-not-taken',
        `the return of ${state} for ${before.period.label} ended in a credit of ${shownMoney(amount)}, which this return does not use`,
        { record: `US-${state}`, state },
      ),
    );
  }
  return found;
};

/** Returns the seller's balances for a period, with their file among the inputs and its problems. An amended version has none. */
export const ledgerOf = async (
  file: BalanceFile | undefined,
  published: PublishedPeriods,
  period: FilingPeriod,
) => {
  if (!file || isAmendmentLabel(period.label)) return undefined;
  const { path, sha256, bytes, balances, problems } = file;
  const closed = await closedUntil(published, period);
  const last = closed.filter(({ period: own }) => own.last === addDays(period.first, -1));
  const booked = await Promise.all(last.map(({ frame }) => frame()));
  const [before] = booked.flatMap(({ period: { label }, ledger }) =>
    ledger ? [{ label, accounts: ledger.accounts }] : [],
  );
  const found = periodAccounts(file, period, before);
  const returns = last.length > 0 ? paidIn(period, closed) : null;
  const ledger: PeriodLedger = { file: path, accounts: found.accounts, returns };
  const used = balances.length;
  const rejected = problems.length;
  const input = companionInput({ path, sha256, bytes, used, ignored: 0, rejected }, 'ledger');
  return { ledger, input, problems: [...problems, ...found.problems] };
};

/** Returns the periods that begin by the end of this one, without amended versions. */
const closedUntil = async (
  { versions, of }: PublishedPeriods,
  { last }: FilingPeriod,
): Promise<readonly PublishedPeriod[]> => {
  const begun = versions.filter(({ label, first }) => !isAmendmentLabel(label) && first <= last);
  return allOf({ versions: begun, of });
};

/**
 * Returns the returns that were due in a period; they count as paid in it. Of a return of several months it is the one
 * from the close of all of them, if there is one, because a form rounds only once; what completes monthly returns has no
 * tax of its own. Fees on delivered sales are not in sales tax payable, and a return that ends in a credit takes nothing
 * out of it.
 */
const paidIn = ({ first, last }: FilingPeriod, closed: readonly PublishedPeriod[]): readonly PaidReturn[] => {
  const due = closed.flatMap(({ period, leaves }) =>
    leaves.remittances
      .filter(({ dueOn }) => first <= dueOn && dueOn <= last && period.last < dueOn)
      .filter(({ shorter = [] }) => shorter.length === 0)
      .map((remittance) => ({ ...remittance, period })),
  );
  const isPart = ({ key, period }: (typeof due)[number]): boolean =>
    due.some(
      ({ key: other, period: whole }) =>
        other === key && whole !== period && whole.first <= period.first && period.last <= whole.last,
    );
  return due
    .filter((each) => !isPart(each) && each.due >= each.fees)
    .map((each) => {
      const { state, key, period, due: amount, fees, collected } = each;
      const paid = subtract(amount, add(fees, lateIn(each)));
      return { state, key, period: period.label, paid, collected };
    });
};

import { frequencyOn } from '../configuration/fields.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { companionInput, type PeriodReport } from '../figures/period-report.ts';
import { amountIn, filedWith, ownReturns, settledBy } from '../figures/remittance.ts';
import type { BalanceFile } from '../figures/roll-forward.ts';
import { type PaidReturn, type PeriodLedger, periodAccounts } from '../figures/roll-forward.ts';
import type { LaterCharge } from '../filing/journal.ts';
import {
  type Completion,
  type FilingRegistration,
  isSameName,
  type Prepayments,
  type SettledReturn,
} from '../filing/registration.ts';
import { lateOf } from '../filing/tax-return.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { reasonsOf } from '../judge/readiness.ts';
import { addDays } from '../kernel/calendar.ts';
import { add, atLeastZero, type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import {
  amendedPeriod,
  type FilingPeriod,
  isAmendmentLabel,
  monthsOf,
  parsePeriod,
  versionBefore,
} from '../kernel/period.ts';
import { compareText, shownMoney } from '../kernel/text.ts';
import {
  ACCOUNTS,
  type Account,
  changedWithin,
  completingIn,
  leaversTo,
  misplacedAmounts,
  type Registration,
  statedBalance,
  type Taken,
} from './balances.ts';
import { chargesOf, type FilingLine, isCharged, refuseUnknownReturns, statedIn } from './filings.ts';
import { firstOf, type PublishedPeriod, type PublishedPeriods } from './folders.ts';

/** The number of earlier periods in the trend: for months, as many as a threshold by the year before is measured by. */
const PERIODS_BEFORE = 23;

/** What the folders of earlier periods leave to the books of a period. */
export type EarlierPeriods = Awaited<ReturnType<typeof earlierPeriods>>;

/** Reads the manifests of earlier periods, each in the version that counts. */
export const earlierPeriods = async (
  published: PublishedPeriods,
  configuration: Pick<LoadedConfiguration, 'registrations'>,
  period: FilingPeriod,
  filings: readonly FilingLine[],
) => {
  const isAmended = isAmendmentLabel(period.label);
  const amended = isAmended ? await published.last(amendedPeriod(period.label)) : undefined;
  const registrations = (await amended?.frame())?.configured ?? configuration.registrations;
  const last = versionBefore(period);
  const completing = await completionsOf(published, period, registrations);
  const balances = await balancesOf(published, registrations, period, amended);
  return {
    before: last && (await published.last(last.label)),
    trend: (await publishedBefore(published, period)).flatMap(({ leaves }) => leaves.kept),
    months: await monthsBehind(published, period),
    /** What the returns take over, by state. */
    takenOver: balances.takenOver,
    completions: completing.completions,
    findings: [
      ...changedWithin(registrations, period),
      ...misplacedAmounts(registrations, period),
      ...balances.findings,
      ...completing.findings,
    ],
    /** What `filings.csv` states for the returns of the period, and of lateness for locked ones that no book has yet. */
    stated: statedIn(filings, period),
    laterCharges: await chargesAfterLocks(published, filings, period),
    /** The days of the periods that were closed here. */
    closed: published.versions,
    /** The registrations that count: an amended version has those that its period was filed with. */
    registrations,
    /** In an amended version, how each return was filed before, by state. */
    filedBefore: amended ? filedBeforeOf(amended, registrations) : new Map(),
  };
};

/**
 * Returns by state what was filed with the version that an amended version is made of.
 *
 * @param before the version that it is made of
 */
const filedBeforeOf = (
  before: PublishedPeriod,
  registrations: readonly Registration[],
): ReadonlyMap<string, Pick<FilingRegistration, 'filedBefore'>> => {
  const filed = Map.groupBy(ownReturns(before.leaves), ({ state }) => state);
  return new Map(
    registrations.map(({ state }) => {
      const own = filed.get(state) ?? [];
      return [state, { filedBefore: own.map((each) => filedWith(before.period.label, each)) }];
    }),
  );
};

/**
 * Returns what filings state of lateness for returns that were locked without it. It is an entry of the first period behind
 * them that is not locked.
 */
const chargesAfterLocks = async (
  published: PublishedPeriods,
  filings: readonly FilingLine[],
  { label, first, last }: FilingPeriod,
): Promise<readonly LaterCharge[]> => {
  const charged = filings.filter(isCharged);
  const books = charged.length === 0 || isAmendmentLabel(label) ? [] : await allOf(published);
  const open = books.filter(({ isLocked, period }) => !isLocked && !isAmendmentLabel(period.label));
  const locked = books.filter(({ isLocked }) => isLocked);
  return charged.flatMap((line): readonly LaterCharge[] => {
    const own = locked.find((each) => each.period.label === line.period);
    if (!own || own.period.last >= first) return [];
    const isBefore = ({ period }: PublishedPeriod): boolean =>
      period.first < first || (period.first === first && period.last < last);
    if (open.some((each) => own.period.last < each.period.first && isBefore(each))) return [];
    const stated = chargesOf(line);
    refuseUnknownReturns([stated], { ...own.leaves, period: own.period });
    const filed = own.leaves.remittances.find(({ key }) => isSameName(key, line.return));
    const booked = locked
      .flatMap(({ leaves }) => leaves.laterCharges ?? [])
      .filter((each) => each.period === line.period && isSameName(each.return, line.return));
    const amount = sum([
      lateOf(stated),
      lateOf(filed?.filedBefore?.late),
      ...[lateOf(filed?.late), ...booked.map((each) => each.amount)].map(negate),
    ]);
    return amount === ZERO ? [] : [{ return: line.return, period: line.period, amount }];
  });
};

const allOf = async ({
  versions,
  of,
}: Pick<PublishedPeriods, 'versions' | 'of'>): Promise<readonly PublishedPeriod[]> =>
  (await Promise.all(versions.map(({ label }) => of(label)))).flatMap((one) => one ?? []);

const publishedBefore = async (
  published: PublishedPeriods,
  period: FilingPeriod,
): Promise<readonly PublishedPeriod[]> => {
  const found: (PublishedPeriod | undefined)[] = [];
  for (let at = versionBefore(period); at && found.length < PERIODS_BEFORE; at = versionBefore(at))
    found.unshift(await published.last(at.label));
  return found.flatMap((one) => one ?? []);
};

/** Returns the months up to the end of a period of several months. A month has them in its trend. */
const monthsBehind = async (
  published: PublishedPeriods,
  period: FilingPeriod,
): Promise<Pick<PeriodReport, 'months'>> => {
  const last = monthsOf(period).at(-1);
  if (last === undefined || last.label === amendedPeriod(period.label)) return {};
  const own = await published.last(last.label);
  const months = [...(await publishedBefore(published, last)), ...(own ? [own] : [])];
  return { months: months.flatMap(({ leaves }) => leaves.kept) };
};

/** Returns the state's own return of a period; `undefined` if it has none, or if that may still change. */
const returnOf = async (published: PublishedPeriods, label: string, state: string) => {
  const found = await published.last(label);
  if (!found || (!found.isLocked && reasonsOf(found.leaves.readiness, state).length > 0)) return undefined;
  return found.leaves.remittances.find((each) => each.state === state && each.kind === 'state');
};

/** Returns what the returns of a period complete, with a finding where it is not known what the shorter ones settled. */
const completionsOf = async (
  published: PublishedPeriods,
  period: FilingPeriod,
  registrations: readonly Registration[],
) => {
  const completions = new Map<string, Completion>();
  const findings: Finding[] = [];
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
    const shorter = frequencyOn(registration.frequency, period.last);
    completions.set(state, { form, frequency, returns, shorter });
    if (notKnown.length === 0 || statedBalance(registration, 'prepayments', period).isStated) continue;
    const message = `${form} takes off what was paid for ${notKnown.join(', ')}, not closed here or NOT READY, so that its amount is not known`;
    findings.push(finding('paid-before-unknown', message, { record: `US-${state}`, state }));
  }
  return { completions, findings };
};

/**
 * Returns what the returns of a period take over; accounts whose opening amount is configured take over nothing. There is a
 * finding for each state whose accounts open with nothing because no period that could leave them was closed, although
 * the last closed one before left some, or the configuration has some for an earlier one; and for each whose return before
 * ended in a credit, if the registration states no credits of this period: whether such a credit is used or refunded is
 * between the seller and the state.
 */
const balancesOf = async (
  published: PublishedPeriods,
  registrations: readonly Registration[],
  period: FilingPeriod,
  amended: PublishedPeriod | undefined,
) => {
  const takenOver = new Map<string, Taken>();
  const findings: Finding[] = [];
  const last = published.versions.findLast((one) => !isAmendmentLabel(one.label) && one.last < period.first);
  const closed = last && (await published.last(last.label));
  for (const registration of registrations.filter(({ since }) => since <= period.last)) {
    const { state } = registration;
    const leavers = leaversTo(registration, period);
    const before = await firstOf(published, leavers);
    const left = before && leftIn(before, state);
    // It uses no more than the version before: what that left is for the periods behind.
    const usedLater = amended && leftIn(amended, state);
    const paid = (account: Account): Prepayments => {
      const { opening, added } = statedBalance(registration, account, period);
      return {
        opening: opening ?? left?.[account] ?? ZERO,
        added,
        ...(usedLater && { usedLater: usedLater[account] }),
      };
    };
    takenOver.set(state, { prepayments: paid('prepayments'), credits: paid('credits') });
    const about = { record: `US-${state}`, state };
    if (!before && leavers.length > 0 && hadAmounts(registration, period, closed)) {
      const message = `the prepayments and credits of ${state} open with nothing, because ${leavers[0]} was not closed, and earlier periods have some`;
      findings.push(finding('balance-unknown', message, about));
    }
    const credit = before ? creditIn(before, state) : ZERO;
    if (credit > ZERO && !statedBalance(registration, 'credits', period).isStated) {
      const message = `the return of ${state} for ${before?.period.label} ended in a credit of ${shownMoney(credit)}, which this return does not use`;
      findings.push(finding('credit-not-taken', message, about));
    }
  }
  return { takenOver, findings };
};

const leftIn = ({ leaves }: PublishedPeriod, state: string): Record<Account, Money> | undefined => {
  const row = leaves.kept.find((each) => each.state === state);
  return row && { prepayments: row.filed?.prepaymentsLeft ?? ZERO, credits: row.filed?.creditsLeft ?? ZERO };
};

/** Whether an account whose opening is not stated had an amount: in the last closed period, or as it is stated of one since. */
const hadAmounts = (
  registration: Registration,
  period: FilingPeriod,
  closed: PublishedPeriod | undefined,
): boolean => {
  const left = closed && leftIn(closed, registration.state);
  return ACCOUNTS.some((account) => {
    if (statedBalance(registration, account, period).opening !== undefined) return false;
    const [stated] = registration[account]
      .flatMap((row) => parsePeriod(row.period) ?? [])
      .filter(({ last }) => last < period.first && !(left && last <= closed.period.last))
      .filter((days) => {
        const { opening, added } = statedBalance(registration, account, days);
        return opening !== undefined || added > ZERO;
      })
      .sort((one, other) => compareText(other.last, one.last));
    if (!stated) return (left?.[account] ?? ZERO) > ZERO;
    // What is stated later says what is left of all before.
    const { opening = ZERO, added } = statedBalance(registration, account, stated);
    return opening > ZERO || added > ZERO;
  });
};

/** Returns the credit in which the own return of a state ended; nothing is negative. */
const creditIn = ({ leaves }: PublishedPeriod, state: string): Money => {
  const filed = ownReturns(leaves).find(({ key, isUnchanged }) => key === state && !isUnchanged);
  return filed ? atLeastZero(negate(amountIn(filed))) : ZERO;
};

/** Returns the seller's balances for a period, with their file among the inputs and its problems. An amended version has none. */
export const ledgerOf = async (
  file: BalanceFile | undefined,
  published: PublishedPeriods,
  period: FilingPeriod,
) => {
  if (!file || isAmendmentLabel(period.label)) return undefined;
  const { balances, problems } = file;
  const closed = await closedUntil(published, period);
  const last = closed.filter(({ period: own }) => own.last === addDays(period.first, -1));
  const booked = await Promise.all(last.map(({ frame }) => frame()));
  const [before] = booked.flatMap(({ ledger }) => ledger ?? []);
  const found = periodAccounts(file, period, before);
  const returns = last.length > 0 ? paidIn(period, closed) : null;
  const ledger: PeriodLedger = { file: file.path, accounts: found.accounts, returns };
  const rows = {
    used: balances.length,
    ignored: 0,
    rejected: problems.length,
  };
  const input = companionInput({ ...file, ...rows }, 'ledger');
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
      const paid = subtract(amount, add(fees, lateOf(each.late)));
      return { state, key, period: period.label, paid, collected };
    });
};

import { isAmendmentLabel } from '../../../kernel/amended-version.ts';
import { addDays } from '../../../kernel/calendar.ts';
import { subtract } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { periodAccounts } from '../../general-ledger/period-accounts.ts';
import type { PaidReturn, PeriodLedger } from '../../general-ledger/roll-forward.ts';
import { type Closing, closingOf } from '../../periods/closing.ts';
import { closedPeriod, closingHeads } from '../../workspace/closings.ts';
import { storedBalances } from '../../workspace/ledger-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { inputOf } from './companion-input.ts';

/** Returns the seller's balances for a period, with their file among the inputs and its problems. An amended version has none. */
export const ledgerOf = async (workspace: Workspace, period: FilingPeriod) => {
  const file = await storedBalances(workspace);
  if (!file || isAmendmentLabel(period.label)) return undefined;
  const { path, sha256, bytes, balances, problems } = file;
  const closings = await closingsUntil(workspace, period);
  const last = closings.filter(({ period: own }) => own.last === addDays(period.first, -1));
  const [before] = last.flatMap(({ period: { label }, report: { ledger } }) =>
    ledger ? [{ label, accounts: ledger.accounts }] : [],
  );
  const found = periodAccounts(file, period, before);
  const returns = last.length > 0 ? paidIn(period, closings) : null;
  const ledger: PeriodLedger = { file: path, accounts: found.accounts, returns };
  const [used, rejected] = [balances.length, problems.length];
  const input = inputOf({ path, sha256, bytes, used, ignored: 0, rejected }, 'ledger');
  return { ledger, input, problems: [...problems, ...found.problems] };
};

/** Returns the last close of each period that begins by the end of this one, without amended versions. */
const closingsUntil = async (workspace: Workspace, { last }: FilingPeriod): Promise<readonly Closing[]> => {
  const periods = (await closingHeads(workspace)).map(closedPeriod);
  const begun = periods.filter(({ label, first }) => !isAmendmentLabel(label) && first <= last);
  const closings = begun.map(({ label }) => closingOf(workspace, label));
  return (await Promise.all(closings)).flatMap((closing) => closing ?? []);
};

/**
 * Returns the returns that were due in a period; they count as paid in it. Of a return of several months it is the one
 * from the close of all of them, if there is one, because a form rounds only once; what completes monthly returns has no
 * tax of its own. Fees on delivered sales are not in sales tax payable, and a return that ends in a credit takes nothing
 * out of it.
 */
const paidIn = ({ first, last }: FilingPeriod, closings: readonly Closing[]): readonly PaidReturn[] => {
  const due = closings.flatMap(({ period, report: { remittances } }) =>
    remittances
      .filter(({ payBy }) => first <= payBy && payBy <= last && period.last < payBy)
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
    .map(({ state, key, period: { label: period }, due: amount, fees, collected }) => {
      return { state, key, period, paid: subtract(amount, fees), collected };
    });
};

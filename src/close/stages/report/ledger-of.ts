import { isAmendmentLabel, versionBefore } from '../../../kernel/amended-version.ts';
import { add, type Money, negate, subtract } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { InputFile, PeriodReport } from '../../figures/period-report.ts';
import {
  type GeneralLedger,
  generalLedger,
  type LedgerBefore,
  ledgerProblems,
} from '../../general-ledger/general-ledger.ts';
import type { LedgerFile, LedgerProblem } from '../../general-ledger/ledger-file.ts';
import { adjustmentsOf, type OpenReturn } from '../../general-ledger/open-items.ts';
import { closingOf } from '../../periods/closing.ts';
import { ledgerFilesOf } from '../../workspace/ledger-files.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** The seller's ledger for a period, its files among the inputs, and the problems in them. */
export type PeriodLedger = {
  readonly ledger: GeneralLedger;
  readonly inputs: readonly InputFile[];
  readonly problems: readonly LedgerProblem[];
};

/**
 * Returns the ledger of a period; `undefined` when none is configured, or for an amended version, because its period
 * was already rolled forward.
 */
export const ledgerOf = async (
  { configuration, workspace }: ClosePorts,
  period: FilingPeriod,
): Promise<PeriodLedger | undefined> => {
  const accounts = configuration.books?.accounts;
  if (accounts === undefined || isAmendmentLabel(period.label)) return undefined;
  const files = await ledgerFilesOf(workspace);
  // The version of the period before that was rolled forward, which an amended version is not.
  const before = versionBefore(period);
  const closing = before && (await closingOf(workspace, before.label));
  return {
    ledger: generalLedger(accounts, files, period, closing ? leftBy(closing.report) : null),
    inputs: files.map(inputOf),
    problems: ledgerProblems(accounts, files, period),
  };
};

/** Returns what a closed period leaves to the next, including its own returns; `null` if it was not rolled forward. */
const leftBy = ({ period, rollForward, remittances }: PeriodReport): LedgerBefore | null => {
  if (!rollForward) return null;
  const { groups, items, returns } = rollForward;
  const own = remittances.map(
    ({ state, key, payBy, due, fees, discount, collected, ...steps }): OpenReturn => ({
      ...{ state, key, due: payBy, periods: [period.label], collected },
      ...{ payable: subtract(due, fees), discount: negate(discount), fees },
      adjustments: adjustmentsOf((line) => steps[line]),
    }),
  );
  return {
    period: period.label,
    balances: groups.map(({ group, tieout, ledger }) => ({
      ...{ group, tieout: tieout.closing, ledger: ledger.closing },
    })),
    items,
    returns: [...returns, ...own.filter(isAnything)].reduce(joined, []),
  };
};

/** Whether a return has anything that a ledger would book. */
const isAnything = ({ payable, collected }: OpenReturn): boolean => payable !== 0 || collected !== 0;

/** Combines returns that have the same key and are due on the same day: they are the months of one return. */
const joined = (returns: readonly OpenReturn[], own: OpenReturn): readonly OpenReturn[] => {
  const known = returns.find(({ key, due }) => key === own.key && due === own.due);
  if (!known) return [...returns, own];
  const sumOf = (part: 'collected' | 'payable' | 'discount' | 'fees'): Money => add(known[part], own[part]);
  const whole: OpenReturn = {
    ...{ state: own.state, key: own.key, due: own.due, periods: [...known.periods, ...own.periods] },
    ...{ collected: sumOf('collected'), payable: sumOf('payable') },
    ...{ discount: sumOf('discount'), fees: sumOf('fees') },
    adjustments: adjustmentsOf((line) => add(known.adjustments[line], own.adjustments[line])),
  };
  return returns.map((each) => (each === known ? whole : each));
};

const inputOf = ({ path, sha256, bytes, layout, rows, used, ignored, rejected }: LedgerFile): InputFile => ({
  ...{ path, sha256, bytes, rows, used, ignored, rejected },
  channel: 'books',
  profile: layout,
  records: { accepted: used, warning: 0, review: 0, ignored, rejected },
  columns: [],
  notices: [],
});

import { isAmendmentLabel, versionBefore } from '../../../kernel/amended-version.ts';
import { utcDateOf } from '../../../kernel/calendar.ts';
import { add, negate, subtract } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { ClosedReport, InputFile } from '../../figures/period-report.ts';
import {
  type GeneralLedger,
  generalLedger,
  type LedgerBefore,
  ledgerProblems,
} from '../../general-ledger/general-ledger.ts';
import type { LedgerFile, LedgerProblem } from '../../general-ledger/ledger-file.ts';
import { type AmendedVersion, adjustmentsOf, type OpenReturn } from '../../general-ledger/open-items.ts';
import { closingOf } from '../../periods/closing.ts';
import { amendedVersion } from '../../periods/last-version.ts';
import { ledgerFilesOf } from '../../workspace/ledger-files.ts';
import { type Lock, locksOf } from '../../workspace/locks.ts';
import { eventsOf } from '../../workspace/period-events.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { asWholeReturns, returnsOf } from './open-returns.ts';

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
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<PeriodLedger | undefined> => {
  const { configuration, workspace } = ports;
  const accounts = configuration.books?.accounts;
  if (accounts === undefined || isAmendmentLabel(period.label)) return undefined;
  const files = await ledgerFilesOf(workspace);
  // The version of the period before that was rolled forward, which an amended version is not.
  const before = versionBefore(period);
  const closing = before && (await closingOf(workspace, before.label));
  const left = closing ? leftBy(closing.report) : null;
  const versions = await amendedVersions(workspace, period);
  const amendedBefore = closing?.report.rollForward?.amended ?? (await filedBy(workspace, period, versions));
  const fresh = versions.filter(({ label }) => !amendedBefore.includes(label));
  const known = left && (await withAmended(workspace, fresh, left));
  const opened = known && { ...known, returns: await asWholeReturns(ports, period, known.returns) };
  return {
    ledger: generalLedger(accounts, files, period, opened, amendedBefore),
    inputs: files.map(inputOf),
    problems: ledgerProblems(accounts, files, period),
  };
};

/** Returns what a closed period leaves to the next, including its own returns; `null` if it was not rolled forward. */
const leftBy = ({ period, rollForward, remittances }: ClosedReport): LedgerBefore | null => {
  if (!rollForward) return null;
  const { groups, items, returns } = rollForward;
  const own = returnsOf({ period, remittances });
  return {
    period: period.label,
    balances: groups.map(({ group, tieout, ledger }) => ({
      ...{ group, tieout: tieout.closing, ledger: ledger.closing },
    })),
    items,
    returns: own.filter(isAnything).reduce(joined, returns),
    amended: [],
  };
};

/**
 * Returns the labels of the versions that were locked by the end of a period. The first period that is rolled forward has
 * them in its balances, as the ledger has.
 */
const filedBy = async (
  workspace: Workspace,
  { last }: FilingPeriod,
  versions: readonly Lock[],
): Promise<readonly string[]> => {
  const locked = (await eventsOf(workspace)).filter(
    ({ what, at }) => what === 'locked' && utcDateOf(at) <= last,
  );
  const labels = new Set(locked.map(({ period }) => period));
  return versions.map(({ label }) => label).filter((label) => labels.has(label));
};

/** Returns the locked amended versions of earlier periods. */
const amendedVersions = async (workspace: Workspace, period: FilingPeriod): Promise<readonly Lock[]> =>
  (await locksOf(workspace)).filter(
    ({ version, state, last }) => version > 0 && state === 'locked' && last < period.first,
  );

/**
 * Adds the amended versions that were filed since: what each collected beyond the version before it,
 * and returns that ask for the difference.
 */
const withAmended = async (
  workspace: Workspace,
  fresh: readonly Lock[],
  left: LedgerBefore,
): Promise<LedgerBefore> => {
  const amended: AmendedVersion[] = [];
  const returns = [...left.returns];
  for (const { label, last } of fresh) {
    const earlier = await amendedVersion(workspace, { label });
    const [now, before] = [
      await closingOf(workspace, label),
      earlier && (await closingOf(workspace, earlier)),
    ];
    if (!now || !before) continue;
    const collected = [
      ...now.report.states.map(({ state, collected: amount }) => ({ state, amount })),
      ...before.report.states.map(({ state, collected: amount }) => ({ state, amount: negate(amount) })),
    ];
    amended.push({ label, last, collected });
    const known = returnsOf(before.report);
    const differences = returnsOf(now.report).map((own) =>
      added(
        own,
        known.find(({ key }) => key === own.key),
        subtract,
      ),
    );
    returns.push(...differences.filter(isAnything));
  }
  return { ...left, amended, returns };
};

/** Whether a return has anything that a ledger would book. */
const isAnything = ({ payable, collected }: OpenReturn): boolean => payable !== 0 || collected !== 0;

/** Combines returns that have the same key and are due on the same day: they are the months of one return. */
const joined = (returns: readonly OpenReturn[], own: OpenReturn): readonly OpenReturn[] => {
  const known = returns.find(({ key, due }) => key === own.key && due === own.due);
  if (!known) return [...returns, own];
  const periods = [...known.periods, ...own.periods];
  return returns.map((each) => (each === known ? { ...added(known, own, add), periods } : each));
};

/** Adds the amounts of another return, or subtracts them; without another one, the return is as it was. */
const added = (own: OpenReturn, other: OpenReturn | undefined, by: typeof add): OpenReturn =>
  other === undefined
    ? own
    : {
        ...own,
        ...{ collected: by(own.collected, other.collected), payable: by(own.payable, other.payable) },
        ...{ discount: by(own.discount, other.discount), fees: by(own.fees, other.fees) },
        adjustments: adjustmentsOf((line) => by(own.adjustments[line], other.adjustments[line])),
      };

const inputOf = ({ path, sha256, bytes, layout, rows, used, ignored, rejected }: LedgerFile): InputFile => ({
  ...{ path, sha256, bytes, rows, used, ignored, rejected },
  channel: 'books',
  profile: layout,
  records: { accepted: used, warning: 0, review: 0, ignored, rejected },
  columns: [],
  notices: [],
});

import { amendedPeriod, isAmendmentLabel, parseVersion } from '../../../kernel/amended-version.ts';
import { negate, subtract } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { ownReturns } from '../../figures/returns-due.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { adjustmentsOf, type OpenReturn } from '../../general-ledger/open-items.ts';
import { closingOf } from '../../periods/closing.ts';
import { takenOverIn } from '../../periods/taken-over.ts';
import { closedPeriod, closingHeads } from '../../workspace/closings.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the returns of a closed period as its ledger would settle them. */
export const returnsOf = ({
  period,
  remittances,
}: Pick<PeriodReport, 'period' | 'remittances'>): readonly OpenReturn[] =>
  remittances.map(({ state, key, payBy, due, fees, discount, collected, ...steps }) => ({
    ...{ state, key, due: payBy, periods: [period.label], collected },
    ...{ payable: subtract(due, fees), discount: negate(discount), fees },
    adjustments: adjustmentsOf((line) => steps[line]),
  }));

/**
 * Returns open returns, each with the amounts of the close of exactly its period, where that was made before the period
 * that is rolled forward. A form rounds, and limits its discount, for all months of a return together, so that the
 * sum of what the months add to it is not what is paid.
 */
export const asWholeReturns = async (
  { workspace, configuration }: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
  open: readonly OpenReturn[],
): Promise<readonly OpenReturn[]> => {
  let returns = open;
  for (const whole of (await closingHeads(workspace)).map(closedPeriod)) {
    const { label } = whole;
    if (isAmendmentLabel(label) || whole.last >= period.first) continue;
    const isPart = (part: string): boolean => isWithin(part, whole);
    if (!returns.some(({ periods }) => periods.some(isPart))) continue;
    const closing = await closingOf(workspace, label);
    if (!closing) continue;
    const { report, parts } = closing;
    const amended = takenOverIn(parts)?.versions ?? [];
    const has = (part: string): boolean =>
      isPart(part) && (!isAmendmentLabel(part) || amended.includes(part));
    // What completes the returns of shorter periods is paid beside them.
    const remittances = ownReturns(loadFilingLaw(), report, configuration.registrations).filter(
      ({ shorter = [] }) => shorter.length === 0,
    );
    for (const own of returnsOf({ period: report.period, remittances })) returns = inPlace(returns, own, has);
  }
  return returns;
};

/** Whether a version is of a part of a longer period. */
const isWithin = (version: string, { label, first, last }: FilingPeriod): boolean => {
  const part = parseVersion(version);
  return part !== undefined && amendedPeriod(version) !== label && first <= part.first && part.last <= last;
};

/** Puts a return in the place of its parts. Amended versions alone are paid beyond it. */
const inPlace = (
  returns: readonly OpenReturn[],
  whole: OpenReturn,
  has: (period: string) => boolean,
): readonly OpenReturn[] => {
  const parts = returns.filter(
    ({ key, due, periods }) => key === whole.key && due === whole.due && periods.every(has),
  );
  const periods = parts.flatMap((part) => part.periods);
  if (periods.every(isAmendmentLabel)) return returns;
  const [first] = parts;
  return returns.flatMap((each) => {
    if (each === first) return { ...whole, periods };
    return parts.includes(each) ? [] : each;
  });
};

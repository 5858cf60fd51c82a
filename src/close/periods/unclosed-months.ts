import { addDays } from '../../kernel/calendar.ts';
import { type FilingPeriod, monthsOf } from '../../kernel/period.ts';
import { closingHeads } from '../workspace/closings.ts';
import { hasSales } from '../workspace/sale-index.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Returns the months with sales, between the first closed period and this one, of which no day was ever closed. Such a
 * month is usually a run that failed without anyone noticing. Sales before the first close are history.
 */
export const unclosedMonths = async (
  workspace: Workspace,
  { first, label }: FilingPeriod,
): Promise<readonly string[]> => {
  const closings = (await closingHeads(workspace)).filter(({ last }) => last < first);
  const [earliest] = closings;
  if (!earliest) return [];
  const between = { label, first: earliest.first, last: addDays(first, -1) } as FilingPeriod;
  const unclosed: string[] = [];
  for (const month of monthsOf(between)) {
    if (closings.some((closed) => closed.first <= month.last && month.first <= closed.last)) continue;
    if (await hasSales(workspace, month)) unclosed.push(month.label);
  }
  return unclosed;
};

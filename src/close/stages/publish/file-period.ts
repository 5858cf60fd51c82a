import { subtract, sum, ZERO } from '../../../kernel/money.ts';
import { usRegionName } from '../../../kernel/us-regions.ts';
import type { MonthFigures } from '../../filing/nexus/months.ts';
import type { FilingFigures } from '../../report/filing-figures.ts';
import { filingOf, type PeriodFiling } from '../../report/period-filing.ts';
import { type PeriodReport, statesBefore } from '../../report/period-report.ts';
import type { ClosePorts } from '../close-ports.ts';
import { filingRegistrations, type LeftOver } from './filing-registrations.ts';

/** Fill in the returns of a period from its totals, by the law that comes with the program. */
export const filePeriod = async (
  { configuration }: ClosePorts,
  report: PeriodReport,
  figures: FilingFigures,
): Promise<PeriodFiling> => {
  const { loadFilingLaw } = await import('../../filing-law/load-filing-law.ts');
  const { period, seller } = report;
  return filingOf(loadFilingLaw(), {
    seller,
    period,
    states: filingRegistrations(configuration.registrations, period, leftBefore(report)).map(
      (registration) => ({
        registration,
        figures: figures.of(
          registration.state,
          period,
          report.states.find(({ state }) => state === registration.state),
          report.jurisdictions,
        ),
      }),
    ),
    months: monthsOf(report, figures),
  });
};

/** What the period before left over, by state. */
const leftBefore = (report: PeriodReport): ReadonlyMap<string, LeftOver> =>
  new Map(statesBefore(report).flatMap(({ state, filed }) => (filed ? [[state, filed] as const] : [])));

/**
 * The months that were closed here, by state. Where nothing is collected nobody has computed what is taxable: all counts
 * that no buyer is exempt of and no marketplace taxes. A threshold is rather met too early than too late.
 */
const monthsOf = (
  { trend, period }: PeriodReport,
  figures: FilingFigures,
): ReadonlyMap<string, readonly MonthFigures[]> => {
  const rows = trend.filter((row) => MONTH.test(row.period) && usRegionName(row.state) !== undefined);
  const months = [...new Set(rows.map((row) => row.period))];
  const states = [...new Set(rows.map(({ state }) => state))];
  const monthOf = (month: string, state: string): MonthFigures => {
    const row = rows.find((each) => each.period === month && each.state === state);
    const counted = month === period.label ? figures.counted(state) : row?.filed;
    const { exempt = ZERO, resale = ZERO, marketplace = ZERO, marketplaceOrders = 0 } = counted ?? {};
    const gross = row?.gross ?? ZERO;
    return {
      month,
      gross,
      resale,
      taxable: subtract(gross, sum([exempt, marketplace])),
      marketplace,
      transactions: row?.orders ?? 0,
      marketplaceTransactions: marketplaceOrders,
    };
  };
  return new Map(states.map((state) => [state, months.map((month) => monthOf(month, state))]));
};

const MONTH = /^\d{4}-\d{2}$/;

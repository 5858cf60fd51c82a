import { subtract, sum, ZERO } from '../../kernel/money.ts';
import { usRegionName } from '../../kernel/us-regions.ts';
import type { FilingLaw } from '../filing/law/filing-law.ts';
import type { MonthFigures } from '../filing/nexus/months.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { FilingFigures } from './filing-figures.ts';
import { filingOf, type PeriodFiling } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';

/** Fill in the returns of a period from its totals. */
export const filePeriod = (
  law: FilingLaw,
  report: PeriodReport,
  registrations: readonly FilingRegistration[],
  figures: FilingFigures,
): PeriodFiling => {
  const { period, seller } = report;
  return filingOf(law, {
    seller,
    period,
    states: registrations.map((registration) => ({
      registration,
      figures: figures.of(
        registration.state,
        period,
        report.states.find(({ state }) => state === registration.state),
        report.jurisdictions,
      ),
    })),
    months: monthsOf(report, figures),
  });
};

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

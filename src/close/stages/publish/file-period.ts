import { subtract, sum, ZERO } from '../../../kernel/money.ts';
import { usRegionName } from '../../../kernel/us-regions.ts';
import type { MonthFigures } from '../../filing/nexus/months.ts';
import type { FilingFigures } from '../../report/filing-figures.ts';
import { filingOf, type PeriodFiling } from '../../report/period-filing.ts';
import type { PeriodReport } from '../../report/period-report.ts';
import type { ClosePorts } from '../close-ports.ts';
import { filingRegistrations } from './filing-registrations.ts';

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
    states: filingRegistrations(configuration.registrations, period).map((registration) => ({
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
 * The months that were closed here, by state. Of earlier ones only gross sales are kept, so resale and marketplace sales
 * count in them everywhere; and where nothing is collected nobody has computed what is taxable. A threshold is rather
 * met too early than too late.
 */
const monthsOf = (
  { trend, period }: PeriodReport,
  figures: FilingFigures,
): ReadonlyMap<string, readonly MonthFigures[]> => {
  const byState = new Map<string, MonthFigures[]>();
  for (const row of trend) {
    if (!/^\d{4}-\d{2}$/.test(row.period) || usRegionName(row.state) === undefined) continue;
    const { exempt, marketplace } = figures.of(row.state, period, undefined, []);
    const isNow = row.period === period.label;
    const resale = isNow ? exempt.filter(({ type }) => type === 'wholesale') : [];
    const others = isNow ? [...exempt.map(({ amount }) => amount), marketplace] : [];
    const months = byState.get(row.state) ?? [];
    byState.set(row.state, months);
    months.push({
      month: row.period,
      gross: row.gross,
      resale: sum(resale.map(({ amount }) => amount)),
      taxable: subtract(row.gross, sum(others)),
      marketplace: isNow ? marketplace : ZERO,
      transactions: row.orders,
      marketplaceTransactions: 0,
    });
  }
  return byState;
};

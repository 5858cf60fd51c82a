import type { Money } from '../../kernel/money.ts';
import { type ComparedTotal, channelRecord } from '../reconcile/expected-totals.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { type Criteria, quoted, type References } from '../workbook/references.ts';
import type { PeriodReport } from './period-report.ts';

/** The figures that the shops themselves give, each beside the same figure of Detail. */
export const expectedChecks = (report: PeriodReport): readonly Check[] =>
  report.comparedTotals.map((total, index) => ({
    id: `X${String(index + 1).padStart(2, '0')}`,
    link: { sheet: 'Detail' },
    ...comparison(report, total),
  }));

const FIGURES = {
  orders: 'orders',
  refunds: 'refunds',
  gross: 'gross sales less refunds',
  tax: 'tax less what was given back',
} as const;

const comparison = (report: PeriodReport, total: ComparedTotal) => {
  const { channel, figure, stated, found } = total;
  const test = `The exports of ${channel} come to the ${FIGURES[figure]} that its shop shows.`;
  const rows = ofPeriod(report, total);
  const tolerance = toleranceOf(report, total);
  if (figure === 'orders' || figure === 'refunds') {
    const kind = quoted(figure === 'orders' ? 'order' : 'refund');
    const right = formula((at: References) => at.countIfs('Detail', { ...rows, Kind: kind }), found);
    return { test, format: 'count', left: stated, right, tolerance } as const;
  }
  const title = figure === 'gross' ? 'Gross' : 'Collected';
  const inDollars = { ...rows, Status: quoted('<>not USD') };
  const right = formula((at: References) => at.sumIfs('Detail', title, inDollars), found as Money);
  return { test, format: 'money', left: stated as Money, right, tolerance } as const;
};

/** Rows of the channel on days of the period: what is late from an earlier one is no sale of it. */
const ofPeriod = ({ period }: PeriodReport, { channel }: ComparedTotal): Criteria => {
  const [year, month, day] = period.first.split('-').map(Number);
  return { Channel: quoted(channel), 'Business date': `">="&DATE(${year},${month},${day})` };
};

/** A difference that a person lets stand passes. */
const toleranceOf = ({ exceptions, period }: PeriodReport, total: ComparedTotal): number => {
  const record = channelRecord(total.channel, period);
  const exception = exceptions.find(
    ({ code, origin }) => code === `expected-${total.figure}` && origin.record === record,
  );
  return exception && exception.accepted !== '' ? Math.abs(total.stated - total.found) : 0;
};

import { type Money, sum } from '../../kernel/money.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { type ComparedTotal, channelRecord } from '../reconcile/expected-totals.ts';
import type { JurisdictionTotals, StateTotals } from '../reconcile/period-totals.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { type Criteria, quoted, type References } from '../workbook/references.ts';

type Figure = {
  readonly title: 'Expected' | 'Collected';
  readonly ofState: (state: StateTotals) => Money;
  readonly ofLevel: (level: JurisdictionTotals) => Money;
};

/** Checks that the levels of each state add up to the state: all tax levied or collected belongs to a jurisdiction. */
export const jurisdictionChecks = (report: PeriodReport): readonly Check[] => [
  levelsCheck('J01', 'The tax expected of its jurisdictions is that of the state, in every state.', report, {
    title: 'Expected',
    ofState: ({ expected }) => expected,
    ofLevel: ({ tax }) => tax,
  }),
  levelsCheck(
    'J02',
    'What was collected for its jurisdictions is that of the state, in every state.',
    report,
    {
      title: 'Collected',
      ofState: ({ collected }) => collected,
      ofLevel: ({ collected }) => collected,
    },
  ),
];

/** Counts the states that differ from the sum of their jurisdictions, so that differences cannot cancel out. */
const levelsCheck = (
  id: string,
  test: string,
  { states, jurisdictions }: PeriodReport,
  { title, ofState, ofLevel }: Figure,
): Check => {
  const levels = (state: string): Money =>
    sum(jurisdictions.filter((level) => level.state === state).map(ofLevel));
  return {
    id,
    test,
    format: 'count',
    left: formula(
      (at) => {
        const ofLevels = at.sumIfs('By_jurisdiction', title, { State: at.column('By_state', 'State') });
        return `SUMPRODUCT(--(${at.difference(ofLevels, at.column('By_state', title))}<>0))`;
      },
      states.filter((row) => levels(row.state) !== ofState(row)).length,
    ),
    right: 0,
    link: { sheet: 'By jurisdiction' },
  };
};

/** Compares the totals that the shops themselves report with the same figures of the exports. */
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
    const title = figure === 'orders' ? 'Orders' : 'Refunds';
    const right = formula((at: References) => at.sumIfs('Completeness', title, rows), found);
    return { test, format: 'count', left: stated, right, tolerance } as const;
  }
  const [posted, held] = figure === 'gross' ? ['Gross', 'Gross'] : ['Collected', 'Tax'];
  const inDollars = { ...rows, Status: quoted('<>not USD') };
  // The shop counts all its sales, whether posted here or not.
  const right = formula(
    (at: References) => `${at.sumIfs('Detail', posted, rows)}+${at.sumIfs('Not_posted', held, inDollars)}`,
    found as Money,
  );
  return { test, format: 'money', left: stated as Money, right, tolerance } as const;
};

/** Selects the rows of the channel on days of the period, without late items of an earlier one. */
const ofPeriod = ({ period }: PeriodReport, { channel }: ComparedTotal): Criteria => {
  const [year, month, day] = period.first.split('-').map(Number);
  return { Channel: quoted(channel), 'Business date': `">="&DATE(${year},${month},${day})` };
};

/** Returns the accepted difference: one that a person accepted passes. */
const toleranceOf = ({ exceptions, period }: PeriodReport, total: ComparedTotal): number => {
  const record = channelRecord(total.channel, period);
  const exception = exceptions.find(
    ({ code, origin }) => code === `expected-${total.figure}` && origin.record === record,
  );
  return exception && exception.accepted !== '' ? Math.abs(total.stated - total.found) : 0;
};

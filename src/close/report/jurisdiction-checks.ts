import { type Money, sum } from '../../kernel/money.ts';
import type { JurisdictionTotals, StateTotals } from '../reconcile/period-totals.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import type { PeriodReport } from './period-report.ts';

type Figure = {
  readonly title: 'Expected' | 'Collected';
  readonly ofState: (state: StateTotals) => Money;
  readonly ofLevel: (level: JurisdictionTotals) => Money;
};

/** That the levels of each state add up to the state: no tax is levied, or was collected, for nobody. */
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

/** Counts the states whose jurisdictions come to something else; differences of two states cannot cancel out. */
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

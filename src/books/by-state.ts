import type { PeriodReport } from '../figures/period-report.ts';
import { isOpen } from '../judge/finding.ts';
import {
  hasReversals,
  isMaterial,
  type JurisdictionTotals,
  type ReasonTotals,
} from '../judge/period-totals.ts';
import { REASONS } from '../judge/reason.ts';
import { add, formatMoney, formatPercent, subtract, ZERO } from '../kernel/money.ts';
import { type Cell, type Criteria, quoted, type References } from '../workbook/cell.ts';
import { type Column, defineSheet, type TableSheet } from '../workbook/sheet.ts';
import { reasonPlaces } from './detail.ts';
import { count, counted, money, notZero, rate, summed, word, words } from './parts.ts';

/** A state as sheet and page show it. */
export type StateRow = ReturnType<typeof stateRows>[number];

const ofThisState = (at: References) => ({ State: at.cell('State') });

/** A column of Detail, summed by state. */
const figure = (title: string, value: (row: StateRow) => Cell<'money'>): Column<StateRow> =>
  summed(title, 13, value, { formula: (at) => at.sumIfs('Detail', title, ofThisState(at)) });

/** Formula of the tax that the service holds of a state: what was collected, but where Recorded has another amount. */
const recordedFormula = (at: References): string => {
  const own = ofThisState(at);
  const differs = { ...own, Recorded: quoted('<>') };
  return `ROUND(${at.sumIfs('Detail', 'Collected', own)}-${at.sumIfs('Detail', 'Collected', differs)}+${at.sumIfs('Detail', 'Recorded', differs)},2)`;
};

/** One row per state: sales, tax collected, tax expected and tax recorded. */
export const byStateOf = ({ materiality, service }: PeriodReport): TableSheet<StateRow> =>
  defineSheet<StateRow>({
    name: 'By state',
    table: 'By_state',
    title: 'By state',
    empty: 'Nothing is posted in the period.',
    note: `Sums of Detail. Recorded: ${service.startsWith('embedded') ? 'embedded' : 'remote'} service. Gross: without tax, refunds deducted. Variance = collected − expected; material above ${formatMoney(materiality.amount)} and ${formatPercent(materiality.share)} of the expected tax.`,
    freeze: { columns: 1 },
    columns: [
      word('State', 8, (row) => row.state),
      word('Registered since', 12, (row) => row.since || 'no', {
        flag: (row) => (row.since === '' && row.collected !== 0 ? 'attention' : undefined),
      }),
      figure('Gross', (row) => row.gross),
      figure('Taxable', (row) => row.taxable),
      figure('Collected', (row) => row.collected),
      figure('Expected', (row) => row.expected),
      summed('Recorded', 13, (row) => row.recorded, { formula: recordedFormula }),
      summed('Variance', 13, (row) => row.variance, {
        formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
        flag: (row) => (row.isMaterial ? 'attention' : undefined),
      }),
      word('Material', 10, (row) => (row.isMaterial ? 'yes' : undefined)),
      words('Main reason', 28, ({ mainReason }) => mainReason),
      counted('Open exceptions', 12, (row) => row.exceptions.filter(isOpen).length, {
        formula: (at) => at.countIfs('Exceptions', { State: at.cell('State'), Decision: quoted('open') }),
      }),
    ],
  });

/** Lists the states, the largest variance first. */
export const stateRows = (report: PeriodReport) =>
  report.states
    .map((state) => ({ ...state, variance: subtract(state.collected, state.expected) }))
    .toSorted((one, other) => Math.abs(other.variance) - Math.abs(one.variance))
    .map((state) => ({
      ...state,
      since: report.registrations.find((registration) => registration.state === state.state)?.since ?? '',
      mainReason: mainReasonOf(report.stateReasons, state.state),
      exceptions: report.exceptions.filter((exception) => exception.state === state.state),
      isMaterial: isMaterial(state.variance, state.expected, report.materiality),
    }));

/** Returns the reason with the largest amount in a state's variance, regardless of sign. */
const mainReasonOf = (stateReasons: PeriodReport['stateReasons'], state: string): string | undefined => {
  const own = stateReasons.filter((reason) => reason.state === state && reason.amount !== ZERO);
  const [first] = own.sort((left, right) => Math.abs(right.amount) - Math.abs(left.amount));
  return first && `${first.code} ${REASONS[first.code].name}`;
};

/** The variance of the period by the bodies that levy the tax, per rate. */
export const BY_JURISDICTION = defineSheet<JurisdictionTotals>({
  name: 'By jurisdiction',
  table: 'By_jurisdiction',
  title: 'By jurisdiction',
  note: 'Collected goes by the tax lines of the shop, or by the proved calculation. From evidence/entries.ndjson.gz.',
  columns: [
    word('State', 8, ({ state }) => state),
    word('Level', 10, ({ level }) => level),
    words('Jurisdiction', 34, ({ name }) => name),
    rate('Rate', 13, (row) => row.rate),
    money('Taxable', 13, ({ taxable }) => taxable),
    summed('Expected', 13, ({ tax }) => tax),
    summed('Collected', 13, ({ collected }) => collected),
    summed('Variance', 13, ({ collected, tax }) => subtract(collected, tax), {
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      ...notZero(({ collected, tax }) => subtract(collected, tax)),
    }),
  ],
});

/** The variance of the period by the reason that proves it. */
export const byReason = (reasons: readonly ReasonTotals[]): TableSheet<ReasonTotals> => {
  const places = reasonPlaces(reasons);
  const isReversed = hasReversals(reasons);
  /** Sums the amounts of one reason, on one side of zero if it is given, in all rows or in those that this selects. */
  const sumOf = (at: References, sign?: '>0' | '<0', rows: Criteria = {}): string =>
    places
      .map(({ reason, amount }) => {
        const side = sign && { [amount]: quoted(sign) };
        return at.sumIfs('Detail', amount, { [reason]: at.cell('Code'), ...side, ...rows });
      })
      .join('+');
  /** Sums up what was charged too much, or too little; reversals are moved to the side of what they reverse. */
  const onSide = (sign: '>0' | '<0') => (at: References) => {
    const moved = isReversed ? `${sign === '>0' ? '-' : '+'}${at.cell('Reversed')}` : '';
    return `ROUND(${sumOf(at, sign)}${moved},2)`;
  };
  const reversed = summed<ReasonTotals>('Reversed', 14, (reason) => reason.reversed, {
    formula: (at) => {
      const rows = { Reversal: quoted('Yes') };
      return `ROUND(${sumOf(at, '>0', rows)}-(${sumOf(at, '<0', rows)}),2)`;
    },
  });
  return defineSheet<ReasonTotals>({
    name: 'Reasons',
    table: 'By_reason',
    title: 'Reasons: the variance by the reason that proves it',
    note: `Every cent of the variance under one reason; docs/reasons.md explains them. R99: unexplained.${isReversed ? ' Over and Under have reversals on the side of what they reverse.' : ''}`,
    freeze: { columns: 1 },
    columns: [
      word('Code', 8, ({ code }) => code),
      words('Reason', 32, ({ code }) => REASONS[code].name),
      count('Sales', 9, ({ sales }) => sales),
      summed('Over', 14, ({ over }) => over, { formula: onSide('>0') }),
      summed('Under', 14, ({ under }) => under, { formula: onSide('<0') }),
      summed('Net', 14, ({ over, under }) => add(over, under), { formula: (at) => `ROUND(${sumOf(at)},2)` }),
      ...(isReversed ? [reversed] : []),
    ],
  });
};

import { type Money, subtract, sum } from '../../kernel/money.ts';
import type { NexusWatch } from '../filing/nexus/nexus-watch-of.ts';
import { countBars } from '../pictures/count-bars.ts';
import type { Chart } from '../pictures/draw-chart.ts';
import { COLOURS } from '../pictures/look.ts';
import { nexusTiles } from '../pictures/nexus-tiles.ts';
import { type StateTile, stateTiles } from '../pictures/state-tiles.ts';
import { trendBars } from '../pictures/trend-bars.ts';
import { waterfall } from '../pictures/waterfall.ts';
import { isOpen } from '../reconcile/exceptions.ts';
import { REASONS, type ReasonCode } from '../reconcile/reason.ts';
import type { KeptState } from './kept-state.ts';
import { reasonRow, stateRow } from './page/row-names.ts';
import type { PeriodReport } from './period-report.ts';

export const bridgeChart = ({ reasons }: PeriodReport): Chart =>
  waterfall(
    reasons
      .map(({ code, over, under }) => ({
        label: code,
        amount: sum([over, under]),
        meaning: REASONS[code].name,
        href: `#${reasonRow(code)}`,
      }))
      .filter(({ amount }) => amount !== 0),
    { label: 'Variance', href: '#by-reason' },
  );

export const stateChart = ({ states, registrations }: PeriodReport): Chart => {
  const registered = new Set(registrations.map(({ state }) => state));
  const tiles: StateTile[] = states.map(({ state, collected, expected }) => ({
    state,
    variance: subtract(collected, expected),
    isRegistered: registered.has(state),
    href: `#${stateRow(state)}`,
  }));
  return stateTiles(tiles);
};

export const trendChart = (report: PeriodReport): Chart =>
  perPeriod('Collected minus expected', report, ({ collected, expected }) => subtract(collected, expected));

export const taxChart = (report: PeriodReport): Chart =>
  perPeriod(
    'Tax expected',
    report,
    ({ expected }) => expected,
    () => COLOURS.total,
  );

const perPeriod = (
  title: string,
  { trend }: PeriodReport,
  amountOf: (state: KeptState) => Money,
  colour?: () => string,
): Chart => {
  const periods = [...new Set(trend.map(({ period }) => period))];
  return trendBars(
    title,
    periods.map((period) => {
      const own = trend.filter((row) => row.period === period);
      return { period, amount: sum(own.map(amountOf)) };
    }),
    colour,
  );
};

/** A state leads to its row where it has one: the watch also has states without sales in the period. */
export const nexusChart = (
  watches: readonly NexusWatch[],
  { states }: Pick<PeriodReport, 'states'>,
): Chart => {
  const withRow = new Set(states.map(({ state }) => state));
  return nexusTiles(
    watches.map(({ state, status, reached }) => ({
      state,
      status,
      reached,
      href: withRow.has(state) ? `#${stateRow(state)}` : undefined,
    })),
  );
};

export const exceptionChart = ({ exceptions }: PeriodReport): Chart => {
  const codes = [...new Set(exceptions.map(({ code }) => code))].sort();
  return countBars(
    codes.map((code) => {
      const own = exceptions.filter((exception) => exception.code === code);
      const open = own.filter(isOpen).length;
      return { label: nameOf(code), open, settled: own.length - open, href: `#exceptions?code=${code}` };
    }),
  );
};

const nameOf = (code: string): string =>
  code in REASONS ? `${code} ${REASONS[code as ReasonCode].name}` : code;

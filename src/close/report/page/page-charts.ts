import { subtract, sum } from '../../../kernel/money.ts';
import { countBars } from '../../pictures/count-bars.ts';
import type { Chart } from '../../pictures/draw-chart.ts';
import { type StateTile, stateTiles } from '../../pictures/state-tiles.ts';
import { trendBars } from '../../pictures/trend-bars.ts';
import { waterfall } from '../../pictures/waterfall.ts';
import { isOpen } from '../../reconcile/exceptions.ts';
import { REASONS, type ReasonCode } from '../../reconcile/reason.ts';
import type { PeriodReport } from '../period-report.ts';
import { reasonRow, stateRow } from './row-names.ts';

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

export const trendChart = ({ trend }: PeriodReport): Chart => {
  const periods = [...new Set(trend.map(({ period }) => period))];
  return trendBars(
    'Collected minus expected',
    periods.map((period) => {
      const own = trend.filter((row) => row.period === period);
      return { period, amount: sum(own.map(({ collected, expected }) => subtract(collected, expected))) };
    }),
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

import { subtract, ZERO } from '../../kernel/money.ts';
import { exceptionCounts } from '../figures/exception-counts.ts';
import { movingReasons } from '../figures/moving-reasons.ts';
import { partsOfState } from '../figures/parts-of-state.ts';
import { periodFigures } from '../figures/period-figures.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { NexusWatch } from '../filing/nexus/nexus-watch-of.ts';
import { countBars } from '../pictures/count-bars.ts';
import { nexusTiles } from '../pictures/nexus-tiles.ts';
import { type StateTile, stateTiles } from '../pictures/state-tiles.ts';
import type { Svg } from '../pictures/svg.ts';
import { trendBars } from '../pictures/trend-bars.ts';
import { waterfall } from '../pictures/waterfall.ts';
import { REASONS } from '../reconcile/reason.ts';
import { reasonRow, stateRow } from './page/row-names.ts';

/** Draws a chart unless it has fewer than two figures, when it would show no more than they do. */
const ofSeveral = <Bar>(bars: readonly Bar[], draw: (bars: readonly Bar[]) => Svg): Svg | undefined =>
  bars.length < 2 ? undefined : draw(bars);

export const bridgeChart = (report: PeriodReport): Svg | undefined =>
  ofSeveral(movingReasons(report), (reasons) =>
    waterfall(
      reasons.map(({ code, amount }) => ({
        label: code,
        amount,
        meaning: REASONS[code].name,
        href: `#${reasonRow(code)}`,
      })),
      { label: 'Variance', href: '#by-reason' },
    ),
  );

export const stateChart = (report: PeriodReport): Svg => {
  const { states, registrations } = report;
  const registered = new Set(registrations.map(({ state }) => state));
  const tiles: StateTile[] = states.map(({ state, collected, expected }) => ({
    state,
    variance: subtract(collected, expected),
    isGap: isMostlyGap(partsOfState(report, state)),
    isRegistered: registered.has(state),
    href: `#${stateRow(state)}`,
  }));
  return stateTiles(tiles);
};

const isMostlyGap = ({ gap, ...others }: ReturnType<typeof partsOfState>): boolean =>
  gap !== ZERO && Object.values(others).every((part) => Math.abs(part) < Math.abs(gap));

export const trendChart = (report: PeriodReport): Svg | undefined =>
  ofSeveral(periodFigures(report), (figures) =>
    trendBars(
      'Collected minus expected',
      figures.map(({ period, variance }) => ({ period, amount: variance })),
    ),
  );

/** Links each state to its row if it has one: the nexus watch also has states without sales in the period. */
export const nexusChart = (watches: readonly NexusWatch[], { states }: Pick<PeriodReport, 'states'>): Svg => {
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

export const exceptionChart = (report: PeriodReport): Svg | undefined =>
  ofSeveral(exceptionCounts(report), (counts) =>
    countBars(counts.map(({ code, ...count }) => ({ ...count, href: `#exceptions?code=${code}` }))),
  );

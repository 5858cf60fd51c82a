import { formatMoney, type Money, subtract, ZERO } from '../../../kernel/money.ts';
import { partsOfState } from '../../figures/parts-of-state.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { NexusWatch } from '../../filing/nexus.ts';
import type { Html } from './html.ts';
import { stateRow } from './page-table.ts';
import { type Tile, tileMap } from './tile-map.ts';

/** Draws the states by the sign of their variance, with a frame if the seller is registered. */
export const varianceMap = (report: PeriodReport): Html => {
  const { states, registrations } = report;
  const registered = new Set(registrations.map(({ state }) => state));
  const tiles = states.map(({ state, collected, expected }): Tile => {
    const variance = subtract(collected, expected);
    const isGap = isMostlyGap(partsOfState(report, state));
    const isRegistered = registered.has(state);
    return {
      state,
      figure: formatMoney(variance),
      kinds: [isGap ? 'gap' : signOf(variance), ...(isRegistered ? ['framed'] : [])],
      words: `${state} ${formatMoney(variance)}: variance${isGap ? ', mostly rates that Tieout lacks' : ''}, ${isRegistered ? 'registered' : 'not registered'}`,
      href: `#${stateRow(state)}`,
    };
  });
  return tileMap(`The states by variance and registration: ${states.length} with sales.`, tiles);
};

/** Whether most of the variance comes from rates that the tax content lacks. */
const isMostlyGap = ({ gap, ...others }: ReturnType<typeof partsOfState>): boolean =>
  gap !== ZERO && Object.values(others).every((part) => Math.abs(part) < Math.abs(gap));

const signOf = (amount: Money): string => {
  if (amount === ZERO) return 'even';
  return amount > ZERO ? 'over' : 'under';
};

/** The duty to register, as a style and in words; what asks for a decision also has a sign. */
const NEXUS = {
  registered: { kinds: ['under', 'framed'], sign: '', words: 'registered' },
  crossed: { kinds: ['over'], sign: '▲ ', words: 'crossed, and not registered' },
  close: { kinds: ['close'], sign: '△ ', words: 'close' },
  below: { kinds: ['even'], sign: '', words: 'below' },
} as const;

const BASIS_POINTS = 100;

/**
 * Draws how much of its nexus threshold each state has reached, and whether the seller must register. A state without
 * sales in the period has no row to lead to.
 */
export const nexusMap = (watches: readonly NexusWatch[], { states }: Pick<PeriodReport, 'states'>): Html => {
  const withRow = new Set(states.map(({ state }) => state));
  const count = (status: NexusWatch['status']): number =>
    watches.filter((watch) => watch.status === status).length;
  return tileMap(
    `The states by nexus: ${count('registered')} registered, ${count('crossed')} crossed and not registered, ${count('close')} close, ${count('below')} below.`,
    watches.map(({ state, status, reached }): Tile => {
      const { kinds, sign, words } = NEXUS[status];
      const percent = `${Math.floor(reached / BASIS_POINTS)}%`;
      return {
        state,
        figure: sign + percent,
        kinds,
        words: `${state} ${sign}${percent} of the threshold: ${words}`,
        href: withRow.has(state) ? `#${stateRow(state)}` : undefined,
      };
    }),
  );
};

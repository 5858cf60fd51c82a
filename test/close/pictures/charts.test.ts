import { describe, expect, test } from 'vitest';
import { countBars } from '../../../src/close/pictures/count-bars.ts';
import { nexusTiles } from '../../../src/close/pictures/nexus-tiles.ts';
import { stateTiles } from '../../../src/close/pictures/state-tiles.ts';
import { STATE_GRID } from '../../../src/close/pictures/tile-map.ts';
import { trendBars } from '../../../src/close/pictures/trend-bars.ts';
import { type Step, waterfall } from '../../../src/close/pictures/waterfall.ts';
import { money } from '../../../src/kernel/money.ts';

const step = (label: string, cents: number, meaning = 'why'): Step => ({
  label,
  amount: money(cents),
  meaning,
  href: `#reason-${label}`,
});
const TOTAL = { label: 'Variance', href: '#by-reason' };
const HOSTILE = '<script>alert("1")</script>';

type Bar = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly words: string;
};

/** The rectangles of a chart as they are drawn. */
const barsOf = (svg: string): readonly Bar[] =>
  [...svg.matchAll(/<rect ([^>]*)\/>/g)].map(([, written = '']) => {
    const of = (name: string): string => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(written)?.[1] ?? '';
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => Number(of(name)));
    return { x, y, width, height, fill: of('fill'), words: of('aria-label') } as Bar;
  });

/** Drawn to a tenth of a pixel. */
const EXACT = 0.11;
const near = (left = 0, right = 0): boolean => Math.abs(left - right) <= EXACT;
const bottomOf = ({ y, height }: Bar): number => y + height;
const linksIn = (svg: string): readonly (string | undefined)[] =>
  [...svg.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href);

describe('a waterfall', () => {
  const svg = waterfall([step('R01', 300), step('R02', -1000), step('R03', 150)], TOTAL);

  test('has a step for each amount, as high as it is large', () => {
    const [first, second, third, total] = barsOf(svg);
    expect(near(second?.height, ((first?.height ?? 0) * 10) / 3)).toBe(true);
    expect(near(third?.height, (first?.height ?? 0) / 2)).toBe(true);
    expect(near(total?.height, ((first?.height ?? 0) * 11) / 6)).toBe(true);
  });

  test('goes from zero to the total, each step from where the one before has ended', () => {
    const [first, second, third, total] = barsOf(svg) as [Bar, Bar, Bar, Bar];
    const zero = bottomOf(first);
    expect(near(second.y, first.y)).toBe(true);
    expect(near(bottomOf(third), bottomOf(second))).toBe(true);
    // It comes to less than zero: the total hangs from zero down to the upper end of the last step.
    expect(near(total.y, zero)).toBe(true);
    expect(near(bottomOf(total), third.y)).toBe(true);
  });

  test('has steps that do not overlap, named and linked', () => {
    const bars = barsOf(svg);
    for (const [index, bar] of bars.entries()) {
      expect(bar.x).toBeGreaterThanOrEqual((bars[index - 1]?.x ?? 0) + (bars[index - 1]?.width ?? 0));
    }
    expect(bars.map(({ words }) => words)).toEqual([
      'R01, why: 3.00',
      'R02, why: -10.00',
      'R03, why: 1.50',
      'Variance, Variance: -5.50',
    ]);
    expect(linksIn(svg)).toEqual(['#reason-R01', '#reason-R02', '#reason-R03', '#by-reason']);
    expect(svg).toContain('aria-label="Variance by reason, step by step: 3 steps that come to -5.50."');
  });

  test('tells too much from too little by colour, and prints the amounts', () => {
    const [over, under, , total] = barsOf(svg);
    expect(new Set([over?.fill, under?.fill, total?.fill]).size).toBe(3);
    for (const amount of ['3.00', '-10.00', '1.50', '-5.50']) expect(svg).toContain(`>${amount}</text>`);
  });

  test('keeps wide amounts apart', () => {
    const [first, second] = barsOf(waterfall([step('R01', 123_456_789), step('R02', -99_999_999)], TOTAL));
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThan('1234567.89'.length * 7);
  });
});

test('a trend stands above zero and hangs below it', () => {
  const points = [200, -100].map((cents, index) => ({ period: `2026-0${index + 1}`, amount: money(cents) }));
  const svg = trendBars('Collected minus expected', points);
  const [above, below] = barsOf(svg) as [Bar, Bar];
  expect(near(bottomOf(above), below.y)).toBe(true);
  expect(near(above.height, 2 * below.height)).toBe(true);
  expect(svg).toContain('aria-label="Collected minus expected, 2 periods."');
});

describe('an axis', () => {
  const ticksOf = (cents: readonly number[]): readonly string[] => {
    const svg = trendBars(
      'Tax',
      cents.map((amount, index) => ({ period: `p${index}`, amount: money(amount) })),
    );
    return [...svg.matchAll(/text-anchor="end">([^<]*)</g)].map(([, tick]) => tick ?? '');
  };

  test('has round ticks from the lowest to the highest amount, with cents where it needs them', () => {
    expect(ticksOf([300, -1000])).toEqual(['-10', '-5', '0', '5']);
    expect(ticksOf([7])).toEqual(['0.00', '0.02', '0.04', '0.06', '0.08']);
    expect(ticksOf([123_456_700])).toContain('1,000,000');
    expect(ticksOf([])).toEqual(['0.00', '0.01']);
  });
});

describe('counts', () => {
  test('are as long as they are many, what is open first', () => {
    const bars = barsOf(
      countBars([
        { label: 'R02', open: 1, settled: 2, href: '#a' },
        { label: 'R03', open: 0, settled: 6, href: '#b' },
      ]),
    ) as [Bar, Bar, Bar];
    expect(bars).toHaveLength(3);
    const [open, settled, other] = bars;
    expect(near(settled.x, open.x + open.width)).toBe(true);
    expect(near(settled.width, 2 * open.width)).toBe(true);
    expect(near(other.width, 6 * open.width)).toBe(true);
    expect(other.y).toBeGreaterThan(bottomOf(open));
  });

  test('of nothing have no bar that no one could hit', () => {
    expect(barsOf(countBars([{ label: 'R02', open: 0, settled: 2, href: '#exceptions' }]))).toHaveLength(1);
  });

  test('have room for the longest label', () => {
    const label = 'R12 Registration within the period';
    const [bar] = barsOf(countBars([{ label, open: 1, settled: 0, href: '#a' }]));
    expect(bar?.x).toBeGreaterThan(label.length * 6.5);
  });
});

test('a state without sales leads nowhere', () => {
  const tile = { state: 'CA', variance: money(-5), isGap: false, isRegistered: true, href: '#state-CA' };
  expect(linksIn(stateTiles([tile]))).toEqual(['#state-CA']);
});

test('a state whose variance is mostly a gap of the content says so, in a colour of its own', () => {
  const tile = { state: 'KS', variance: money(900), isRegistered: true, href: '#state-KS' };
  const [own, gap] = [false, true].map((isGap) => stateTiles([{ ...tile, isGap }]));
  expect(gap).toContain('KS: variance 9.00, mostly rates that Tieout lacks, registered');
  expect(gap).toContain('#c4b5fd');
  expect(own).not.toContain('#c4b5fd');
});

test('a state of the watch without a row leads nowhere', () => {
  const tile = { state: 'NV', status: 'close', reached: 8_050, href: undefined } as const;
  const svg = nexusTiles([tile]);
  expect(svg).toContain('NV: 80% of the threshold, close');
  expect(linksIn(svg)).toEqual([]);
});

test('nexus is told by sign and word, not by colour alone', () => {
  const svg = nexusTiles([
    { state: 'CA', status: 'registered', reached: 30_000, href: '#state-CA' },
    { state: 'OH', status: 'crossed', reached: 12_345, href: '#state-OH' },
    { state: 'NV', status: 'close', reached: 8_050, href: '#state-NV' },
  ]);
  expect(svg).toContain('1 registered, 1 crossed and not registered, 1 close, 0 below');
  for (const words of ['CA: 300% of the threshold, registered', '▲ 123%', '△ 80%']) {
    expect(svg).toContain(words);
  }
});

describe('charts', () => {
  const charts = [
    ['waterfall', () => waterfall([step('R01', 300, HOSTILE)], TOTAL)],
    [
      'tiles',
      () =>
        stateTiles([
          { state: 'CA', variance: money(-5), isGap: false, isRegistered: true, href: '#state-CA' },
        ]),
    ],
    ['trend', () => trendBars(HOSTILE, [{ period: HOSTILE, amount: money(1) }])],
    ['counts', () => countBars([{ label: HOSTILE, open: 1, settled: 2, href: '#exceptions' }])],
    ['waterfall of nothing', () => waterfall([], TOTAL)],
    ['trend of nothing', () => trendBars('Variance', [])],
    ['counts of nothing', () => countBars([])],
  ] as const;

  test.for(charts)('%s: the same again gives the same text', ([, draw]) => {
    expect(draw()).toBe(draw());
  });

  test.for(charts)('%s: no text of others becomes an element, and nothing is not a number', ([, draw]) => {
    expect(draw().startsWith('<svg ')).toBe(true);
    expect(draw()).not.toContain('<script');
    expect(draw()).not.toMatch(/NaN|Infinity|undefined/);
  });

  test.for(charts)('%s: everything stands within the picture', ([, draw]) => {
    const svg = draw();
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
    for (const bar of barsOf(svg)) {
      expect(Math.min(bar.x, bar.y)).toBeGreaterThanOrEqual(0);
      expect(bar.x + bar.width).toBeLessThanOrEqual(Number(width));
      expect(bottomOf(bar)).toBeLessThanOrEqual(Number(height));
    }
  });
});

test('the grid has fifty states, the District of Columbia and Puerto Rico, each in a place of its own', () => {
  expect(new Set(STATE_GRID.map(({ state }) => state)).size).toBe(52);
  expect(new Set(STATE_GRID.map(({ column, row }) => `${column}/${row}`)).size).toBe(52);
});

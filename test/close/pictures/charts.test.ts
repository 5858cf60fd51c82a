import { describe, expect, test } from 'vitest';
import { countBars } from '../../../src/close/pictures/count-bars.ts';
import { drawChart, headingHeight } from '../../../src/close/pictures/draw-chart.ts';
import { drawPng } from '../../../src/close/pictures/draw-png.ts';
import { nexusTiles } from '../../../src/close/pictures/nexus-tiles.ts';
import { STATE_GRID } from '../../../src/close/pictures/state-grid.ts';
import { stateTiles } from '../../../src/close/pictures/state-tiles.ts';
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

describe('a waterfall', () => {
  test('goes from nothing to what its steps come to', () => {
    const rows = waterfall([step('R01', 300), step('R02', -1000)], TOTAL).rows as readonly {
      readonly label: string;
      readonly from: number;
      readonly to: number;
    }[];
    expect(rows.map(({ label, from, to }) => [label, from, to])).toEqual([
      ['R01', 0, 3],
      ['R02', 3, -7],
      ['Variance', 0, -7],
    ]);
  });

  test('draws a bar for each step, named and linked', async () => {
    const svg = await drawChart(waterfall([step('R01', 300), step('R02', -1000)], TOTAL));
    expect(svg).toContain('aria-label="R02, why: -10.00"');
    expect(svg).toContain('xlink:href="#reason-R02"');
  });
});

test('a state without sales leads nowhere', async () => {
  const tile = { state: 'CA', variance: money(-5), isRegistered: true, href: '#state-CA' };
  const links = (await drawChart(stateTiles([tile]))).match(/\bhref="[^"]*"/g);
  expect(links).toEqual(['href="#state-CA"']);
});

test('a state of the watch without a row leads nowhere', async () => {
  const tile = { state: 'NV', status: 'close', reached: 8_050, href: undefined } as const;
  const svg = await drawChart(nexusTiles([tile]));
  expect(svg).toContain('NV: 80% of the threshold, close');
  expect(svg.match(/\bhref="[^"]*"/g)).toBeNull();
});

test('nexus is told by sign and word, not by colour alone', async () => {
  const tiles = [
    { state: 'CA', status: 'registered', reached: 30_000, href: '#state-CA' },
    { state: 'OH', status: 'crossed', reached: 12_345, href: '#state-OH' },
    { state: 'NV', status: 'close', reached: 8_050, href: '#state-NV' },
  ] as const;
  const chart = nexusTiles(tiles);
  expect(chart.description).toContain('1 registered, 1 crossed and not registered, 1 close, 0 below');
  const svg = await drawChart(chart);
  for (const words of ['CA: 300% of the threshold, registered', '▲ 123%', '△ 80%']) {
    expect(svg).toContain(words);
  }
});

describe('a picture', () => {
  const chart = waterfall([step('R01', 300), step('R02', -1000)], TOTAL);

  test('has the same bytes whenever it is drawn', async () => {
    const png = Buffer.from(await drawPng(chart));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(Buffer.from(await drawPng(chart)).equals(png)).toBe(true);
  });

  test('has its text in the fonts that come with it', async () => {
    const drawn = async (label: string) => Buffer.from(await drawPng(waterfall([step(label, 300)], TOTAL)));
    expect((await drawn('R01')).equals(await drawn('R07'))).toBe(false);
  });

  test('is higher by its heading', async () => {
    const heading = { text: 'Heading', lines: ['one', 'two'] };
    const heightOf = async (given: Parameters<typeof drawPng>[0]) =>
      Buffer.from(await drawPng(given)).readUInt32BE(20);
    expect(await heightOf({ ...chart, heading })).toBe(
      (await heightOf(chart)) + headingHeight(heading) * 1.5,
    );
  });
});

test('a count of nothing has no bar that nobody could hit', () => {
  const { rows } = countBars([{ label: 'R02', open: 0, settled: 2, href: '#exceptions' }]);
  expect(rows).toHaveLength(1);
});

describe('charts', () => {
  const charts = [
    ['waterfall', waterfall([step('R01', 300, HOSTILE)], TOTAL)],
    ['tiles', stateTiles([{ state: 'CA', variance: money(-5), isRegistered: true, href: '#state-CA' }])],
    ['trend', trendBars(HOSTILE, [{ period: HOSTILE, amount: money(1) }])],
    ['counts', countBars([{ label: HOSTILE, open: 1, settled: 2, href: '#exceptions' }])],
    ['waterfall of nothing', waterfall([], TOTAL)],
    ['trend of nothing', trendBars('Variance', [])],
    ['counts of nothing', countBars([])],
  ] as const;

  test.for(charts)('%s: the same again gives the same bytes', async ([, chart]) => {
    expect(await drawChart(chart)).toBe(await drawChart(chart));
  });

  test.for([
    ...charts.filter(([name]) => name !== 'trend'),
    ['trend', trendBars('Collected minus expected', [{ period: '2026-10', amount: money(1) }])],
  ] as const)('%s: all of its heading is in the picture', async ([, chart]) => {
    const svg = await drawChart({ ...chart, heading: { text: 'Heading', lines: ['one', 'two'] } });
    const [, top] = /<g fill="none"[^>]*translate\(\d+,(\d+)\)/.exec(svg) ?? [];
    const [, above] = /role-title"><g transform="translate\([-\d.]+,-([\d.]+)\)/.exec(svg) ?? [];
    expect(Number(top) - Number(above)).toBeGreaterThanOrEqual(0);
  });

  test.for(charts)('%s: no text of others becomes an element', async ([, chart]) => {
    const svg = await drawChart(chart);
    expect(svg.startsWith('<svg ')).toBe(true);
    expect(svg).not.toContain('<script');
  });
});

test('the grid has fifty states, the District of Columbia and Puerto Rico, each in a place of its own', () => {
  expect(new Set(STATE_GRID.map(({ state }) => state)).size).toBe(52);
  expect(new Set(STATE_GRID.map(({ column, row }) => `${column}/${row}`)).size).toBe(52);
});

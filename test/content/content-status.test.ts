import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contentStatus } from '../../src/content/content-status.ts';
import { loadContent } from '../../src/content/load-content.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';

const content = loadContent();
const DATA = new URL('../../src/content/data/', import.meta.url);

/** `rate table January 2026`, `rate schedule January to June 2026`, `effective July 2024`, `GAR2026Q2FEB19`. */
const TABLE_OF_PERIOD =
  /\b(rate table|rate table of|rate schedule|effective) [A-Z][a-z]+ (to [A-Z][a-z]+ )?\d{4}|R\d{4}Q\d/;
const of = (code: string, on: string) =>
  contentStatus(content, calendarDate(on)).states.find(({ state }) => state === code);

describe('what a content says of a state', () => {
  test('coverage and validity', () => {
    expect(of('GA', '2026-03-01')).toMatchObject({
      coverage: 'complete',
      stateRate: '0.04',
      ratesUntil: '2026-06-30',
      isStale: false,
    });
  });

  test('the rate of the day', () => {
    expect(of('SD', '2026-10-31')).toMatchObject({ stateRate: '0.042' });
    expect(of('SD', '2027-07-01')).toMatchObject({ stateRate: '0.045' });
  });

  test('confidence counts the rates in force', () => {
    expect(of('DC', '2026-10-31')?.confidence).toEqual({ 'official-cited': 1 });
    expect(of('WI', '2010-01-01')?.confidence['official-file']).toBeGreaterThan(50);
  });

  test('the days for which local rates are known', () => {
    expect(of('WA', '2026-10-31')).toMatchObject({
      coverage: 'complete',
      coveredSince: '2022-01-01',
      coveredUntil: '2026-06-30',
    });
    expect(of('NY', '2026-10-31')).toMatchObject({ coveredSince: '', coveredUntil: '' });
  });

  test('rates of a table for a month or a quarter are known until it ends', () => {
    const sources = readFileSync(new URL('sources.tsv', DATA), 'utf8').trimEnd().split('\n');
    const ofPeriod = sources.flatMap((line) => {
      const [id = '', title = ''] = line.split('\t');
      return TABLE_OF_PERIOD.test(title) ? [id] : [];
    });
    const states = [...content.states.values()].filter(({ localRates }) =>
      localRates.some(({ source }) => source.split(' ').some((id) => ofPeriod.includes(id))),
    );
    expect(states.map(({ code, coveredUntil }) => `${code} ${coveredUntil}`).sort()).toEqual([
      'AR 2026-09-30',
      'AZ 2026-05-31',
      'GA 2026-06-30',
      'IA 2025-09-30',
      'KS 2026-09-30',
      'MN 2026-06-30',
      'MO 2026-03-31',
      'NM 2026-06-30',
      'OH 2024-09-30',
      'OK 2026-09-30',
      'UT 2026-09-30',
      'WI 2026-06-30',
      'WY 2026-09-30',
    ]);
  });

  test('to which day the rates go', () => {
    expect(of('WA', '2026-06-30')).toMatchObject({ ratesUntil: '2026-06-30' });
    expect(of('MA', '2026-10-31')).toMatchObject({ ratesUntil: '' });
  });

  test('every state and the district are there', () => {
    const { states, name, version } = contentStatus(content);
    expect([name, version, states.length]).toEqual(['tieout-default', '4', 52]);
  });
});

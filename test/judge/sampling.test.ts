import { describe, expect, test } from 'vitest';
import type { DetailRow } from '../../src/judge/detail-row.ts';
import { PER_STRATUM, sampler } from '../../src/judge/sampling.ts';
import { sha256 } from '../../src/kernel/json.ts';
import { money } from '../../src/kernel/money.ts';
import { saleOf } from '../sales/sale-of.ts';
import { rowOf } from './detail-rows.ts';

const SEED = 'harbor 2026-10';

const row = (id: string, cents: number, changes: Partial<DetailRow> = {}): DetailRow =>
  rowOf(saleOf(), { key: `shop/order/${id}`, id, gross: money(cents), ...changes });

const drawn = (rows: readonly DetailRow[], seed = SEED) => {
  const sample = sampler(seed);
  for (const each of rows) sample.add(each);
  return sample.drawn();
};

const population = Array.from({ length: 400 }, (_, index) => row(String(index), 1_000 + index * 500));

describe('a sample for the auditor', () => {
  test('is the same in whatever order the rows come, and another with another seed', () => {
    const ids = (rows: readonly DetailRow[], seed = SEED) => drawn(rows, seed).map((draw) => draw.row.id);
    expect(ids(population.toReversed())).toEqual(ids(population));
    expect(ids(population, 'another')).not.toEqual(ids(population));
  });

  test('can be drawn again by hand: the smallest hashes of the stratum', () => {
    const hash = ({ key }: DetailRow) => sha256(`${SEED}\n${key}`).slice(0, 12);
    const small = population.filter(({ gross }) => gross < 5_000);
    const byHand = small.toSorted((left, right) => (hash(left) < hash(right) ? -1 : 1)).slice(0, PER_STRATUM);
    const first = drawn(population).filter(({ stratum }) => stratum === 'orders below 50');
    expect(first.map((draw) => draw.row.id)).toEqual(byHand.map(({ id }) => id));
    expect(first.map(({ order, population: rows }) => [order, rows])).toEqual(
      byHand.map((_, index) => [index + 1, small.length]),
    );
  });

  test('leaves out what is not posted', () => {
    const draws = drawn([row('kept', 100), row('free', 0), row('out', 100, { isPosted: false })]);
    expect(draws.map((draw) => draw.row.id).sort()).toEqual(['free', 'kept']);
  });
});

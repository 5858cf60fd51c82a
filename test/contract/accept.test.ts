import { describe, expect, it } from 'vitest';
import { accept } from '../../src/contract/accept.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { CreateTransaction } from '../../src/contract/transaction.ts';
import { ORDER } from './samples.ts';

const LINES = 10_000;
const WRONG = { id: {}, quantity: -1, description: {}, unit_price: 'dear', discount: [], sales_tax: 'x' };

const refusalOf = (line_items: readonly object[], changes: object = {}) => {
  try {
    accept(CreateTransaction, { ...ORDER, line_items, ...changes });
  } catch (error) {
    if (error instanceof ServiceRefusal) return error.body;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('a body with long lists', () => {
  it('names a hundred of its problems', () => {
    const { status, detail } = refusalOf(Array(LINES).fill(WRONG));
    expect([status, detail.length, detail[0]]).toEqual([406, 100, 'line_items[0].id is invalid']);
  });

  it('names a wrong line by its place, once with what is wrong outside of the list', () => {
    const line_items = Array.from({ length: LINES }, () => ({ id: 'a' }));
    expect(refusalOf(line_items.with(9_876, { id: '\ud800' }), { to_country: '' })).toEqual({
      status: 422,
      error: 'Unprocessable Entity',
      detail: [
        'to_country is missing',
        'line_items[9876].id must not contain null characters or unpaired surrogates',
      ],
    });
  });

  it('is accepted whole', () => {
    const line_items = Array.from({ length: LINES }, (_, index) => ({ id: `${index}` }));
    const ids = accept(CreateTransaction, { ...ORDER, line_items }).line_items?.map(({ id }) => id);
    expect(ids).toEqual(line_items.map(({ id }) => id));
  });
});

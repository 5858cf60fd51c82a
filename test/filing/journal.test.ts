import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { journalOf } from '../../src/filing/journal.ts';
import { formatMoney, money, sum } from '../../src/kernel/money.ts';
import { dollars, law } from './figures-of.ts';
import { fill, sold } from './filed.ts';

const texas = { state: '0.0625', city: '0.01', special: '0.01' };

describe('the journal of a return', () => {
  test('brings payable to nothing, and shows expense, rounding, discount and prepayments', () => {
    const filed = fill(sold('TX', texas, { collected: '820.00' }), {
      prepayments: { opening: dollars('0'), added: dollars('300.00') },
    });
    const rows = journalOf(filed).map(({ line, debit, credit }) => [
      line,
      formatMoney(debit),
      formatMoney(credit),
    ]);
    // 825.03 is owed, the form says 825.00, 300.00 was paid, and 2.63 of the rest is kept: 522.37 remains.
    expect(rows).toEqual([
      ['payable', '820.00', '0.00'],
      ['expense', '5.03', '0.00'],
      ['discount', '0.00', '2.63'],
      ['prepayments', '0.00', '300.00'],
      ['due', '0.00', '522.37'],
      ['rounding', '0.00', '0.03'],
    ]);
  });

  test('takes the fees that were charged out of fees payable, and the others are an expense', () => {
    const rule = law.fees.find(({ state }) => state === 'MN') ?? expect.fail();
    const amounts = { charged: dollars('1.50'), due: dollars('3.00'), excess: dollars('0') };
    const fee = { rule, sales: 6, ...amounts };
    const filed = fill(sold('MN', { state: '0.06875' }));
    const { figures, values } = filed;
    const rows = journalOf({
      ...filed,
      figures: { ...figures, fees: [fee] },
      values: { ...values, fees: dollars('3.00') },
    });
    expect(rows.filter(({ line }) => line.startsWith('fee'))).toMatchObject([
      { line: 'fees', debit: dollars('1.50') },
      { line: 'feeExpense', debit: dollars('1.50'), memo: expect.stringContaining('not charged, ') },
    ]);
  });

  test('debits are credits, whatever was charged, prepaid or bought', () => {
    const cents = fc.integer({ min: 0, max: 200_000 });
    fc.assert(
      fc.property(
        fc.constantFrom('CA', 'TX', 'MA', 'NC', 'OH', 'TN'),
        cents,
        cents,
        cents,
        (state, collected, prepaid, purchases) => {
          const filed = fill(sold(state, { state: '0.06' }, { collected: formatMoney(money(collected)) }), {
            prepayments: { opening: money(prepaid), added: dollars('0') },
            purchases: money(purchases),
          });
          const entries = journalOf(filed);
          expect(sum(entries.map(({ debit }) => debit))).toBe(sum(entries.map(({ credit }) => credit)));
          expect(entries.find(({ line }) => line === 'payable')?.debit ?? 0).toBe(collected);
        },
      ),
    );
  });
});

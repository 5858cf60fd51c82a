import { add, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import { JOURNAL_LINES, lineBeyond } from '../filing/journal/journal-lines.ts';
import { ADJUSTMENTS, type OpenReturn } from './open-items.ts';

/** A part of a settled return that the ledger should contain, with the words of the journal for it. */
export type Part = { readonly what: string; readonly amount: Money; readonly of: OpenReturn };

/** The entries with which a ledger settles a return. Together they clear the tax collected in its periods. */
export type Settlement = {
  readonly of: OpenReturn;
  readonly remitted: Money;
  readonly discounts: readonly Part[];
  readonly adjustments: readonly Part[];
};

/**
 * Lists the ways in which a ledger may settle a return, the usual one first: paid as filed; paid without the discount,
 * which a late return loses; either with its fees; or cleared in one entry, with everything else in other accounts.
 */
export const settlementsOf = (of: OpenReturn): readonly Settlement[] => [
  ...[ZERO, of.fees].flatMap((fees) => [paid(of, of.discount, fees), paid(of, ZERO, fees)]),
  { of, remitted: negate(of.collected), discounts: [], adjustments: [] },
];

const paid = (of: OpenReturn, discount: Money, fees: Money): Settlement => {
  const remitted = negate(sum([of.payable, subtract(of.discount, discount), fees]));
  const known = ADJUSTMENTS.map((line) => ({ line, amount: of.adjustments[line] }));
  const all = subtract(add(of.payable, of.discount), of.collected);
  const beyond = subtract(all, sum(known.map(({ amount }) => amount)));
  return {
    of,
    remitted,
    discounts: partsOf(of, [{ line: 'discount', amount: negate(discount) }]),
    adjustments: partsOf(of, [
      { line: lineBeyond(beyond), amount: beyond },
      ...known,
      { line: 'fees', amount: fees },
    ]),
  };
};

const partsOf = (
  of: OpenReturn,
  parts: readonly { readonly line: keyof typeof JOURNAL_LINES; readonly amount: Money }[],
): readonly Part[] =>
  parts
    .filter(({ amount }) => amount !== ZERO)
    .map(({ line, amount }) => ({ what: JOURNAL_LINES[line].text, amount, of }));

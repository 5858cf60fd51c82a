import { describe, expect, test } from 'vitest';
import { Amount } from '../../src/contract/scalars.ts';

describe('an amount on the wire', () => {
  test.for([
    [19.99, 199_900, 'dollars and cents'],
    ['59.0000', 590_000, 'a numeric string with four places'],
    [0.1 + 0.2, 3_000, 'the noise of binary fractions is rounded away'],
    [0.1 + 0.2 - 0.3, 0, 'and what is left of nothing is nothing'],
    [1e-300, 0, 'however small it is'],
    [5e-5, 1, 'half of the fourth place is rounded away from zero'],
    [4.999999999999999e-5, 0, 'and less than half is not'],
    [-5e-5, -1, 'on both sides of zero'],
  ] as const)('%s is %i ten-thousandths: %s', ([sent, kept]) => {
    expect(Amount.parse(sent)).toBe(kept);
  });

  test.for([[1e22], [1e308], ['1e5'], ['12,50'], ['NaN'], [''], ['0x10']] as const)(
    '%s is refused',
    ([sent]) => {
      expect(Amount.safeParse(sent).success).toBe(false);
    },
  );
});

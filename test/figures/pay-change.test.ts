import { describe, expect, test } from 'vitest';
import { dueWithout } from '../../src/figures/pay-change.ts';
import type { TaxReturn } from '../../src/filing/tax-return.ts';
import { money } from '../../src/kernel/money.ts';

const EXEMPT = [{ effect: money(-469) }];

const returnWith = (collected: number, basis: TaxReturn['basis']) => ({
  figures: { collected: money(collected) },
  values: { computed: money(15_083) },
  basis,
});

describe('what a return would ask for on top without a certificate', () => {
  test.for([
    ['greater', 15_903, 0, 0, 'collected above the tax computed covers it'],
    ['greater', 15_283, 0, 269, 'it is covered in part'],
    ['greater', 15_083, 0, 469, 'nothing covers it'],
    ['greater', 14_000, 0, 469, 'less was collected than computed'],
    ['greater', 15_903, -820, 469, 'what would cover it may go back to the buyers'],
    ['greater', 15_903, 500, 0, 'a sale that is kept out covers nothing'],
    ['expected', 15_903, 0, 469, 'the state takes the tax computed'],
    ['collected', 14_000, 0, 0, 'the state takes the tax collected'],
  ] as const)('by the rule %s, collected %i, waiting %i: %i, as %s', ([basis, collected, waiting, due]) => {
    expect(dueWithout(EXEMPT, returnWith(collected, basis), money(waiting))).toBe(due);
  });
});

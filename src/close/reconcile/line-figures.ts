import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import { allocate } from '../../kernel/allocate.ts';
import { type Money, ZERO } from '../../kernel/money.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import type { SaleLine } from '../sales/sale.ts';
import { weightsBy } from './fraction.ts';
import { SHIPPING_UNIT, sumsBy, type TaxModel, taxModelOf } from './tax-model.ts';

/** The three figures of one line, or of shipping. Expected and collected add up to those of the sale. */
export type LineFigures = {
  readonly id: string;
  readonly collected: Money;
  readonly expected: Money;
  /** `null` where the service has no such line; it records no tax of shipping. */
  readonly recorded: Money | null;
};

/** Lines of which the figures are kept. */
const LINES_MAX = 100;

/**
 * Exports know the collected tax of the whole order only, so it goes to the lines as the proved calculation of the shop
 * has it, or in proportion to what was expected of them.
 */
export const lineFiguresOf = (
  result: TaxResult | undefined,
  given: {
    readonly collected: Money;
    readonly lines: readonly SaleLine[];
    readonly recorded: Order | Refund | undefined;
  },
  model: TaxModel | undefined,
): readonly LineFigures[] => {
  const { lines, recorded, collected } = given;
  if (!result || lines.length === 0 || lines.length > LINES_MAX) return [];
  const expectedBy = weightsBy(sumsBy(taxModelOf(result, lines), (unit) => unit));
  const collectedBy = model ? weightsBy(sumsBy(model, (unit) => unit)) : expectedBy;
  const ids = [...lines.map(({ id }) => id), SHIPPING_UNIT];
  const share = (amount: Money, weights: ReadonlyMap<string, number>): readonly Money[] =>
    allocate(
      amount,
      ids.map((id) => weights.get(id) ?? 0),
    );
  const expectedParts = share(result.amount_to_collect, expectedBy);
  const collectedParts = share(collected, collectedBy);
  return ids
    .map((id, index): LineFigures => {
      const line = recorded?.line_items[index];
      return {
        id,
        collected: collectedParts[index] ?? ZERO,
        expected: expectedParts[index] ?? ZERO,
        recorded: line ? moneyOfPrice(line.sales_tax) : null,
      };
    })
    .filter(
      ({ id, ...figures }) => id !== SHIPPING_UNIT || figures.collected !== ZERO || figures.expected !== ZERO,
    );
};

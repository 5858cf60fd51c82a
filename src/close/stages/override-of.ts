import { type Money, parseMoney, ZERO } from '../../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';
import type { ClosePorts } from './close-ports.ts';

/** The tax that a person set by hand for a sale, as the configuration says. */
export const overrideOf = (
  { overrides }: ClosePorts['configuration'],
  { origin }: Sale,
): { readonly tax: Money; readonly why: string } | undefined => {
  const found = overrides.find(({ record }) => record === origin.record);
  return found && { tax: parseMoney(found.tax) ?? ZERO, why: found.why };
};

import { DefectError } from '../../../kernel/errors.ts';
import { type DetailedSale, detailedPages } from '../../workspace/detailed-sales.ts';
import { differenceOf, makerOf } from '../batches/batch.ts';
import type { ClosePorts, OpenSales } from '../close-ports.ts';

/** The sales that another thread asks for, in its order; `undefined` when this one is not like that one any more. */
export const salesAskedFor = async (
  ports: ClosePorts,
  { maker, period, keys }: OpenSales,
): Promise<readonly DetailedSale[] | undefined> => {
  if (differenceOf(makerOf(ports), maker) !== undefined) return undefined;
  const sales: DetailedSale[] = [];
  for await (const page of detailedPages(ports.workspace, period, { keys })) sales.push(...page);
  if (sales.length !== keys.length)
    throw new DefectError(`${keys.length} sales were asked for, and ${sales.length} are there`);
  return sales;
};

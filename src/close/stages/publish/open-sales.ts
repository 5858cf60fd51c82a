import { DefectError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { type DetailedSale, detailedPages } from '../../workspace/detailed-sales.ts';
import { differenceOf, makerOf } from '../batches/batch.ts';
import type { ClosePorts, OpenSales } from '../close-ports.ts';

/** The sales that another thread asks for; `undefined` when this one is not like that one any more. */
export const salesAskedFor = async (
  ports: ClosePorts,
  { maker, period, keys }: OpenSales,
): Promise<readonly DetailedSale[] | undefined> =>
  differenceOf(makerOf(ports), maker) === undefined ? openSales(ports, period, keys) : undefined;

/** The sales of a period with these keys, which no lock holds, in this order. */
export const openSales = async (
  { workspace }: ClosePorts,
  period: FilingPeriod,
  keys: readonly string[],
): Promise<readonly DetailedSale[]> => {
  const sales: DetailedSale[] = [];
  for await (const page of detailedPages(workspace, period, { keys })) sales.push(...page);
  if (sales.length !== keys.length)
    throw new DefectError(`${keys.length} sales were asked for, and ${sales.length} are there`);
  return sales;
};

import type { FilingPeriod } from '../../../kernel/period.ts';
import { DETAIL } from '../../report/sheets/detail.ts';
import { type RowSource, rowsOneByOne } from '../../workbook/row-source.ts';
import { detailedSales } from '../../workspace/detailed-sales.ts';
import type { ClosePorts } from '../close-ports.ts';

/** The rows of Detail, one after the other. */
export const detailRows = ({ workspace }: ClosePorts, period: FilingPeriod): RowSource => {
  async function* rows() {
    for await (const { row } of detailedSales(workspace, period)) yield row;
  }
  return rowsOneByOne(DETAIL, rows());
};

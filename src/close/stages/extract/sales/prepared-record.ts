import { ZERO } from '../../../../kernel/money.ts';
import type { TableRow } from '../../../sales/files/table-row.ts';
import type { RowGroup } from '../../../sales/group-rows.ts';
import type { ReadGroup } from '../../../sales/read-export.ts';
import type { ReadOrder } from '../../../sales/read-sale.ts';
import { serviceId } from '../../../sales/record-id.ts';
import type { Sale } from '../../../sales/sale.ts';
import { saleKey } from '../../../sales/sale-name.ts';
import type { SaleWithText } from '../../../workspace/put-sales.ts';
import { saleRow, setAsideRow } from '../../../workspace/sale-rows.ts';
import type { SetAsideRow } from '../../../workspace/tables.ts';
import { type NumberedLoad, ownerOf } from '../reading/channel-load.ts';
import { controlsText } from '../reading/figures.ts';
import type { OpenExport } from '../reading/open-export.ts';
import { saleOfRecord } from '../reading/record-parts.ts';
import { type CountedRepayment, repaymentCounter } from '../refunds/repayment-rows.ts';

/** A record prepared on its own, before it is known whether it occurs anywhere else. */
export type PreparedRecord = PreparedSale | PreparedAside;

export type PreparedSale = Pick<Sale, 'origin' | 'businessDate' | 'amount' | 'salesTax'> & {
  readonly key: string;
  readonly sale: SaleWithText;
  readonly repayments: readonly CountedRepayment[];
  /** Its rows as the file has them. */
  readonly rows: () => Promise<readonly TableRow[]>;
};

export type PreparedAside = {
  readonly key: string;
  readonly aside: SetAsideRow;
  /** Whether it is the file's statement of the record with this key. */
  readonly isRecord: boolean;
};

/** An export of a load, with the position of its file in reading order. */
export type LoadedExport = Pick<OpenExport, 'profile' | 'meter'> & { readonly file: number };

export const preparedRecord = (
  load: NumberedLoad,
  { profile, meter, file }: LoadedExport,
  { group, record }: ReadGroup,
): PreparedRecord => {
  const key = keyOf(load, { group, record });
  const controls = controlsText(meter.of(group.rows));
  if ('outcome' in record) {
    const hasParts = profile.shape.parts;
    // For a record in parts, the key alone does not show which part it would be.
    const named = group.name === '' || hasParts ? '' : key;
    const aside = setAsideRow(ownerOf(load), record, { key: named, controls });
    return { key, aside, isRecord: isWhole(group) && !hasParts };
  }
  const sale = 'order' in record ? record.order : record.refund;
  const refunded = 'order' in record ? record.refunded : ZERO;
  return {
    key,
    sale: saleRow(ownerOf(load), sale, { refunded, file, controls }),
    origin: sale.origin,
    businessDate: sale.businessDate,
    amount: sale.amount,
    salesTax: sale.salesTax,
    repayments: 'order' in record ? repaymentsOf(record) : [],
    rows: async () => group.rows,
  };
};

const isWhole = ({ kind }: RowGroup): boolean => kind === 'record';

export const keyOf = ({ channel }: Pick<NumberedLoad, 'channel'>, { group, record }: ReadGroup): string => {
  const sale = saleOfRecord(record);
  if (sale) return sale.key;
  const refundId = 'outcome' in record ? record.refundId : undefined;
  return refundId === undefined
    ? saleKey(channel.name, 'order', serviceId(group.name))
    : saleKey(channel.name, 'refund', refundId);
};

const NO_REPAYMENTS: readonly CountedRepayment[] = [];

/** Returns the repayments that the rows of an order tell. */
export const repaymentsOf = ({ order, repayments }: ReadOrder): readonly CountedRepayment[] => {
  if (!repayments) return NO_REPAYMENTS;
  const counted = repaymentCounter();
  return repayments.map((repayment) => counted({ ...repayment, order: order.id, origin: order.origin }));
};

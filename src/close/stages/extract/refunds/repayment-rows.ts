import type { RefundDate } from '../../../sales/refunds.ts';
import type { RefundDateRow } from '../../../workspace/tables.ts';
import type { NumberedLoad, OpenLoad } from '../reading/channel-load.ts';

/** Rows for the repayments of one file. Equal ones of one instant are told apart by counting them within their file. */
export const repaymentCounter = (load: NumberedLoad): ((date: RefundDate) => RefundDateRow) => {
  const copies = new Map<string, number>();
  return (date) => {
    const identity = `${date.order} ${date.instant} ${date.amount}`;
    const copy = (copies.get(identity) ?? 0) + 1;
    copies.set(identity, copy);
    return {
      entity: load.workspace.entity,
      channel: load.channel.name,
      order_id: date.order,
      instant: date.instant,
      amount: date.amount,
      copy,
      file: date.origin.file,
      line: date.origin.line,
      load: load.number,
    };
  };
};

/** Of equal repayments of one instant there are as many as the newest load says that has any of them. */
export const forgetCopies = async ({ workspace, channel, number }: OpenLoad): Promise<void> => {
  await workspace.tables
    .deleteFrom('refund_date')
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where('load', '<>', number)
    .where('copy', '>', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refund_date as newest')
          .select('newest.copy')
          .whereRef('newest.entity', '=', 'refund_date.entity')
          .whereRef('newest.channel', '=', 'refund_date.channel')
          .whereRef('newest.order_id', '=', 'refund_date.order_id')
          .whereRef('newest.instant', '=', 'refund_date.instant')
          .whereRef('newest.amount', '=', 'refund_date.amount')
          .where('newest.load', '=', number),
      ),
    )
    .execute();
};

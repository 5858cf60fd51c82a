import type { CreateRefund, Order } from './transaction.ts';

/** Convert a recorded transaction to one from which it could have been made. */
export const draftOf = ({ user_id: _account, line_items: lines, ...recorded }: Order): CreateRefund => ({
  ...withoutNulls(recorded),
  to_country: recorded.to_country ?? '',
  to_zip: recorded.to_zip ?? '',
  to_state: recorded.to_state ?? '',
  line_items: lines.map(withoutNulls),
});

const withoutNulls = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Fields]: NonNullable<Fields[Name]>;
  };

import * as z from 'zod';
import { type Money, ZERO } from '../../../kernel/money.ts';
import { LAW_FIELDS, MoneyField, refuseUnsourced, StateField } from './law-row.ts';

const noMoney = (): Money => ZERO;

/** What a state asks for one sale whose goods are delivered. It is not tax, and in no figure of a return. */
export const FeeRule = z
  .strictObject({
    state: StateField,
    name: z.string().min(3),
    /** Dollars for a sale; left out where the amount of these days is not known. */
    amount: MoneyField.optional(),
    /** What the goods that count have to come to. */
    fromTotal: MoneyField.default(noMoney),
    /** Categories that count although the state does not tax them, and those that never do. */
    alsoCodes: z.array(z.string()).default([]),
    exceptCodes: z.array(z.string()).default([]),
    /** The words, in small letters, by which a line or a tax line of the shop is known to be the fee. */
    charged: z.array(z.string().regex(/^[^A-Z]+$/, 'must be in small letters')).min(1),
    return: z.strictObject({
      form: z.string(),
      /** Whether that is a return of its own. */
      own: z.boolean(),
      where: z.string(),
    }),
    /** Who or what does not owe it, which no export says. */
    limits: z.string(),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type FeeRule = z.output<typeof FeeRule>;

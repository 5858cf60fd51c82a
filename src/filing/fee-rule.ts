import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type Money, ZERO } from '../kernel/money.ts';
import { isInForce, LAW_FIELDS, MoneyField, refuseUnsourced, StateField } from './law-row.ts';

const noMoney = (): Money => ZERO;

/** A fee that a state charges on delivered sales. It is not tax, and no figure of a return includes it. */
export const FeeRule = z
  .strictObject({
    state: StateField,
    name: z.string().min(3),
    /** Dollars per sale; omitted if the amount for these days is not known. */
    amount: MoneyField.optional(),
    /** The minimum total of the goods that count. */
    fromTotal: MoneyField.default(noMoney),
    /** Categories that count even though the state does not tax them, and categories that never count. */
    alsoCodes: z.array(z.string()).default([]),
    exceptCodes: z.array(z.string()).default([]),
    /** Words, in lower case, that identify the fee in a line or a tax line of the shop. */
    charged: z.array(z.string().regex(/^[^A-Z]+$/, 'must be in small letters')).min(1),
    return: z.strictObject({
      form: z.string(),
      /** Whether the fee has a return of its own. */
      own: z.boolean(),
      where: z.string(),
    }),
    /** Exemptions from the fee that no export shows. */
    limits: z.string(),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type FeeRule = z.output<typeof FeeRule>;

/** Whether a line of an order or of tax has the name of a fee. */
export const isFee = ({ charged }: Pick<FeeRule, 'charged'>, name: string): boolean => {
  const words = name.toLowerCase();
  return charged.some((text) => words.includes(text));
};

/** Whether a line of this name is a fee that the state asks for a sale of this day. */
export const isFeeOn = (rules: readonly FeeRule[], name: string, state: string, day: CalendarDate): boolean =>
  rules.some((rule) => rule.state === state && isInForce(rule, day) && isFee(rule, name));

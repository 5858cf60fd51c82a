import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { FeeRule } from './filing-law.ts';
import { isInForce } from './law-row.ts';

/** Whether a line of an order or of tax has the name of a fee. */
export const isFee = ({ charged }: Pick<FeeRule, 'charged'>, name: string): boolean => {
  const words = name.toLowerCase();
  return charged.some((text) => words.includes(text));
};

/** Whether a line of this name is a fee that the state asks for a sale of this day. */
export const isFeeOn = (rules: readonly FeeRule[], name: string, state: string, day: CalendarDate): boolean =>
  rules.some((rule) => rule.state === state && isInForce(rule, day) && isFee(rule, name));

import { formatMoney, type Money } from '../../kernel/money.ts';

/** `-12,345.60`: thousands apart, so that a column of amounts is read at a glance. */
export const shownMoney = (amount: Money): string => formatMoney(amount).replace(/\B(?=(\d{3})+\.)/g, ',');

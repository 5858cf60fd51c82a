import { type FeeRule, isFee, isInForce } from '../filing/law-row.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { FeeFigures } from '../filing/state-figures.ts';
import type { DetailRow } from '../judge/detail-row.ts';
import { type Finding, finding } from '../judge/finding.ts';
import {
  add,
  addRow,
  atLeastZero,
  formatMoney,
  type Money,
  money,
  moneyOfPrice,
  parseMoney,
  price,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import { netOf } from '../sales/read-lines.ts';
import type { Sale } from '../sales/sale.ts';
import { entryOf } from '../sales/sale-name.ts';

/** The sums of the orders under one rule. */
type Sums = Omit<FeeFigures, 'rule' | 'due'>;

/** The seller's choice on a state's fee: dollars per sale, or `none` if it does not owe the fee. */
export type FeeChoice = Pick<FilingRegistration, 'state' | 'deliveryFee'>;

/**
 * Counts the orders that owe a fee of their state, and sums what the shop charged for it. Refunds do not reduce fees.
 */
export const feeGatherer = (rules: readonly FeeRule[], choices: readonly FeeChoice[]) => {
  const byRule = new Map<FeeRule, Sums>();
  const said = new Map(choices.map(({ state, deliveryFee }) => [state, deliveryFee]));
  // Uses the seller's own amount if the law does not have one.
  const amountOf = (rule: FeeRule): Money | undefined =>
    rule.amount ?? parseMoney(said.get(rule.state) ?? '');
  const gathered = (): readonly FeeFigures[] =>
    rules.flatMap((rule) => {
      const sums = byRule.get(rule);
      const amount = amountOf(rule);
      return sums ? [{ rule: { ...rule, amount }, ...sums, due: money((amount ?? ZERO) * sums.sales) }] : [];
    });
  return {
    add: (row: DetailRow, sale: Sale): void => {
      const { kind, isReversal } = entryOf(row);
      if (!row.isPosted || kind === 'refund') return;
      const rule = rules.find((each) => each.state === row.state && isInForce(each, sale.taxDate));
      if (rule === undefined) return;
      const charged = chargedOf(rule, sale);
      const isOwed = said.get(rule.state) !== 'none' && owes(rule, row, sale);
      if (!isOwed && charged === ZERO) return;
      const sign = isReversal ? -1 : 1;
      const above = atLeastZero(subtract(charged, isOwed ? (amountOf(rule) ?? ZERO) : ZERO));
      const sums = {
        sales: isOwed ? sign : 0,
        charged: money(sign * charged),
        excess: money(sign * above),
      };
      addRow(byRule, rule, sums, ['sales', 'charged', 'excess']);
    },
    of: (state: string) => gathered().filter(({ rule }) => rule.state === state),
    /** Fees that are owed, but whose amount is neither in the law nor configured by the seller. */
    unknown: () => gathered().filter(({ rule, sales }) => rule.amount === undefined && sales > 0),
  };
};

/** Builds the exceptions for fees of unknown amount: the seller must configure the amount, or `none`. */
export const findingsOfFees = (
  unknown: readonly FeeFigures[],
  { label }: Pick<FilingPeriod, 'label'>,
): readonly Finding[] =>
  unknown.map(({ rule, sales, charged }) =>
    finding(
      'unknown-fee',
      `${rule.name}: ${shownNumber(sales, 'order')} may owe it, and Tieout does not know its amount; ${charged === ZERO ? 'no line of the shop has its name' : `the shop charged ${formatMoney(charged)}`}. ${[rule.limits, rule.note].filter(Boolean).join(' ')}`,
      { record: `${rule.state} ${rule.return.form} ${label}`, state: rule.state },
    ),
  );

/**
 * Whether an order owes a fee: its taxable goods, and goods that count even if untaxed, reach the rule's minimum total.
 * Marketplace sales, exempt sales and sales in person do not owe the fee.
 */
const owes = (rule: FeeRule, row: DetailRow, sale: Sale): boolean => {
  if (!row.hasNexus || sale.inPerson || (sale.exemptionType !== null && sale.exemptionType !== 'non_exempt'))
    return false;
  const isTaxed = row.levels.some(({ level, taxable }) => level === 'state' && taxable !== ZERO);
  const goods = sale.lines.filter((line) => !isFee(rule, line.description));
  const counted = goods.filter(({ taxCode }) => {
    const code = taxCode ?? '';
    return !rule.exceptCodes.includes(code) && (isTaxed || rule.alsoCodes.includes(code));
  });
  const unlisted = sale.lines.length === 0 && isTaxed ? subtract(sale.amount, sale.shipping) : ZERO;
  const total = add(
    moneyOfPrice(price(counted.reduce((running, line) => running + netOf(line), 0))),
    unlisted,
  );
  return total > 0 && total >= rule.fromTotal;
};

/**
 * Sums what the seller charged for the fee, as a line of the order or as a line of tax.
 */
const chargedOf = (rule: FeeRule, sale: Sale): Money => {
  if (sale.exemptionType === 'marketplace') return ZERO;
  const lines = sale.lines
    .filter((line) => isFee(rule, line.description))
    .map((line) => moneyOfPrice(netOf(line)));
  const fees = (sale.stateFees ?? []).filter(({ name }) => isFee(rule, name));
  return sum([...lines, ...fees.map(({ amount }) => amount)]);
};

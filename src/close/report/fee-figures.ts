import { add, formatMoney, type Money, money, parseMoney, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { moneyOfPrice, price } from '../../kernel/price.ts';
import { shownNumber } from '../../kernel/shown-figures.ts';
import type { FeeRule } from '../filing/law/filing-law.ts';
import { isInForce } from '../filing/law/law-row.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { FeeFigures } from '../filing/state-figures.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import type { DraftException } from '../reconcile/exceptions.ts';
import { netOf } from '../sales/read-lines.ts';
import { type Sale, taxLinesOf } from '../sales/sale.ts';

/** Records named one by one; the rest is counted. */
const NAMED_MAX = 5;

type Gathered = {
  /** With the seller's own amount, where the law does not have one. */
  readonly rule: FeeRule;
  sales: number;
  chargedSales: number;
  charged: Money;
  excess: Money;
  readonly notCharged: string[];
};

/** What the seller says of the fees of a state: the dollars for a sale, or that it owes `none`. */
export type FeeChoice = Pick<FilingRegistration, 'state' | 'deliveryFee'>;

export type FeeGatherer = {
  readonly add: (row: DetailRow, sale: Sale) => void;
  readonly of: (state: string) => readonly FeeFigures[];
  /** Those that are owed, and whose amount neither the law here nor the seller says. */
  readonly unknown: () => readonly FeeFigures[];
};

/** Counts the orders that owe a fee of their state, and what the shop charged for it. Refunds take no fee back. */
export const feeGatherer = (rules: readonly FeeRule[], choices: readonly FeeChoice[]): FeeGatherer => {
  const byRule = new Map<FeeRule, Gathered>();
  const figuresOf = (known: Gathered): FeeFigures => ({
    ...known,
    due: money((known.rule.amount ?? ZERO) * known.sales),
  });
  const said = new Map(choices.map(({ state, deliveryFee }) => [state, deliveryFee]));
  return {
    add: (row, sale) => {
      if (!row.isPosted || row.kind === 'refund') return;
      const rule = rules.find(({ state, ...days }) => state === row.state && isInForce(days, sale.taxDate));
      if (rule === undefined) return;
      const choice = said.get(rule.state);
      const charged = chargedOf(rule, sale);
      const isOwed = choice !== 'none' && owes(rule, row, sale);
      if (!isOwed && charged === ZERO) return;
      const known = byRule.get(rule) ?? gathered(rule, choice);
      byRule.set(rule, known);
      if (isOwed) known.sales += 1;
      if (charged !== ZERO) known.chargedSales += 1;
      known.charged = add(known.charged, charged);
      const above = subtract(charged, isOwed ? (known.rule.amount ?? ZERO) : ZERO);
      if (above > 0) known.excess = add(known.excess, above);
      if (isOwed && charged === ZERO && known.notCharged.length < NAMED_MAX)
        known.notCharged.push(row.record);
    },
    of: (state) =>
      rules.flatMap((rule) => {
        const known = byRule.get(rule);
        if (rule.state !== state || !known) return [];
        return [figuresOf(known)];
      }),
    unknown: () =>
      [...byRule.values()].filter(({ rule, sales }) => rule.amount === undefined && sales > 0).map(figuresOf),
  };
};

const gathered = (rule: FeeRule, choice: string | undefined): Gathered => ({
  rule: { ...rule, amount: rule.amount ?? parseMoney(choice ?? '') },
  sales: 0,
  chargedSales: 0,
  charged: ZERO,
  excess: ZERO,
  notCharged: [],
});

/** A return cannot ask for a fee of which no amount is known: the seller says it, or that it owes none. */
export const exceptionsOfFees = (
  unknown: readonly FeeFigures[],
  { label }: Pick<FilingPeriod, 'label'>,
): readonly DraftException[] =>
  unknown.map(({ rule, sales, excess }) => ({
    severity: 'error',
    code: 'unknown-fee',
    origin: { file: '', line: 0, record: `${rule.state} ${rule.return.form} ${label}` },
    message: `${rule.name}: ${shownNumber(sales, 'order')} may owe it, and Tieout does not know its amount; the shop charged ${formatMoney(excess)}`,
    state: rule.state,
    effect: ZERO,
  }));

/**
 * Whether an order owes a fee: the goods that the state taxes, and those that count in any case, come to what the rule
 * asks for. A sale that a marketplace taxes is the marketplace's, and one that is exempt owes none.
 */
const owes = (rule: FeeRule, row: DetailRow, sale: Sale): boolean => {
  if (!row.hasNexus || (sale.exemptionType !== null && sale.exemptionType !== 'non_exempt')) return false;
  const isTaxed = row.levels.some(({ level, taxable }) => level === 'state' && taxable > 0);
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

/** What the shop charged for the fee: as a line of the order, or among its lines of tax. */
const chargedOf = (rule: FeeRule, sale: Sale): Money => {
  const lines = sale.lines
    .filter((line) => isFee(rule, line.description))
    .map((line) => moneyOfPrice(netOf(line)));
  const taxes = taxLinesOf(sale)
    .filter(({ name }) => isFee(rule, name))
    .map(({ amount }) => amount);
  return sum([...lines, ...taxes]);
};

const isFee = ({ charged }: FeeRule, text: string): boolean => {
  const words = text.toLowerCase();
  return charged.some((name) => words.includes(name));
};

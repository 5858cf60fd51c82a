import { join } from 'node:path';
import { digestOf, type Json } from '../../kernel/digest.ts';
import { add, type Money, money, negate, subtract, sum } from '../../kernel/money.ts';
import { moneyOfPrice } from '../../kernel/price.ts';
import { adjustmentId } from '../reconcile/adjusted-refund.ts';
import { detailRowOf } from '../reconcile/detail-row.ts';
import { addRow, emptyTotals, inKeyOrder, type PeriodTotals } from '../reconcile/period-totals.ts';
import { readLog } from './log-file.ts';
import { type LoggedCalculation, type LoggedRecord, type LoggedSale, logPath } from './logged.ts';
import type { Manifest } from './manifest.ts';
import { reasonFigures, stateSums } from './manifest-content.ts';
import type { Problem } from './verify-files.ts';

/** Each log has as many records as the manifest says. */
export const checkRecords = async (folder: string, { content }: Manifest): Promise<Problem> => {
  for (const { path, records } of content.logs) {
    let count = 0;
    for await (const _ of readLog(join(folder, path))) count += 1;
    if (count !== records) return `${path} has ${count} records, and the manifest says ${records}`;
  }
  return undefined;
};

/**
 * Every figure follows from the logs alone: the reasons of each sale add up to its variance and the levels to its
 * tax, its expected tax is what its calculation answered, its recorded tax is what was read back, and the sums by
 * state and by reason are those of the manifest.
 */
export const checkFigures = async (folder: string, { content }: Manifest): Promise<Problem> => {
  const recorded = await recordedTaxes(folder);
  const answers = answersBySale(folder);
  const totals = emptyTotals();
  for await (const line of readLog(join(folder, logPath('sales')))) {
    const logged = line as LoggedSale;
    const asked = logged.calculation === null ? undefined : await answers(logged.sale.key);
    const problem = problemOf(logged, asked, recorded);
    if (problem !== undefined) return `${logged.sale.key}: ${problem}`;
    addRow(totals, detailRowOf(logged.sale, logged.posting, logged.reconciled ?? undefined));
  }
  return differingTotal(totals, content);
};

const problemOf = (
  { sale, provider, calculation, reconciled }: LoggedSale,
  asked: LoggedCalculation | undefined,
  recorded: ReadonlyMap<string, Money>,
): Problem => {
  if (!reconciled) return undefined;
  const isRefund = sale.kind === 'refund';
  const signed = (amount: Money): Money => (isRefund ? negate(amount) : amount);
  const { expected } = reconciled;
  if (expected !== null) {
    const explained = sum(reconciled.reasons.map(({ amount }) => amount));
    if (explained !== subtract(signed(sale.salesTax), expected))
      return 'its reasons do not add up to its variance';
    if (reconciled.levels.length > 0 && sum(reconciled.levels.map(({ tax }) => tax)) !== expected)
      return 'its jurisdictions do not add up to its expected tax';
  }
  if (calculation !== null) {
    if (asked?.digest !== calculation) return 'its calculation is not in the log of calculations';
    if (digestOf({ service: asked.service, request: asked.request } as Json) !== calculation)
      return 'the request of its calculation was changed';
    if (expected !== null && signed(money(asked.result.amount_to_collect)) !== expected)
      return 'its expected tax is not what its calculation answered';
  }
  const held = reconciled.recorded;
  if (held !== null && recordedTax(recorded, `${provider}/${sale.kind}`, sale.id) !== held)
    return 'its recorded tax is not what was read back';
  return undefined;
};

/** The tax that is recorded of a sale, the adjustments of a refund included; `undefined` when it is not recorded. */
const recordedTax = (taxes: ReadonlyMap<string, Money>, space: string, id: string): Money | undefined => {
  let total = taxes.get(`${space}/${id}`);
  for (let number = 1; total !== undefined; number += 1) {
    const adjustment = taxes.get(`${space}/${adjustmentId(id, number)}`);
    if (adjustment === undefined) break;
    total = add(total, adjustment);
  }
  return total;
};

/** The tax of every record that was read back, by the provider, kind and id under which the service holds it. */
const recordedTaxes = async (folder: string): Promise<ReadonlyMap<string, Money>> => {
  const taxes = new Map<string, Money>();
  for await (const line of readLog(join(folder, logPath('pull-back')))) {
    const { provider, kind, id, record } = line as LoggedRecord;
    taxes.set(`${provider}/${kind}/${id}`, moneyOfPrice(record.sales_tax));
  }
  return taxes;
};

/** The calculation of one sale after the other. Both logs are in the order of the sales, so none is held in memory. */
const answersBySale = (folder: string): ((key: string) => Promise<LoggedCalculation | undefined>) => {
  const log = readLog(join(folder, logPath('calculations')));
  return async (key) => {
    for (;;) {
      const next = await log.next();
      if (next.done) return undefined;
      const logged = next.value as LoggedCalculation;
      if (logged.key === key && logged.code === undefined) return logged;
    }
  };
};

const differingTotal = (totals: PeriodTotals, content: Manifest['content']): Problem => {
  const pairs = [
    ['the state', 'state', inKeyOrder(totals.states).map(stateSums), content.states],
    ['the reason', 'code', inKeyOrder(totals.reasons).map(reasonFigures), content.reasons],
  ] as const;
  for (const [what, name, computed, stated] of pairs) {
    const found = firstDifference(computed as readonly Figures[], stated as readonly Figures[], name);
    if (found !== undefined) return `${what} ${found}`;
  }
  return undefined;
};

type Figures = Readonly<Record<string, string | number>>;

const firstDifference = (computed: readonly Figures[], stated: readonly Figures[], name: string): Problem => {
  for (let index = 0; index < Math.max(computed.length, stated.length); index += 1) {
    const [left, right] = [computed[index], stated[index]];
    if (left?.[name] !== right?.[name])
      return `${right?.[name] ?? left?.[name]} is not in both the manifest and the log of sales`;
    const figure = Object.keys(left ?? {}).find((key) => left?.[key] !== right?.[key]);
    if (figure !== undefined)
      return `${left?.[name]}: ${figure} comes to ${left?.[figure]}, and the manifest says ${right?.[figure]}`;
  }
  return undefined;
};

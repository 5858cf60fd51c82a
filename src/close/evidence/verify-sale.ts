import { wireSent } from '../../contract/wire-transaction.ts';
import { canonicalJson, digestOf, type Json } from '../../kernel/digest.ts';
import { add, type Money, money, negate, subtract, sum } from '../../kernel/money.ts';
import { adjustmentId } from '../reconcile/adjusted-refund.ts';
import type { Place, Sale } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/tax-request-of.ts';
import { transactionOf } from '../sales/transaction-of.ts';
import type { LoggedCalculation, LoggedSale, LoggedSubmission } from './logged.ts';
import type { Problem } from './verify-files.ts';

/** What the other logs hold of a sale. */
export type BesideSale = {
  readonly asked: LoggedCalculation | undefined;
  readonly submitted: LoggedSubmission | undefined;
  /** The tax of every record that was read back, by provider, kind and id. */
  readonly recorded: ReadonlyMap<string, Money>;
};

/**
 * A sale follows from itself and the other logs: its reasons add up to its variance and its levels to its tax, what
 * was asked and what was sent are made from it, its expected tax is what was answered, and its recorded tax is what
 * was read back.
 */
export const checkSale = (logged: LoggedSale, beside: BesideSale): Problem =>
  sumsProblem(logged) ??
  calculationProblem(logged, beside) ??
  submissionProblem(logged, beside) ??
  recordProblem(logged, beside);

const signedFor =
  ({ kind }: Sale) =>
  (amount: Money): Money =>
    kind === 'refund' ? negate(amount) : amount;

const sumsProblem = ({ sale, reconciled }: LoggedSale): Problem => {
  if (!reconciled || reconciled.expected === null) return undefined;
  const { expected, reasons, levels } = reconciled;
  const explained = sum(reasons.map(({ amount }) => amount));
  if (explained !== subtract(signedFor(sale)(sale.salesTax), expected))
    return 'its reasons do not add up to its variance';
  return levels.length > 0 && sum(levels.map(({ tax }) => tax)) !== expected
    ? 'its jurisdictions do not add up to its expected tax'
    : undefined;
};

const calculationProblem = (
  { sale, calculation, reconciled }: LoggedSale,
  { asked }: BesideSale,
): Problem => {
  if (calculation === null) return undefined;
  if (asked?.digest !== calculation) return 'its calculation is not in the log of calculations';
  if (digestOf({ service: asked.service, request: asked.request } as Json) !== calculation)
    return 'the request of its calculation was changed';
  const request = taxRequestOf(sale, shipFromOf(asked.request as Wire));
  const other = differentField(request as Json, asked.request);
  if (other !== undefined) return `its calculation was asked for another sale: ${other}`;
  const expected = reconciled?.expected ?? null;
  return expected !== null && signedFor(sale)(money(asked.result.amount_to_collect)) !== expected
    ? 'its expected tax is not what its calculation answered'
    : undefined;
};

const submissionProblem = (
  { sale, provider, submission }: LoggedSale,
  { asked, submitted }: BesideSale,
): Problem => {
  if (submission === null)
    return submitted && 'the log of submissions has it, and the log of sales says that it was not sent';
  if (submitted?.digest !== submission) return 'what was sent of it is not in the log of submissions';
  const sent = transactionOf(sale, provider, shipFromOf(submitted.body as Wire), asked?.result);
  const other = differentField(wireSent(sent) as Json, submitted.body);
  return other === undefined ? undefined : `what was sent of it is not what it was: ${other}`;
};

const recordProblem = ({ sale, provider, reconciled }: LoggedSale, { recorded }: BesideSale): Problem => {
  const held = reconciled?.recorded ?? null;
  return held !== null && recordedTax(recorded, `${provider}/${sale.kind}`, sale.id) !== held
    ? 'its recorded tax is not what was read back'
    : undefined;
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

type Wire = Readonly<Record<string, string>>;

/** Where goods leave from is the seller's, and no part of a sale: it is taken from what went over the wire. */
const shipFromOf = (wire: Wire): Place => ({
  country: wire['from_country'] ?? '',
  zip: wire['from_zip'] ?? '',
  state: wire['from_state'] ?? '',
  city: wire['from_city'] ?? '',
  street: wire['from_street'] ?? '',
});

/** The first field in which two objects differ, with both values. */
const differentField = (wanted: Json, found: Json): string | undefined => {
  const [left, right] = [wanted, found] as Readonly<Record<string, Json | undefined>>[];
  if (!left || !right) return 'there is nothing';
  const text = (value: Json | undefined): string => (value === undefined ? 'nothing' : canonicalJson(value));
  const field = [...new Set([...Object.keys(left), ...Object.keys(right)])].find(
    (key) => text(left[key]) !== text(right[key]),
  );
  return field && `${field} is ${text(right[field])}, and the sale has ${text(left[field])}`;
};

import { subtract, sum } from '../../kernel/money.ts';
import { postingOf } from '../sales/sale.ts';
import { bodyMark, countedAnswer, providerIn, requestMark, signedFor } from './derivation.ts';
import type { LoggedSale } from './logged.ts';
import { adjustmentsAmong, type Extras, sumsOf } from './logged-extras.ts';
import type { Derivation } from './manifest.ts';
import type { Problem } from './verify-files.ts';

/**
 * A sale follows from itself: its reasons add up to its variance and its levels to its tax, what was asked and what was
 * sent are made from it, its expected tax is what was answered, and its recorded tax is what was read back.
 */
export const checkSale = (logged: LoggedSale, derivation: Derivation, extras: Extras): Problem =>
  calculationProblem(logged, derivation) ??
  submissionProblem(logged, derivation) ??
  figuresProblem(logged) ??
  recordProblem(logged, derivation, extras);

const figuresProblem = ({ sale, reconciled, figuresHold }: LoggedSale): Problem => {
  if (!figuresHold) return 'the log has no figures of it, and its answer and its record do not tie out';
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
  { sale, calculation, reconciled, isFiled }: LoggedSale,
  derivation: Derivation,
): Problem => {
  if (!calculation)
    return reconciled?.hasNexus === true && !isFiled ? 'its calculation is not in the log' : undefined;
  const { mark, service, result } = calculation;
  if (requestMark(sale, service, derivation) !== mark) return 'its calculation was asked for another sale';
  if (!reconciled || reconciled.expected === null) return undefined;
  const signed = signedFor(sale);
  if (signed(result.amount_to_collect) !== reconciled.expected)
    return 'its expected tax is not what its calculation answered';
  return signed(result.taxable_amount) === reconciled.taxable &&
    result.has_nexus === reconciled.hasNexus &&
    result.tax_source === reconciled.taxSource &&
    result.freight_taxable === reconciled.freightTaxable
    ? undefined
    : 'its figures are not those of its calculation';
};

const submissionProblem = (
  { sale, calculation, submission, recorded, reconciled, isFiled }: LoggedSale,
  derivation: Derivation,
): Problem => {
  if (!submission)
    return recorded && !isFiled ? 'it is recorded, and what was sent of it is not in the log' : undefined;
  const answer = countedAnswer(calculation?.result, reconciled);
  return bodyMark(sale, answer, derivation) === submission.mark
    ? undefined
    : 'what was sent of it was made from another sale';
};

const recordProblem = (
  { sale, reconciled, recorded }: LoggedSale,
  derivation: Derivation,
  extras: Extras,
): Problem => {
  const provider = providerIn(derivation, sale);
  // What is held now may have been recorded before.
  if (postingOf(sale) === 'posted' && extras.has(`${provider}/${sale.kind}/${sale.id}`))
    return 'its record stands among those that are of no sale';
  const held = reconciled?.recorded ?? null;
  if (held === null) return undefined;
  const adjustments = sale.kind === 'refund' ? adjustmentsAmong(extras, provider, sale.id) : [];
  const taxes = adjustments.flatMap((name) => extras.get(name)?.sums.tax ?? []);
  return recorded && sum([sumsOf(recorded.record).tax, ...taxes]) === held
    ? undefined
    : 'its recorded tax is not what was read back';
};

import {
  explainVariance,
  isExempt,
  isUnexplained,
  NOTHING_DUE,
  type VarianceInput,
} from '../close/reconcile/explain-variance.ts';
import { type OpenVariance, openModelOf } from '../close/reconcile/rate-claim.ts';
import { statedClaims } from '../close/reconcile/stated-rates.ts';
import { type Sale, taxLinesOf } from '../close/sales/sale.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { calendarDate, daysFrom } from '../kernel/calendar.ts';
import { ZERO } from '../kernel/money.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type Answers, nothingDue } from './calculations.ts';
import { gapAt } from './content-gap.ts';
import type { FoundOut } from './expectation.ts';

/** Returns the variance of a sale if its own calculation does not explain the tax it carries. */
export const openVariance = (
  ports: ClosePorts,
  sale: Sale,
  answers: Answers,
): Omit<OpenVariance, 'gap'> | undefined => {
  const isDue = nothingDue(ports, sale) === undefined;
  const answer = isDue ? answers.get(sale)?.answer : NOTHING_DUE;
  if (answer === undefined || answer instanceof ServiceRefusal) return undefined;
  const whole = isDue ? answers.get(sale)?.whole : undefined;
  const isOpen = isDue
    ? isLeftOpen(ports, sale, answer)
    : sale.salesTax !== ZERO && registeredLater(ports, sale) !== undefined;
  return isOpen ? { sale, expectation: answer, ...(whole && { whole }) } : undefined;
};

const isLeftOpen = (ports: ClosePorts, sale: Sale, answer: TaxResult): boolean => {
  if (sale.salesTax === answer.amount_to_collect) return false;
  if (isExempt(answer)) return true;
  const open = { sale, expectation: answer, gap: gapAt(ports, sale) };
  if (answer.has_nexus && statedClaims(open, openModelOf(open)).length > 0) return true;
  return isWithoutReason(open);
};

/**
 * Whether neither a common error nor a line explains what was collected. A sale can also be open because of what its
 * tax lines state.
 */
export const isWithoutReason = (open: OpenVariance): boolean =>
  isUnexplained(explainVariance(varianceCase(open, 'brief')));

/** Returns the input for explaining a sale on its own, without its order and answers to questions. */
export const varianceCase = (
  { sale, expectation }: OpenVariance,
  search: NonNullable<VarianceInput['search']>,
): VarianceInput => ({
  kind: sale.kind,
  collected: sale.salesTax,
  shipping: sale.shipping,
  lines: sale.lines,
  amount: sale.amount,
  partOf: sale.partOf,
  taxLines: taxLinesOf(sale),
  expectation,
  alternatives: [],
  search,
});

/** Returns the day on which the duty to collect in the destination begins, when it is soon after the sale. */
export const registeredLater = ({ configuration }: ClosePorts, { shipTo, taxDate }: Sale) => {
  const found = configuration.registrations.find(({ state }) => state === shipTo.state);
  if (found === undefined) return undefined;
  const since = calendarDate(found.since);
  return since > taxDate && daysFrom(taxDate, since) <= SOON_DAYS ? since : undefined;
};

/** The length of the longest filing period. */
const SOON_DAYS = 366;

/** What is stored of a variance that there was no question left for. */
export const NOT_ASKED: FoundOut = { claims: [], alternatives: [], isCutShort: true };

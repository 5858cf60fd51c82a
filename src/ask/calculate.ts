import { isExempting, withoutExemption } from '../certificates/certificate.ts';
import type { Configuration } from '../configuration/schema.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxRequestInput } from '../contract/tax-request.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import type { ContentGap } from '../contract/tax-service.ts';
import {
  explainVariance,
  isExempt,
  isUnexplained,
  NOTHING_DUE,
  nothingDueOf,
} from '../judge/explain-variance.ts';
import type { AnsweredHypothesis } from '../judge/hypothesis.ts';
import { answerAbout } from '../judge/part-of-order.ts';
import { type OpenVariance, openModelOf, type RateClaim, statedClaims } from '../judge/rate-claim.ts';
import type { ReconcileInput } from '../judge/reconciled-sale.ts';
import { calendarDate, daysFrom } from '../kernel/calendar.ts';
import { type Money, subtract, ZERO } from '../kernel/money.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Place, Sale } from '../sales/sale.ts';
import { requestDigest, taxRequestOf } from '../sales/service-records.ts';
import type { CalculationCache } from './answers.ts';

/**
 * The tax that a sale should have carried. Where neither calculation nor tax lines explain what it carries, `open` is what
 * its variance has beside the sale and the answer.
 */
export type Calculation = {
  readonly row: Calculated;
  readonly open: Pick<OpenVariance, 'gap' | 'whole'> | undefined;
};

/**
 * Calculates posted sales, by key, exempt ones without their exemption, too, to show what it relieves. Equal requests are
 * made once, and none where no tax is due.
 */
export const calculateSales = async (
  ports: ClosePorts,
  sales: readonly Sale[],
  calls: CallBudget,
): Promise<ReadonlyMap<string, Calculation>> => {
  const due = sales.filter((sale) => nothingDue(ports, sale) === undefined);
  const relieved = sales.filter((sale) => isRelieved(ports, sale));
  const plain = new Map(relieved.map((sale) => [sale.key, withoutExemption(sale)]));
  const asked = [...due, ...plain.values()].map((sale) => ({ sale }));
  const answers = await answersTo(ports, asked, calls);
  return new Map(
    sales.map((sale): [string, Calculation] => {
      const unrelieved = plain.get(sale.key);
      const relief = unrelieved && storedOf(answers.get(unrelieved));
      const { row, open } = calculationOf(ports, sale, answers);
      return [sale.key, { row: relief ? { ...row, relief } : row, open }];
    }),
  );
};

/** Whether tax would be due on a sale if it were not exempt. */
export const isRelieved = (ports: ClosePorts, sale: Sale): boolean =>
  isExempting(sale.exemptionType) && nothingDue(ports, sale) === undefined;

const calculationOf = (ports: ClosePorts, sale: Sale, answers: Answers): Calculation => {
  const basis = nothingDue(ports, sale);
  if (basis !== undefined) {
    const isOpen = sale.salesTax !== ZERO && registeredLater(ports, sale) !== undefined;
    return { row: { basis }, open: isOpen ? { gap: gapAt(ports, sale) } : undefined };
  }
  const { digest, answer, whole } = answers.get(sale) as Answered;
  if (answer instanceof ServiceRefusal)
    return { row: { basis: 'refused', detail: answer.message }, open: undefined };
  const row = { basis: 'calculated', own: { digest, result: answer } } as const;
  if (sale.salesTax === answer.amount_to_collect) return { row, open: undefined };
  const ofOrder = whole && { whole };
  const open = { gap: gapAt(ports, sale), ...ofOrder };
  const variance = { sale, expectation: answer, ...open };
  if (!isLeftOpen(variance)) return { row, open: undefined };
  const claims = claimsByLines(variance);
  if (claims.length === 0) return { row, open };
  return { row: { ...row, ...ofOrder, found: { ...NOTHING_FOUND, claims } }, open: undefined };
};

/** Returns what the shop's tax lines claim, if it proves what was collected: lines that state a rate are proof in themselves. */
const claimsByLines = (open: OpenVariance): readonly RateClaim[] => {
  const stated = isRateless(open) ? [] : statedClaims(open, openModelOf(open));
  return isProvedBy(open, stated) ? stated : [];
};

/** Whether a sale has no rates to compare others with: it is exempt as a whole, or no tax is due at its destination. */
export const isRateless = ({ expectation }: OpenVariance): boolean =>
  !expectation.has_nexus || isExempt(expectation);

/** Whether claims prove what was collected. */
export const isProvedBy = (
  { sale, expectation, whole }: OpenVariance,
  claims: readonly RateClaim[],
): boolean => {
  const given = { sale, expectation, whole, alternatives: [], claims, search: 'claims' } as const;
  return claims.length > 0 && (explainVariance(given).claims?.length ?? 0) > 0;
};

/** Returns an answer without its request, which can be derived from the sale; `undefined` for a refusal. */
export const storedOf = (answered: Answered | undefined): StoredAnswer | undefined =>
  !answered || answered.answer instanceof ServiceRefusal
    ? undefined
    : { digest: answered.digest, result: answered.answer };

/** The answer about a sale, with the digest of its request. */
export type Answered = {
  readonly digest: string;
  readonly answer: TaxResult | ServiceRefusal;
  /** The answer to the request, if it is about the order of which the sale gives a part back. */
  readonly whole?: TaxResult;
};

/** Answers by the sale they are about. */
export type Answers = ReadonlyMap<Sale, Answered>;

/** The cache, the calls made so far, and how many more may be made. */
export type CallBudget = {
  readonly cache: CalculationCache;
  asked: number;
  left: number;
};

/**
 * Returns why no tax is due from the seller on a sale, so that no calculation is needed; `undefined` when a calculation
 * must show what is due. Nothing is due if the seller is not registered on that day, as the interface allows for
 * destinations in the United States. For a marketplace sale, the marketplace remits the tax.
 */
export const nothingDue = ({ configuration }: ClosePorts, sale: Sale) =>
  nothingDueOf(sale, configuration.registrations);

/** A sale to calculate, and the place it ships from, if not the configured one. */
type SaleFrom = {
  readonly sale: Sale;
  readonly shipFrom?: Place;
};

export const requestOf = (
  { configuration }: ClosePorts,
  { sale, shipFrom = configuration.shipFrom }: SaleFrom,
) => taxRequestOf(sale, shipFrom);

export const digestOfRequest = (ports: ClosePorts, sale: Sale): string =>
  requestDigest(ports.serviceId, requestOf(ports, { sale }));

/**
 * Returns the answers to the requests of these sales: stored ones, or new ones, which are then stored. Equal requests
 * are made once. Requests that exceed the budget get no answer.
 */
export const answersTo = async (
  ports: ClosePorts,
  wanted: readonly SaleFrom[],
  calls: CallBudget,
): Promise<Answers> => {
  const digests: string[] = [];
  const requests = new Map<string, TaxRequestInput>();
  for (const one of wanted) {
    const request = requestOf(ports, one);
    const digest = requestDigest(ports.serviceId, request);
    digests.push(digest);
    requests.set(digest, request);
  }
  const asked = await calls.cache.answersTo(requests, calls);
  // Waits until all calls have settled before throwing, so that none is left without a handler.
  const settled = await Promise.allSettled(digests.map((digest) => asked.get(digest)));
  const answers = new Map<Sale, Answered>();
  for (const [index, outcome] of settled.entries()) {
    if (outcome.status === 'rejected') throw outcome.reason;
    const answer = outcome.value;
    const { sale } = wanted[index] as SaleFrom;
    const digest = digests[index] as string;
    if (answer) answers.set(sale, answered(sale, digest, answer));
  }
  return answers;
};

const answered = (sale: Sale, digest: string, answer: TaxResult | ServiceRefusal): Answered =>
  sale.partOf === undefined || answer instanceof ServiceRefusal
    ? { digest, answer }
    : { digest, answer: answerAbout(sale, answer), whole: answer };

/** A request and its answer, by the digest of service and request. */
export type StoredAnswer = {
  readonly digest: string;
  /** Absent when it can be derived from the sale. */
  readonly request?: TaxRequestInput;
  readonly result: TaxResult;
};

/** The calculated tax of a sale, with what explains its variance where that is known. */
export type Calculated = Basis & {
  readonly relief?: StoredAnswer;
  /** Present when the sale's own calculation does not explain the variance. */
  readonly found?: FoundOut;
  /** The answer about the order, if the sale gives a part of it back and its own calculation leaves a variance open. */
  readonly whole?: TaxResult;
};

/** The answer; or why no tax is due and nothing was requested; or `refused`, with the reason in `detail`. */
type Basis =
  | { readonly basis: 'calculated'; readonly own: StoredAnswer; readonly detail?: never }
  | { readonly basis: 'no registration' | 'marketplace'; readonly own?: never; readonly detail?: never }
  | { readonly basis: 'refused'; readonly own?: never; readonly detail: string };

/** The explanation of a variance that the sale's own calculation leaves open. */
export type FoundOut = {
  /** Calculations of the same sale with one thing changed, requested while a variance is unexplained. */
  readonly alternatives: readonly AskedHypothesis[];
  /** Rates of the shop that its tax lines, or several sales together, prove. */
  readonly claims: readonly RateClaim[];
  /** A limit was reached before every question was asked. */
  readonly isCutShort: boolean;
};

/** An alternative with its request. */
export type AskedHypothesis = AnsweredHypothesis & { readonly asked: StoredAnswer };

/** Returns what is known of the tax that a sale should have carried; `undefined` where the service refused to say. */
export const expectationOf = ({ basis, own, whole, found }: Calculated): ReconcileInput['expectation'] => {
  if (basis === 'refused') return undefined;
  return {
    basis,
    result: own?.result ?? NOTHING_DUE,
    whole,
    ...(found ?? NOTHING_FOUND),
  };
};

const isLeftOpen = (open: OpenVariance): boolean =>
  isExempt(open.expectation) ||
  (open.expectation.has_nexus && statedClaims(open, openModelOf(open)).length > 0) ||
  isWithoutReason(open);

/**
 * Whether neither a common error nor a line explains what was collected, without the order of the sale and answers to
 * questions. A sale can also be open because of what its tax lines state.
 */
export const isWithoutReason = ({ sale, expectation }: OpenVariance): boolean =>
  isUnexplained(
    explainVariance({
      sale,
      expectation,
      alternatives: [],
      search: 'brief',
    }),
  );

/** Returns the day on which the duty to collect in the destination begins, when it is soon after the sale. */
export const registeredLater = ({ configuration }: ClosePorts, { shipTo, taxDate }: Sale) => {
  const found = configuration.registrations.find(({ state }) => state === shipTo.state);
  if (found === undefined) return undefined;
  const since = calendarDate(found.since);
  return since > taxDate && daysFrom(taxDate, since) <= SOON_DAYS ? since : undefined;
};

/** The length of the longest filing period. */
const SOON_DAYS = 366;

/** What is stored of a variance before anything is found out. */
export const NOTHING_FOUND: FoundOut = { claims: [], alternatives: [], isCutShort: false };

/**
 * Returns what the tax content lacks at the place of a sale; `undefined` if it is complete, or the service does not
 * say.
 */
const gapAt = ({ service, configuration }: ClosePorts, sale: Sale): ContentGap | undefined => {
  const { shipFrom, registrations } = configuration;
  const { state } = sale.shipTo;
  // A single rate for the whole state replaces all local rates that may be missing.
  const hasOneRate =
    state !== shipFrom.state && registrations.some((one) => one.state === state && one.oneRate);
  return hasOneRate
    ? undefined
    : service.coverage?.gapAt({ from: shipFrom, to: sale.shipTo, day: sale.taxDate });
};

/**
 * Returns the tax of a sale by Tieout's own engine where it differs from the answer of another service by more than
 * rounding; `undefined` where it agrees, or nothing can be said: the answer uses the rates of another day, the content
 * lacks a rate at the place, or the engine refuses the address. Where the content has rates of another day, a service
 * that expects more may know newer ones.
 */
export const secondOpinionOf = (
  { secondOpinion, configuration: { service, shipFrom } }: ClosePorts,
  sale: Sale,
  answer: TaxResult,
): Money | undefined => {
  if (!secondOpinion || hasTodaysRates(service, sale, answer)) return undefined;
  const { coverage, calculate } = secondOpinion;
  const gap = coverage.gapAt({ from: shipFrom, to: sale.shipTo, day: sale.taxDate });
  if (gap && gap.span === undefined) return undefined;
  try {
    const own = answerAbout(sale, calculate(taxRequestOf(sale, shipFrom))).amount_to_collect;
    const difference = subtract(own, answer.amount_to_collect);
    if (gap && (difference < 0 || gap.isEarly)) return undefined;
    return Math.abs(difference) > roundingOf(sale) ? own : undefined;
  } catch (error) {
    if (error instanceof ServiceRefusal) return undefined;
    throw error;
  }
};

/** Services round lines and jurisdictions separately, so a cent for each line and one more do not count. */
const roundingOf = ({ lines }: Sale): number => lines.length + 1;

/**
 * Whether a calculation used the rates of the day of the request instead of those of the sale's day. `calculation_date`
 * is an extension of the interface that a service may silently ignore, so an answer without the day counts as one with
 * today's rates, unless the configuration says otherwise.
 */
export const hasTodaysRates = (
  { url, asOf }: Configuration['service'],
  { taxDate }: Pick<Sale, 'taxDate'>,
  { calculation_date }: TaxResult,
): boolean => {
  if (url === undefined || asOf === 'honoured') return false;
  return asOf === 'ignored' || calculation_date !== taxDate;
};

import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { calendarDate, daysFrom } from '../../../kernel/calendar.ts';
import type { Alternative } from '../../reconcile/change.ts';
import {
  explainVariance,
  isExempt,
  isUnexplained,
  type VarianceCase,
} from '../../reconcile/explain-variance.ts';
import {
  alternativeOf,
  cityQuestions,
  type Question,
  questionsOf,
  registrationQuestions,
} from '../../reconcile/questions.ts';
import type { Sale } from '../../sales/sale.ts';
import { NOTHING_DUE } from '../../workspace/expectation-of.ts';
import type { ClosePorts } from '../close-ports.ts';
import { overrideOf } from '../override-of.ts';
import { hasTodaysRates } from '../todays-rates.ts';
import { type Answers, answersTo, type Calls, digestOfRequest, nothingDue } from './calculations.ts';
import type { CitiesOfZip } from './cities-of-zip.ts';

/** An alternative with the digest of the request that gave it. */
export type AskedAlternative = Alternative & { readonly calculation: string };

/** What was asked about a sale that its own calculation does not explain. */
export type Inquiry = {
  readonly sale: Sale;
  readonly expectation: TaxResult;
  readonly alternatives: AskedAlternative[];
  /** The digests of all requests so far; what was asked is not asked again. */
  readonly known: Set<string>;
  isOpen: boolean;
  /** A question was not asked, because the call budget did not reach so far. */
  isCutShort: boolean;
};

/**
 * Ask again with one thing changed, a thing at a time, for the sales whose variance nothing explains so far. What stays
 * unexplained in the end is open: it is asked about again by the next run, when the budget may reach further or more
 * is known. Whatever was answered is kept, so that this costs no calls.
 */
export const askAlternatives = async (
  ports: ClosePorts,
  sales: readonly Sale[],
  answers: Answers,
  { calls, citiesOfZip }: { readonly calls: Calls; readonly citiesOfZip: CitiesOfZip },
): Promise<ReadonlyMap<string, Inquiry>> => {
  const inquiries = sales.flatMap((sale) => inquiryOf(ports, sale, answers) ?? []);
  await askInTurns(ports, inquiries, calls, (inquiry) => firstQuestions(ports, inquiry));
  const cities = inquiries.some(({ isOpen }) => isOpen) ? await citiesOfZip() : undefined;
  await askInTurns(ports, inquiries, calls, ({ sale }) =>
    cityQuestions(sale, cities?.get(sale.shipTo.zip.slice(0, 5)) ?? []),
  );
  for (const inquiry of inquiries.filter(({ isOpen }) => isOpen))
    inquiry.isOpen = isUnexplained(
      explainVariance({
        ...caseOf(inquiry, inquiry.alternatives, 'full'),
        override: overrideOf(ports.configuration, inquiry.sale),
      }),
    );
  return new Map(inquiries.map((inquiry) => [inquiry.sale.key, inquiry]));
};

const inquiryOf = (ports: ClosePorts, sale: Sale, answers: Answers): Inquiry | undefined => {
  const digest = digestOfRequest(ports, sale);
  const isDue = nothingDue(ports, sale) === undefined;
  if (!isDue && registeredLater(ports, sale) === undefined) return undefined;
  const expectation = isDue ? answers.get(digest) : NOTHING_DUE;
  if (expectation === undefined || expectation instanceof ServiceRefusal) return undefined;
  if (sale.salesTax === expectation.amount_to_collect) return undefined;
  const inquiry = { sale, expectation, alternatives: [], known: new Set([digest]), isCutShort: false };
  const isOpen =
    !isDue || isExempt(expectation) || isUnexplained(explainVariance(caseOf(inquiry, [], 'brief')));
  return isOpen ? { ...inquiry, isOpen } : undefined;
};

const caseOf = (
  { sale, expectation }: Pick<Inquiry, 'sale' | 'expectation'>,
  alternatives: readonly Alternative[],
  search: 'brief' | 'full',
): VarianceCase => ({
  collected: sale.salesTax,
  shipping: sale.shipping,
  lines: sale.lines,
  expectation,
  alternatives,
  search,
});

/** The day on which the duty to collect in the destination begins, when it is soon after the sale. */
const registeredLater = ({ configuration }: ClosePorts, { shipTo, taxDate }: Sale) => {
  const found = configuration.registrations.find(({ state }) => state === shipTo.state);
  if (found === undefined) return undefined;
  const since = calendarDate(found.since);
  return since > taxDate && daysFrom(taxDate, since) <= SOON_DAYS ? since : undefined;
};

/** The longest filing period there is. */
const SOON_DAYS = 366;

const firstQuestions = (ports: ClosePorts, { sale, expectation }: Inquiry): readonly Question[] => {
  const since = registeredLater(ports, sale);
  if (since !== undefined) return registrationQuestions(sale, since);
  const questions = questionsOf(sale, ports.configuration.shipFrom, expectation);
  // A service that knows no day but today would answer the same to every other one, and bill it.
  return hasTodaysRates(ports.configuration.service, sale, expectation)
    ? questions.filter((question) => question.sale.taxDate === sale.taxDate)
    : questions;
};

const askInTurns = async (
  ports: ClosePorts,
  inquiries: readonly Inquiry[],
  calls: Calls,
  questionsFor: (inquiry: Inquiry) => readonly Question[],
): Promise<void> => {
  const open = inquiries.filter(({ isOpen }) => isOpen);
  const questions = new Map(open.map((inquiry) => [inquiry, questionsFor(inquiry)]));
  const turns = Math.max(0, ...[...questions.values()].map(({ length }) => length));
  for (let turn = 0; turn < turns; turn += 1) {
    const next = open.flatMap((inquiry) => {
      const question = inquiry.isOpen ? questions.get(inquiry)?.[turn] : undefined;
      return question ? [{ inquiry, question }] : [];
    });
    await ask(ports, next, calls);
  }
};

type Asking = { readonly inquiry: Inquiry; readonly question: Question };

const ask = async (ports: ClosePorts, turn: readonly Asking[], calls: Calls): Promise<void> => {
  const plain = turn.filter(({ question }) => question.shipFrom === undefined);
  await askTogether(ports, plain, calls);
  // A place of departure is part of the ports, so these few are asked one by one.
  for (const asking of turn.filter(({ question }) => question.shipFrom !== undefined))
    await askTogether(shippingFrom(ports, asking.question), [asking], calls);
};

const shippingFrom = (ports: ClosePorts, { shipFrom }: Question): ClosePorts => {
  const { configuration } = ports;
  if (shipFrom === undefined) return ports;
  return { ...ports, configuration: { ...configuration, shipFrom: { ...shipFrom, country: 'US' } } };
};

const askTogether = async (ports: ClosePorts, turn: readonly Asking[], calls: Calls): Promise<void> => {
  const asked = turn
    .map((asking) => ({ ...asking, calculation: digestOfRequest(ports, asking.question.sale) }))
    .filter(({ inquiry, calculation }) => !inquiry.known.has(calculation));
  const results = await answersTo(
    ports,
    asked.map(({ question }) => question.sale),
    calls,
  );
  for (const { inquiry, question, calculation } of asked) {
    const result = results.get(calculation);
    if (result === undefined) inquiry.isCutShort = true;
    if (result === undefined || result instanceof ServiceRefusal) continue;
    inquiry.known.add(calculation);
    const alternative = alternativeOf(question, inquiry.expectation, result);
    if (isIdle(inquiry, alternative)) continue;
    inquiry.alternatives.push({ ...alternative, calculation });
    inquiry.isOpen = isUnexplained(explainVariance(caseOf(inquiry, [alternative], 'brief')));
  }
};

/** Whether an alternative comes to what is known already: it proves nothing that the likelier one does not. */
const isIdle = ({ expectation, alternatives }: Inquiry, { result }: Alternative): boolean =>
  [expectation, ...alternatives.map((alternative) => alternative.result)].some(
    (known) => known.amount_to_collect === result.amount_to_collect,
  );

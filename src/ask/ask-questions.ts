import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { signedWhy } from '../judge/decision.ts';
import { explainVariance, isUnexplained, type SetByHand } from '../judge/explain-variance.ts';
import type { AnsweredHypothesis } from '../judge/hypothesis.ts';
import { type Ballot, ballotsOf, impliedRates } from '../judge/implied-rates.ts';
import { isTelling, type Question, questionsOf, registrationQuestions } from '../judge/questions.ts';
import {
  claimsOf,
  type ImpliedRate,
  type OpenVariance,
  openModelOf,
  type RateClaim,
  statedClaims,
} from '../judge/rate-claim.ts';
import { taxModelOf } from '../judge/tax-model.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { compareText } from '../kernel/text.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { batchesOf } from '../runtime/batches.ts';
import type { Sale } from '../sales/sale.ts';
import { nameInChannel } from '../sales/sale-name.ts';
import {
  type Answers,
  type AskedHypothesis,
  answersTo,
  type CallBudget,
  type FoundOut,
  hasTodaysRates,
  isProvedBy,
  isRateless,
  isWithoutReason,
  NOTHING_FOUND,
  registeredLater,
  requestOf,
  type StoredAnswer,
  storedOf,
} from './calculate.ts';

/** A variance during the search for its explanation. */
type Inquiry = OpenVariance & {
  readonly questions: readonly Question[];
  readonly alternatives: AskedHypothesis[];
  isOpen: boolean;
  /** The cap or the call budget kept a question from being asked. */
  isCutShort: boolean;
};

type Asking = {
  readonly inquiry: Inquiry;
  readonly question: Question;
};

/**
 * Repeats calculations with one thing changed until a variance is explained. The sales ask in turns, one question each,
 * because equal requests are made once. Results are by sale key.
 */
export const askQuestions = async (
  ports: ClosePorts,
  variances: readonly OpenVariance[],
  calls: CallBudget,
): Promise<ReadonlyMap<string, FoundOut>> => {
  const inquiries = variances.map(
    (variance): Inquiry => ({
      ...variance,
      questions: questionsAbout(ports, variance),
      alternatives: [],
      // A refund may be explained by its order as it is.
      isOpen: variance.whole === undefined || isUnexplained(explained(variance, [], 'brief')),
      isCutShort: false,
    }),
  );
  const turns = Math.max(0, ...inquiries.map(({ questions }) => questions.length));
  for (let turn = 0; turn < turns; turn += 1) {
    const next = inquiries.flatMap((inquiry) => {
      const question = inquiry.isOpen ? inquiry.questions[turn] : undefined;
      return question ? [{ inquiry, question }] : [];
    });
    await askEach(ports, next, calls);
  }
  return new Map(inquiries.map((inquiry) => [inquiry.sale.key, foundOut(ports, inquiry)]));
};

const foundOut = (ports: ClosePorts, inquiry: Inquiry): FoundOut => {
  const { sale, alternatives, isCutShort } = inquiry;
  const override = overrideOf(ports.configuration, sale);
  return {
    claims: [],
    alternatives,
    isCutShort: isCutShort && isUnexplained(explained(inquiry, alternatives, 'full', override)),
  };
};

const explained = (
  { sale, expectation, whole }: OpenVariance,
  alternatives: readonly AnsweredHypothesis[],
  search: 'brief' | 'full',
  override?: ReturnType<typeof overrideOf>,
) =>
  explainVariance({
    sale,
    expectation,
    whole,
    alternatives,
    search,
    override,
  });

const questionsAbout = (ports: ClosePorts, { sale, expectation }: OpenVariance): readonly Question[] => {
  const since = expectation.has_nexus ? undefined : registeredLater(ports, sale);
  if (since !== undefined) return registrationQuestions(sale, since);
  const questions = questionsOf(sale, ports.configuration.shipFrom, expectation);
  // A service that only has today's rates would give the same answer for any other day, and bill it.
  const isDated = !hasTodaysRates(ports.configuration.service, sale, expectation);
  const laws = new Set([lawDay(ports, sale)]);
  return questions.filter(({ sale: changed }) => {
    if (changed.taxDate === sale.taxDate) return true;
    // Nothing changes between days of one law, so one of them is enough.
    const law = lawDay(ports, changed);
    const isNew = isDated && !laws.has(law);
    laws.add(law);
    return isNew;
  });
};

/** Returns the first day of the law of a sale, if the service can tell it; otherwise the day of the sale. */
const lawDay = ({ service, configuration }: ClosePorts, { taxDate, shipTo }: Sale): CalendarDate =>
  service.coverage?.lawSince({ from: configuration.shipFrom, to: shipTo, day: taxDate }) ?? taxDate;

const askEach = async (ports: ClosePorts, turn: readonly Asking[], calls: CallBudget): Promise<void> => {
  const questions = turn.map(({ question }) => question);
  const answers = await answersOf(ports, questions, calls);
  for (const asking of turn) {
    const answered = answers.get(asking.question.sale);
    asking.inquiry.isCutShort ||= answered === undefined;
    const stored = storedOf(answered);
    if (stored) take(ports, asking, stored, answered?.whole);
  }
};

/** Returns the answers to these questions. Those with another origin are requested separately, after the others. */
const answersOf = async (
  ports: ClosePorts,
  questions: readonly Question[],
  calls: CallBudget,
): Promise<Answers> => {
  const plain = questions.filter(({ shipFrom }) => !shipFrom);
  const answers = new Map(await answersTo(ports, plain, calls));
  for (const question of questions)
    if (question.shipFrom)
      for (const [about, answer] of await answersTo(ports, [question], calls)) answers.set(about, answer);
  return answers;
};

/** Add an answer as an alternative, unless it proves nothing or its result is already known. */
const take = (
  ports: ClosePorts,
  { inquiry, question }: Asking,
  { digest, result }: StoredAnswer,
  ofOrder: OpenVariance['whole'],
): void => {
  const { sale, expectation, whole, gap, alternatives } = inquiry;
  const expected = taxModelOf(expectation, sale.lines);
  const other = taxModelOf(result, sale.lines);
  const known = [taxesOf({ result: expectation, ...(whole && { whole }) }), ...alternatives.map(taxesOf)];
  const alternative: AskedHypothesis = {
    code: question.code,
    what: question.what,
    result,
    ...(ofOrder && { whole: ofOrder }),
    asked: {
      digest,
      request: requestOf(ports, question),
      result,
    },
  };
  if (!isTelling(question, { expected, other, gap }) || known.includes(taxesOf(alternative))) return;
  alternatives.push(alternative);
  inquiry.isOpen = isUnexplained(explained(inquiry, [alternative], 'brief'));
};

/** The tax by a calculation, and that of the order of which the sale gives a part back. */
const taxesOf = ({ result, whole }: Pick<AnsweredHypothesis, 'result' | 'whole'>): string =>
  `${result.amount_to_collect} ${whole?.amount_to_collect}`;

/**
 * Returns the tax that a person set by hand for a sale, if it is the tax that the sale carries. A refund that was derived
 * from an order has the record name of the order, so a decision about another tax may be about the order.
 */
export const overrideOf = (
  configuration: ClosePorts['configuration'],
  { origin, channel, id, salesTax, businessDate }: Sale,
): SetByHand | undefined =>
  decisionIndexOf(configuration)
    .ofRecord([origin.record, id, nameInChannel(channel, id)], ['R99'], businessDate)
    .flatMap((decision) => {
      const { verdict, tax } = decision;
      return verdict === 'set-by-hand' && tax !== undefined ? [{ tax, why: signedWhy(decision) }] : [];
    })
    .find(({ tax }) => tax === salesTax);

/** Variances that are asked about together. Equal requests of the same group are made once. */
const ASKED_TOGETHER = 1_000;

/** The most variances of a period that are asked about, the largest ones. */
const ASKED_MAX = 10_000;

const CUT_SHORT: FoundOut = { ...NOTHING_FOUND, isCutShort: true };

/**
 * Explains the variances of a whole period that the sales' own calculations and the tax lines that the shop states
 * leave open: by rates on which sales agree, then by questions, the largest variance first. Results are by key.
 *
 * @param variances yields all of them, each time it is called
 */
export const explainVariances = async (
  ports: ClosePorts,
  variances: () => AsyncIterable<OpenVariance>,
  calls: CallBudget,
  advanced: () => void,
): Promise<ReadonlyMap<string, FoundOut>> => {
  const found = new Map<string, FoundOut>();
  const ballots: Ballot[] = [];
  const rated = new Set<string>();
  for await (const each of variances()) {
    if (isRateless(each) || !isWithoutReason(each)) continue;
    rated.add(each.sale.key);
    ballots.push(...ballotsOf(each, openModelOf(each)));
  }
  const implied = impliedRates(ballots);
  const left: OpenVariance[] = [];
  const cut = (): void => {
    for (const { sale } of left.sort(largestFirst).splice(ASKED_MAX)) found.set(sale.key, CUT_SHORT);
  };
  for await (const each of variances()) {
    const claims = rated.has(each.sale.key) ? claimsByRates(each, implied) : [];
    if (claims.length > 0) found.set(each.sale.key, { ...NOTHING_FOUND, claims });
    else if (left.push(each) === 2 * ASKED_MAX) cut();
  }
  cut();
  for (const batch of batchesOf(left, ASKED_TOGETHER)) {
    const answers = await askQuestions(ports, batch, calls);
    for (const [key, answer] of answers) found.set(key, answer);
    advanced();
  }
  return found;
};

const largestFirst = (one: OpenVariance, other: OpenVariance): number =>
  sizeOf(other) - sizeOf(one) || compareText(one.sale.key, other.sale.key);

const sizeOf = ({ sale, expectation }: OpenVariance): number =>
  Math.abs(sale.salesTax - expectation.amount_to_collect);

/** Returns the first claim about the rates of a place, or of the order that a sale gives a part back of, that is proved. */
const claimsByRates = (open: OpenVariance, implied: readonly ImpliedRate[]): readonly RateClaim[] => {
  const claims = claimsOf(open, openModelOf(open), implied).map((claim) => [claim]);
  return [...claims, ...claimsOfOrder(open, implied)].find((each) => isProvedBy(open, each)) ?? [];
};

const claimsOfOrder = (
  { sale, whole, gap }: OpenVariance,
  implied: readonly ImpliedRate[],
): readonly (readonly RateClaim[])[] => {
  const { partOf: order } = sale;
  if (!order || !whole?.has_nexus) return [];
  const open = { sale: { ...sale, ...order, taxLines: order.taxLines ?? [] }, expectation: whole, gap };
  const own = openModelOf(open);
  return [statedClaims(open, own), ...claimsOf(open, own, implied).map((claim) => [claim])];
};

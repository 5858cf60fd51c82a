import { isDeepStrictEqual } from 'node:util';
import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import type { FoundOut, StoredAlternative, StoredAnswer } from '../../period-sales/expectation-of.ts';
import { explainVariance, isExempt, isUnexplained } from '../../reconcile/explain-variance.ts';
import { type AnsweredHypothesis, aboutOrder, modelOfAlternative } from '../../reconcile/hypothesis.ts';
import { modelOfProbe, type ProbedCodes, probeOf } from '../../reconcile/probe.ts';
import {
  cityQuestions,
  namedBy,
  type Question,
  questionsOf,
  registrationQuestions,
} from '../../reconcile/questions.ts';
import { taxModelOf, taxOf } from '../../reconcile/tax-model.ts';
import type { Sale } from '../../sales/sale.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type Answers, answersTo, type CallBudget, storedAnswer } from './calculations.ts';
import { type CitiesOfZip, citiesAt } from './cities-of-zip.ts';
import { registeredLater, type StoredVariance, varianceCase } from './open-variances.ts';
import { overrideOf } from './override-of.ts';
import { hasTodaysRates } from './todays-rates.ts';

export type Questioning = { readonly calls: CallBudget; readonly cities: CitiesOfZip };

/** A variance during the search for its explanation, with the cities of its ZIP once they were asked about. */
type Inquiry = StoredVariance & {
  readonly alternatives: (AnsweredHypothesis & { readonly asked: StoredAnswer })[];
  isOpen: boolean;
  cities?: readonly string[];
  /** The cap or the call budget kept a question from being asked. */
  isCutShort: boolean;
};

type Asking = { readonly inquiry: Inquiry; readonly question: Question };

/**
 * Repeats calculations with one thing changed until a variance is explained; `lastClaims` are for what no answer
 * explains. Sales of one place, law and kind of question share a probe; a sale for which its answer is uncertain is
 * calculated itself. Results are by sale key.
 */
export const askQuestions = async (
  ports: ClosePorts,
  variances: readonly StoredVariance[],
  { calls, cities: citiesOfZip }: Questioning,
  lastClaims: (variance: StoredVariance) => FoundOut['claims'],
): Promise<ReadonlyMap<string, FoundOut>> => {
  const inquiries = variances.map(
    (variance): Inquiry => ({
      ...variance,
      alternatives: [],
      // A refund may be explained by its order as it is.
      isOpen: variance.whole === undefined || isUnexplained(explained(variance, [], 'brief')),
      isCutShort: false,
    }),
  );
  await askInTurns(ports, inquiries, calls, (inquiry) => firstQuestions(ports, inquiry));
  const open = inquiries.filter(({ isOpen }) => isOpen);
  const found = open.length > 0 ? await citiesOfZip() : undefined;
  for (const inquiry of open) inquiry.cities = citiesAt(inquiry.sale, found);
  await askInTurns(ports, open, calls, ({ sale, cities }) => cityQuestions(sale, cities ?? []));
  return new Map(
    inquiries.map((inquiry) => [inquiry.sale.key, foundOut(ports, inquiry, lastClaims(inquiry))]),
  );
};

const foundOut = (ports: ClosePorts, inquiry: Inquiry, claims: FoundOut['claims']): FoundOut => {
  const { sale, alternatives, isCutShort, cities } = inquiry;
  const override = overrideOf(ports.configuration, sale);
  const isLeft =
    (isCutShort || claims.length > 0) && isUnexplained(explained(inquiry, alternatives, 'full', override));
  const kept = alternatives.map(({ result: _, ...alternative }): StoredAlternative => alternative);
  const searched = { alternatives: kept, isCutShort: isCutShort && isLeft, ...(cities && { cities }) };
  return { claims: isLeft ? claims : [], ...searched };
};

const explained = (
  variance: StoredVariance,
  alternatives: readonly AnsweredHypothesis[],
  search: 'brief' | 'full',
  override?: ReturnType<typeof overrideOf>,
) => explainVariance({ ...varianceCase(variance, search), whole: variance.whole, alternatives, override });

const firstQuestions = (ports: ClosePorts, { sale, expectation }: Inquiry): readonly Question[] => {
  const since = expectation.has_nexus ? undefined : registeredLater(ports, sale);
  if (since !== undefined) return registrationQuestions(sale, since);
  const questions = questionsOf(sale, ports.configuration.shipFrom, expectation);
  // A service that only has today's rates would give the same answer for any other day, and bill it.
  const isDated = !hasTodaysRates(ports.configuration.service, sale, expectation);
  const laws = new Set([lawDay(ports, sale, 'day')]);
  return questions.filter(({ sale: changed }) => {
    if (changed.taxDate === sale.taxDate) return true;
    // Nothing changes between days of one law, so one of them is enough.
    const law = lawDay(ports, changed, 'day');
    const isNew = isDated && !laws.has(law);
    laws.add(law);
    return isNew;
  });
};

const askInTurns = async (
  ports: ClosePorts,
  inquiries: readonly Inquiry[],
  calls: CallBudget,
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
    const own = next.filter(({ question, inquiry }) => isOwn(question, inquiry));
    await askEach(ports, [...own, ...(await askProbes(ports, next, calls))], calls);
  }
};

/** Requests the probes that many sales share. Returns the questions left uncertain, which are asked for each sale. */
const askProbes = async (
  ports: ClosePorts,
  turn: readonly Asking[],
  calls: CallBudget,
): Promise<readonly Asking[]> => {
  const probes = turn.flatMap((asking) => {
    const probe = probeFor(ports, asking);
    return probe ? [{ ...asking, ...probe }] : [];
  });
  const answers = await answersOf(ports, probes, calls);
  const unsure: (Asking & { readonly result: TaxResult })[] = [];
  for (const { inquiry, question, probe, codes, asked } of probes) {
    const answered = resultIn(answers, probe);
    if (answered === undefined) inquiry.isCutShort = true;
    if (!answered || answered === 'refused') continue;
    const { result } = answered;
    const isSure = modelOfProbe(result, codes, inquiry.sale) !== undefined;
    if (question.code === 'R21') {
      // Without thresholds and caps, the definition of an item makes no difference.
      if (!isSure) unsure.push({ inquiry, question, result });
    } else if (isSure)
      take({ inquiry, question }, storedAnswer(asked, probe, answered, 'whole'), { result }, codes);
    else unsure.push({ inquiry, question, result });
  }
  return otherThanOwn(ports, unsure, calls);
};

/**
 * Drops questions that make no difference to any sale of the place: the answer to their probe equals that for the place
 * itself.
 */
const otherThanOwn = async (
  ports: ClosePorts,
  unsure: readonly (Asking & { readonly result: TaxResult })[],
  calls: CallBudget,
): Promise<readonly Asking[]> => {
  const owned = unsure.map((asking) => ({ ...asking, asked: ports, probe: ownProbe(ports, asking.inquiry) }));
  const answers = await answersOf(
    ports,
    owned.filter(({ question }) => !isAboutOwnProbe(question)),
    calls,
  );
  return owned.filter(({ probe, result }) => {
    const own = resultIn(answers, probe);
    return !own || own === 'refused' || !isAnsweredAlike(own.result, result);
  });
};

/** Whether a question changes the lines of a sale. Its answer is compared with the probe of the sale's own place. */
const isAboutOwnProbe = ({ code }: Question): boolean => code === 'R05' || code === 'R21';

const isAnsweredAlike = (one: TaxResult, other: TaxResult): boolean =>
  isDeepStrictEqual([one.breakdown, one.freight_taxable], [other.breakdown, other.freight_taxable]);

const ownProbe = (ports: ClosePorts, { sale }: Inquiry): Sale => {
  const isByStreet = ports.service.coverage?.isByStreet(sale.shipTo.state) === true;
  return probeOf(sale, probedCodes(ports, sale), lawDay(ports, sale, undefined), isByStreet);
};

/** Whether only this sale can answer a question: what its exemption is worth, and its own prices without discounts. */
const isOwn = ({ code }: Question, { expectation }: Inquiry): boolean =>
  code === 'R15' || (code === 'R07' && isExempt(expectation));

const probeFor = (ports: ClosePorts, { inquiry, question }: Asking) => {
  if (isOwn(question, inquiry)) return undefined;
  const asked = shippingFrom(ports, question);
  const codes = probedCodes(ports, inquiry.sale);
  const about = question.code === 'R21' ? inquiry.sale : question.sale;
  const isByStreet = ports.service.coverage?.isByStreet(about.shipTo.state) === true;
  const probe = probeOf(about, codes, lawDay(asked, about, question.code), isByStreet);
  // If categories are ignored, every line counts as one without a category.
  return { asked, probe, codes: question.code === 'R05' ? ([null] as const) : codes };
};

/** More categories than this make a probe too long. Then it contains only those of the sale. */
const CODES_MAX = 20;

/** Goods without a category and the categories of the configuration: all sales of a close share the list. */
const probedCodes = ({ configuration }: ClosePorts, sale: Sale): ProbedCodes => {
  const all = new Set(configuration.categories.map(({ code }) => code));
  const codes = all.size <= CODES_MAX ? all : new Set(sale.lines.flatMap(({ taxCode }) => taxCode ?? []));
  return [null, ...[...codes].sort()];
};

/**
 * Returns the day that represents all days of one law. This is the first day of the law if the service can tell it.
 * Otherwise it is the day itself if the question is about days, and the first of its month if not.
 */
const lawDay = (ports: ClosePorts, sale: Sale, code: Question['code'] | undefined): CalendarDate => {
  const { service, configuration } = ports;
  const { taxDate, shipTo } = sale;
  if (service.coverage) {
    const law = service.coverage.lawSince({ from: configuration.shipFrom, to: shipTo, day: taxDate });
    // Before the registration, no tax is due under any law.
    const since = configuration.registrations.find(({ state }) => state === shipTo.state)?.since ?? law;
    return law < since && since <= taxDate ? calendarDate(since) : law;
  }
  const isDayAsked = code === 'day' || code === 'R13' || code === 'R16' || code === 'R12';
  return isDayAsked ? taxDate : calendarDate(`${taxDate.slice(0, 7)}-01`);
};

const shippingFrom = (ports: ClosePorts, { shipFrom }: Question): ClosePorts => {
  const { configuration } = ports;
  if (shipFrom === undefined) return ports;
  return { ...ports, configuration: { ...configuration, shipFrom: { ...shipFrom, country: 'US' } } };
};

type AskedSale = { readonly asked: ClosePorts; readonly probe: Sale };

/**
 * Returns the answers about these sales. The origin of a shipment is part of the ports, so sales with a different
 * origin are requested separately.
 */
const answersOf = async (
  ports: ClosePorts,
  wanted: readonly AskedSale[],
  calls: CallBudget,
): Promise<Answers> => {
  const plain = wanted.filter(({ asked }) => asked === ports).map(({ probe }) => probe);
  const answers = new Map(await answersTo(ports, plain, calls));
  for (const { asked, probe } of wanted)
    if (asked !== ports)
      for (const [about, answer] of await answersTo(asked, [probe], calls)) answers.set(about, answer);
  return answers;
};

/** Returns the answer about a probe; `undefined` if it was not requested, because the cap or the budget was reached. */
const resultIn = (answers: Answers, probe: Sale) => {
  const answered = answers.get(probe);
  if (!answered) return undefined;
  const { answer } = answered;
  return answer instanceof ServiceRefusal ? 'refused' : { ...answered, result: answer };
};

const askEach = async (ports: ClosePorts, turn: readonly Asking[], calls: CallBudget): Promise<void> => {
  const wanted = turn.map((asking) => ({
    ...asking,
    asked: shippingFrom(ports, asking.question),
    probe: asking.question.sale,
  }));
  const answers = await answersOf(ports, wanted, calls);
  for (const { inquiry, question, asked, probe } of wanted) {
    const answered = resultIn(answers, probe);
    inquiry.isCutShort ||= answered === undefined;
    if (!answered || answered === 'refused') continue;
    take({ inquiry, question }, storedAnswer(asked, probe, answered, 'whole'), answered);
  }
};

/** Add an answer as an alternative, unless it proves nothing or its result is already known. */
const take = (
  { inquiry, question }: Asking,
  asked: StoredAnswer,
  { result, whole }: { readonly result: TaxResult; readonly whole?: TaxResult },
  probed?: ProbedCodes,
): void => {
  const { sale, expectation, gap, alternatives } = inquiry;
  const answered = { result, ...(whole && { whole }), ...(probed && { probed }) };
  const taken = { ...question, code: 'R02', ...answered } as const;
  const model = modelOfAlternative(taken, sale);
  if (!model) return;
  const known = [taxesDue(inquiry), ...alternatives.map((each) => taxesOf(each, sale))];
  const named = namedBy(question, { expected: taxModelOf(expectation, sale.lines), other: model, gap });
  if (!named || known.includes(taxesOf(taken, sale))) return;
  const alternative = { ...named, ...answered, asked };
  alternatives.push(alternative);
  inquiry.isOpen = isUnexplained(explained(inquiry, [alternative], 'brief'));
};

/** The tax by another calculation, and that of the order of which the sale gives a part back. */
const taxesOf = (alternative: AnsweredHypothesis, sale: Sale): string => {
  const model = modelOfAlternative(alternative, sale);
  const order = sale.partOf && modelOfAlternative(aboutOrder(alternative), sale.partOf);
  return `${model && taxOf(model)} ${order && taxOf(order)}`;
};

const taxesDue = ({ sale, expectation, whole }: Inquiry): string =>
  `${expectation.amount_to_collect} ${sale.partOf && whole?.amount_to_collect}`;

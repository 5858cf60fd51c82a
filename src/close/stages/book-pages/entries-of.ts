import type { Refund } from '../../../contract/transaction.ts';
import { type Instant, zoneCalendar } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { withoutExemption } from '../../certificates/apply-exemption-type.ts';
import { markOf } from '../../evidence/derivation.ts';
import type { Answer, Entry, Question, Recorded, Sent } from '../../evidence/entry.ts';
import type { FoundSale } from '../../period-sales/detailed-sales.ts';
import {
  answersFor,
  type CalculatedSale,
  cachedAnswers,
  calculatedIn,
  type StoredAnswer,
} from '../../period-sales/expectation-of.ts';
import { type RecordedSale, recordedIn } from '../../period-sales/recorded-sale.ts';
import { type SubmittedSale, submittedIn } from '../../period-sales/submitted-sale.ts';
import { versionOf } from '../../sales/corrections.ts';
import { postingOf, type Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** The results of the stages for the sales of a page, by key. */
export type FoundOfPage = {
  readonly calculated: ReadonlyMap<string, CalculatedSale>;
  readonly submitted: ReadonlyMap<string, SubmittedSale>;
  readonly records: ReadonlyMap<string, RecordedSale>;
};

export const foundOfPage = async (ports: ClosePorts, slot: string): Promise<FoundOfPage> => ({
  calculated: await calculatedIn(ports.workspace, slot),
  submitted: await submittedIn(ports, slot),
  records: await recordedIn(ports, slot),
});

/** Returns the entries of these sales of a page. */
export const entriesOf = async (
  ports: ClosePorts,
  page: readonly FoundSale[],
  { calculated, submitted, records }: FoundOfPage,
): Promise<readonly Entry[]> => {
  const { dateAt } = zoneCalendar(ports.configuration.timeZone);
  const kept = await cachedAnswers(
    ports.workspace,
    [...calculated.values()].flatMap(answersFor).flatMap(({ digest, result }) => (result ? [] : [digest])),
  );
  return page.map((detailed): Entry => {
    const { sale, filed, late, reconciled } = detailed;
    const isPosted = postingOf(sale) === 'posted';
    const held = isPosted ? records.get(sale.key) : undefined;
    // A filed sale, or the reversal of one, keeps its filed figures, so today's calculation is not their proof.
    const isFiled = filed !== undefined || (late?.reversedFigures ?? null) !== null;
    const isOpen = isPosted && filed === undefined;
    const row = isOpen ? calculated.get(sale.key) : undefined;
    const asked = row ? questionsOf(ports, sale, row, kept) : [];
    const sent = isOpen ? submitted.get(sale.key) : undefined;
    return {
      sale,
      ...(isFiled && { filed: true }),
      ...(late && { version: versionOf(sale, late) }),
      ...(!isFiled && row?.own && { answer: answerOf(row.own, kept) }),
      ...(asked.length > 0 && { asked }),
      ...(sent && { sent: sentOf(sent) }),
      ...(held && { recorded: recordedOf(sale, held, dateAt) }),
      ...(isPosted && { figures: reconciled ?? null }),
    };
  });
};

const recordedOf = (
  sale: Sale,
  { record, adjustments = [] }: RecordedSale,
  dateAt: (instant: Instant) => Recorded['day'],
): Recorded => {
  const dayOf = (instant: Instant) => (instant === sale.instant ? sale.businessDate : dateAt(instant));
  const further = adjustments.map((each: Refund) => ({ day: dayOf(each.transaction_date), record: each }));
  return { day: dayOf(record.transaction_date), record, ...(further.length > 0 && { further }) };
};

const sentOf = ({ body, state, detail }: SubmittedSale): Sent => ({
  body: markOf(body),
  ...(!(state === 'held' && detail === '') && { state, detail }),
});

type Kept = Awaited<ReturnType<typeof cachedAnswers>>;

const resultOf = ({ digest, result }: StoredAnswer, kept: Kept): Answer['result'] => {
  const answer = result ?? kept.get(digest)?.result;
  if (!answer) throw new DefectError(`the calculation ${digest} is not in the workspace`);
  return answer;
};

const answerOf = (own: StoredAnswer, kept: Kept): Answer => ({
  request: markOf(own.digest),
  result: resultOf(own, kept),
});

/** Returns the calculations with one thing changed, and of the tax that its exemption relieves, if calculated. */
const questionsOf = (
  { serviceId: service, configuration }: ClosePorts,
  sale: Sale,
  { relief, found }: CalculatedSale,
  kept: Kept,
): readonly Question[] => {
  const question = (asked: StoredAnswer, about: Sale, why: Pick<Question, 'code' | 'what'>): Question => {
    const { digest } = asked;
    const request = asked.request ?? kept.get(digest)?.request ?? taxRequestOf(about, configuration.shipFrom);
    return {
      ...why,
      digest,
      service,
      request: request as Question['request'],
      result: resultOf(asked, kept),
    };
  };
  const alternatives = found?.alternatives ?? [];
  const isKnown = alternatives.some(({ asked }) => asked.digest === relief?.digest);
  return [
    ...alternatives.map(({ code, what, asked }) => question(asked, sale, { code, what })),
    ...(relief && !isKnown
      ? [question(relief, withoutExemption(sale), { code: 'R07', what: 'without the exemption' })]
      : []),
  ];
};

import type { Refund } from '../../../contract/transaction.ts';
import { type Instant, zoneCalendar } from '../../../kernel/calendar.ts';
import { withoutExemption } from '../../certificates/apply-exemption-type.ts';
import { markOf } from '../../evidence/derivation.ts';
import type { Answer, Entry, Question, Recorded, Sent } from '../../evidence/entry.ts';
import type { FoundSale } from '../../period-sales/detailed-sales.ts';
import type { CalculatedSale, StoredAnswer } from '../../period-sales/expectation-of.ts';
import type { RecordedSale } from '../../period-sales/recorded-sale.ts';
import type { SubmittedSale } from '../../period-sales/submitted-sale.ts';
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

/** Returns the entries of these sales of a page. */
export const entriesOf = (
  ports: ClosePorts,
  page: readonly FoundSale[],
  { calculated, submitted, records }: FoundOfPage,
): readonly Entry[] => {
  const { dateAt } = zoneCalendar(ports.configuration.timeZone);
  return page.map((detailed): Entry => {
    const { sale, filed, late, reconciled } = detailed;
    const isPosted = postingOf(sale) === 'posted';
    const held = isPosted ? records.get(sale.key) : undefined;
    // A filed sale, or the reversal of one, keeps its filed figures, so today's calculation is not their proof.
    const isFiled = filed !== undefined || (late?.reversedFigures ?? null) !== null;
    const isOpen = isPosted && filed === undefined;
    const row = isOpen ? calculated.get(sale.key) : undefined;
    const asked = row ? questionsOf(ports, sale, row) : [];
    const sent = isOpen ? submitted.get(sale.key) : undefined;
    return {
      sale,
      ...(isFiled && { filed: true }),
      ...(late && { version: versionOf(sale, late) }),
      ...(!isFiled && row?.own && { answer: answerOf(row.own) }),
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

const answerOf = ({ digest, result }: StoredAnswer): Answer => ({ request: markOf(digest), result });

/** Returns the calculations with one thing changed, and of the tax that its exemption relieves, if calculated. */
const questionsOf = (
  { serviceId: service, configuration }: ClosePorts,
  sale: Sale,
  { relief, found }: CalculatedSale,
): readonly Question[] => {
  const question = (asked: StoredAnswer, about: Sale, why: Pick<Question, 'code' | 'what'>): Question => {
    const { digest, result } = asked;
    const request = asked.request ?? taxRequestOf(about, configuration.shipFrom);
    return { ...why, digest, service, request: request as Question['request'], result };
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

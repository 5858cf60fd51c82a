import type { Calculated, StoredAnswer } from '../ask/calculate.ts';
import { withoutExemption } from '../certificates/certificate.ts';
import type { NewTransaction, Order, Refund } from '../contract/transaction.ts';
import {
  type Answer,
  type Entry,
  markOf,
  type Question,
  type Recorded as RecordedPart,
  type Sent,
} from '../evidence/entry.ts';
import type { ReconciledSale } from '../judge/reconciled-sale.ts';
import type { Instant } from '../kernel/calendar.ts';
import type { zoneCalendar } from '../kernel/time-zones.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { Sale } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/service-records.ts';
import type { Exempted } from './compare-sale.ts';
import type { Recorded } from './record.ts';

/** A sale with its calculation and its record; neither if it is not posted. */
export type Settled = Exempted & { readonly posted?: Posted };

/** What a posted sale was calculated, sent and recorded with. */
export type Posted = {
  readonly row: Calculated;
  readonly sent: NewTransaction;
  readonly recorded: Recorded;
};

/**
 * Returns the entry of a settled sale. What takes back a locked sale has the figures of that, so that today's calculation
 * is not their proof.
 */
export const entryOf = (
  ports: ClosePorts,
  { sale, stated, identity, version, reverses, posted }: Settled,
  figures: ReconciledSale | undefined,
  { dateAt }: Pick<ReturnType<typeof zoneCalendar>, 'dateAt'>,
): Entry => {
  const asked = posted ? questionsOf(ports, sale, posted.row) : [];
  const record = posted?.recorded.record;
  const sent = posted && sentOf(posted.recorded);
  return {
    sale,
    stated,
    identity,
    ...(reverses && { filed: true }),
    ...(version && { version }),
    ...(!reverses && posted?.row.own && { answer: answerOf(posted.row.own) }),
    ...(asked.length > 0 && { asked }),
    ...(sent && { sent }),
    ...(posted && record && { recorded: recordedOf(sale, record, posted.recorded.adjustments, dateAt) }),
    ...(posted && { figures: figures ?? null }),
  };
};

const recordedOf = (
  sale: Sale,
  record: Order | Refund,
  adjustments: readonly Refund[],
  dateAt: (instant: Instant) => RecordedPart['day'],
): RecordedPart => {
  const dayOf = (instant: Instant) => (instant === sale.instant ? sale.businessDate : dateAt(instant));
  const further = adjustments.map((each) => ({ day: dayOf(each.transaction_date), record: each }));
  return { day: dayOf(record.transaction_date), record, ...(further.length > 0 && { further }) };
};

const sentOf = ({ state, detail, inUse }: Recorded): Sent | undefined =>
  state === 'held' && detail === '' ? undefined : { state, detail, ...(inUse && { inUse }) };

const answerOf = ({ digest, result }: StoredAnswer): Answer => ({ request: markOf(digest), result });

/** Returns the calculations with one thing changed, and of the tax that its exemption relieves, if calculated. */
const questionsOf = (
  { serviceId: service, configuration }: ClosePorts,
  sale: Sale,
  { relief, found }: Calculated,
): readonly Question[] => {
  const question = (asked: StoredAnswer, about: Sale, why: Pick<Question, 'code' | 'what'>): Question => {
    const { digest, result } = asked;
    const request = asked.request ?? taxRequestOf(about, configuration.shipFrom);
    return {
      ...why,
      digest,
      service,
      request: request as Question['request'],
      result,
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

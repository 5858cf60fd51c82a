import type { Order, Refund } from '../../../contract/transaction.ts';
import { type CalendarDate, type Instant, zoneCalendar } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { add, ZERO } from '../../../kernel/money.ts';
import { moneyOfPrice } from '../../../kernel/price.ts';
import { withoutExemption } from '../../certificates/apply-exemption-type.ts';
import { providerIn } from '../../evidence/derivation.ts';
import { logMember } from '../../evidence/log-file.ts';
import type { LoggedSales, RecordedSum } from '../../evidence/logged.ts';
import { saleText } from '../../evidence/sale-text.ts';
import { type FoundSale, figuresText } from '../../period-sales/detailed-sales.ts';
import {
  answersFor,
  type CalculatedSale,
  cachedAnswers,
  calculatedIn,
  type StoredAnswer,
} from '../../period-sales/expectation-of.ts';
import { type RecordedSale, recordedIn } from '../../period-sales/recorded-sale.ts';
import { type SubmittedSale, submittedIn } from '../../period-sales/submitted-sale.ts';
import { postingOf, type Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { derivationOf } from './derivation-of.ts';

/** A record of the service that is dated in a period but does not belong to any of its sales. */
export type ExtraRecord = {
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
  readonly day: CalendarDate;
  readonly record: Order | Refund;
};

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

/** Returns the log lines of these sales of a page, and the totals of their records in the service. */
export const logSales = async (
  ports: ClosePorts,
  page: readonly FoundSale[],
  { calculated, submitted, records }: FoundOfPage,
): Promise<LoggedSales> => {
  const { workspace, configuration } = ports;
  const derivation = derivationOf(ports);
  const calendar = zoneCalendar(configuration.timeZone);
  const kept = await cachedAnswers(
    workspace,
    [...calculated.values()].flatMap(answersFor).flatMap(({ digest, result }) => (result ? [] : [digest])),
  );
  const sums = recordedSums();
  const questions: string[] = [];
  const extras: string[] = [];
  const lines = page.map((detailed) => {
    const { sale, filed, late, reconciled } = detailed;
    const dayOf = (instant: Instant) =>
      instant === sale.instant ? sale.businessDate : calendar.dateAt(instant);
    const found = isPosted(detailed) ? records.get(sale.key) : undefined;
    const recorded = found && { day: dayOf(found.record.transaction_date), record: found.record };
    if (recorded) sums.add(sale.channel, recorded, 1);
    for (const record of found?.adjustments ?? []) {
      const day = dayOf(record.transaction_date);
      // A refund and its adjustments count as one record with the total of their amounts.
      sums.add(sale.channel, { day, record }, 0);
      const { channel, kind } = sale;
      const provider = providerIn(derivation, sale);
      extras.push(extraLine({ provider, kind, id: record.transaction_id, day, record }, channel));
    }
    // A filed sale, or the reversal of one, keeps its filed figures, so today's calculation is not their proof.
    const isFiled = filed !== undefined || (late?.reversedFigures ?? null) !== null;
    const isOpen = isPosted(detailed) && filed === undefined;
    const row = isOpen ? calculated.get(sale.key) : undefined;
    if (row) questions.push(...questionLines(ports, sale, row, kept));
    const sent = isOpen ? submitted.get(sale.key) : undefined;
    return saleText(
      {
        sale,
        isFiled,
        calculation: isFiled || !row?.own ? undefined : calculationOf(ports, row.own, kept),
        submission: sent && { state: sent.state, detail: sent.detail, digest: sent.body },
        recorded,
        reconciled,
        figures: () => figuresText(detailed),
      },
      derivation,
    );
  });
  return {
    sales: await logMember(lines),
    questions,
    records: extras,
    recorded: sums.all(),
  };
};

const isPosted = ({ sale }: FoundSale): boolean => postingOf(sale) === 'posted';

const recordedSums = () => {
  const sums = new Map<string, RecordedSum>();
  return {
    add: (
      channel: string,
      { day, record }: { readonly day: string; readonly record: Order | Refund },
      records: 0 | 1,
    ): void => {
      const known = sums.get(`${day} ${channel}`) ?? { day, channel, records: 0, amount: ZERO, tax: ZERO };
      sums.set(`${day} ${channel}`, {
        ...known,
        records: known.records + records,
        amount: add(known.amount, moneyOfPrice(record.amount)),
        tax: add(known.tax, moneyOfPrice(record.sales_tax)),
      });
    },
    all: (): readonly RecordedSum[] => [...sums.values()],
  };
};

type Kept = Awaited<ReturnType<typeof cachedAnswers>>;

const calculationOf = ({ serviceId }: ClosePorts, { digest, result }: StoredAnswer, kept: Kept) => {
  const answer = result ?? kept.get(digest)?.result;
  if (!answer) throw new DefectError(`the calculation ${digest} is not in the workspace`);
  return { digest, service: serviceId, result: answer };
};

/**
 * Returns the lines of the calculations with one thing changed, and of the tax that its exemption relieves, if
 * calculated.
 */
const questionLines = (
  ports: ClosePorts,
  sale: Sale,
  { relief, found }: CalculatedSale,
  kept: Kept,
): readonly string[] => {
  const line = (asked: StoredAnswer, about: Sale, why: { readonly code: string; readonly what: string }) => {
    const { digest, service, result } = calculationOf(ports, asked, kept);
    const request =
      asked.request ?? kept.get(digest)?.request ?? taxRequestOf(about, ports.configuration.shipFrom);
    return JSON.stringify({ key: sale.key, ...why, digest, service, request, result });
  };
  const alternatives = found?.alternatives ?? [];
  const isKnown = alternatives.some(({ asked }) => asked.digest === relief?.digest);
  return [
    ...alternatives.map(({ code, what, asked }) => line(asked, sale, { code, what })),
    ...(relief && !isKnown
      ? [line(relief, withoutExemption(sale), { code: 'R07', what: 'without the exemption' })]
      : []),
  ];
};

/** Returns the line of a record that the service returned for the period but that does not belong to a sale. */
export const extraLine = ({ provider, kind, id, day, record }: ExtraRecord, channel: string): string =>
  JSON.stringify({ channel, provider, kind, id, day, record });

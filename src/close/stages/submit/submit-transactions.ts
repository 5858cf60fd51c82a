import { type CalendarDate, zoneCalendar } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownCount as shown } from '../../../kernel/shown-figures.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import { providersOf } from '../../configuration/provider-of.ts';
import type { Decision } from '../../decisions/decision.ts';
import { filingPlan, isOpenSpan, type Span } from '../../period-sales/filing-plan.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { postedSalesOf } from '../../period-sales/sales-of.ts';
import { type SubmittedSale, submittedStage } from '../../period-sales/submitted-sale.ts';
import { sweepPages } from '../../period-sales/sweep-pages.ts';
import { codeOf } from '../../reconcile/exceptions.ts';
import { CONTRADICTED } from '../../sales/record-id.ts';
import { orderOfRefund } from '../../sales/refunds.ts';
import { locksOf } from '../../workspace/locks.ts';
import { datedAmong } from '../../workspace/sale-index.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import { keepDecided, sentAndNotPosted } from '../../workspace/sent-records.ts';
import { keysSetAsideFor } from '../../workspace/set-asides.ts';
import { unlessDone } from '../inputs/done-before.ts';
import { type ListedWindow, listedWindows } from '../listing/listed-windows.ts';
import { channelsOf } from '../listing/window-sales.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { allAnswers, inLists } from '../run/service-lists.ts';
import { byPages } from '../sharing/by-pages.ts';
import { movedOrders } from './moved-orders.ts';
import { noteVanished } from './note-vanished.ts';
import type { SendOutcome } from './send-result.ts';
import { sendSubmissions } from './send-submissions.ts';
import { heldOf, keepSubmitted, pendingSubmissions, recordName, type Submission } from './submission.ts';
import { withdraw } from './withdraw.ts';

export type SubmitFigures = {
  readonly created: number;
  readonly updated: number;
  /** Refunds that were brought up to their export by a further refund. */
  readonly adjusted: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly conflicts: number;
  /** Records that the service had held and did not list any more; they were sent again. */
  readonly vanished: number;
  /** Records that were deleted: their decision was taken back, or another copy contradicts them. */
  readonly withdrawn: number;
};

/**
 * Record every posted sale of the period with the service, and what has moved out of it where it belongs now. What is
 * held already, as it is, is not sent; what was refused, or has gone missing there, is tried again. The intent is
 * stored before the first send, and a record that turns out to be there is read and compared, so that a lost answer
 * or a killed run never doubles anything.
 */
export const submitTransactions = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<SubmitFigures>> => {
  const { workspace } = ports;
  let withdrawn = await withdrawUndecided(ports, period);
  const vanished = await noteVanished(ports, period);
  const done = async (page: SalesPage) => {
    const unchanged = await heldOf(ports, page);
    return unchanged === undefined ? undefined : { unchanged };
  };
  const stages = ['calculated', submittedStage(ports)] as const;
  const sent = await unlessDone(ports, { name: 'submit', period, stages, again }, async () => {
    withdrawn += await withdrawContradicted(ports, period);
    return (
      (await byPages(ports, { stage: 'submit', period, counted: NONE, done }, advanced)) ??
      (await submitPages(ports, postedSalesOf(workspace, period), advanced))
    );
  });
  const moved = await submitPages(ports, movedOrders(ports, period), () => {});
  await sweepPages(workspace, submittedStage(ports), period);
  const figures = { ...withMoved(sent, moved), vanished, withdrawn };
  return { value: figures, summary: summaryOf(figures) };
};

/** What was refused is tried again; all else is held. */
const again = ({ created, updated, adjusted, unchanged, refused, conflicts }: SentFigures) =>
  refused + conflicts > 0 ? undefined : { ...NONE, unchanged: created + updated + adjusted + unchanged };

/** What has moved out of the period is counted where something was sent for it. */
const withMoved = (own: SentFigures, moved: SentFigures): SentFigures => ({
  ...own,
  created: own.created + moved.created,
  updated: own.updated + moved.updated,
  refused: own.refused + moved.refused,
});

export type SentFigures = Omit<SubmitFigures, 'vanished' | 'withdrawn'>;

const NONE: SentFigures = { created: 0, updated: 0, adjusted: 0, unchanged: 0, refused: 0, conflicts: 0 };

/** A page of posted sales, of which those with these keys are to be recorded; all of them when there are none. */
export type PageToSubmit = SalesPage & { readonly only?: ReadonlySet<string> };

/** Pages that are worked on at once, so that calls for the next ones fill the gaps at the end of one. */
const PAGES_AT_ONCE = 8;

/** Record these pages of posted sales with the service, or what is left to do of them. */
export const submitPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<PageToSubmit>,
  advanced: Advanced,
): Promise<SentFigures> => {
  const counts: Counts = { created: 0, updated: 0, adjusted: 0, unchanged: 0, refused: 0, conflict: 0 };
  const lists = inLists(ports);
  let done = 0;
  const send = async (list: readonly Submission[]): Promise<readonly SubmittedSale[]> => {
    advanced(done);
    const results = await sendSubmissions(ports, list);
    return results.map(({ outcome, detail }, index) => {
      counts[outcome] += 1;
      return rowOf(list[index] as Submission, STATE_AFTER[outcome], detail);
    });
  };
  await rollingWindow(pages, PAGES_AT_ONCE, async (page) => {
    const { pending, rows, count, ...found } = await pendingSubmissions(ports, page);
    const sending = page.only ? pending.filter(({ stored }) => page.only?.has(stored.sale.key)) : pending;
    // What is left to the close of another period is looked at again by that one.
    const input = sending.length < pending.length ? '' : found.input;
    counts.unchanged += count - sending.length;
    if (sending.length > 0) {
      const known = new Map(rows);
      for (const submission of sending) known.set(...keyed(rowOf(submission, 'sending', '')));
      await noteDecided(ports, sending);
      await keepSubmitted(ports, page, input, known, true);
      const answers = await lists(sending, send);
      for (const answer of answers)
        if (answer.status === 'fulfilled') for (const row of answer.value) known.set(...keyed(row));
      await keepSubmitted(ports, page, input, known);
      allAnswers(answers);
    } else if (rows.size > 0 && !page.only) await keepSubmitted(ports, page, input, rows);
    done += count;
    advanced(done);
  });
  const { conflict: conflicts, ...others } = counts;
  return { ...others, conflicts };
};

type Counts = Record<SendOutcome, number>;

const STATE_AFTER = {
  created: 'held',
  updated: 'held',
  adjusted: 'held',
  unchanged: 'held',
  refused: 'refused',
  conflict: 'conflict',
} as const satisfies Record<SendOutcome, SubmittedSale['state']>;

const rowOf = (
  { stored: { sale, digest }, digest: body }: Submission,
  state: SubmittedSale['state'],
  detail: string,
): SubmittedSale => ({ key: sale.key, body, sale: digest, state, detail });

const keyed = (row: SubmittedSale): [string, SubmittedSale] => [row.key, row];

const summaryOf = (figures: SubmitFigures): string => {
  const { created, updated, adjusted, unchanged, refused, conflicts, vanished, withdrawn } = figures;
  return [
    `${shown(created)} created`,
    `${shown(updated)} updated`,
    ...(adjusted > 0 ? [`${shown(adjusted)} adjusted`] : []),
    `${shown(unchanged)} unchanged`,
    ...(refused + conflicts > 0 ? [`${shown(refused)} refused`, `${shown(conflicts)} in conflict`] : []),
    ...(withdrawn > 0
      ? [`${shown(withdrawn)} deleted, because a decision was taken back or copies contradict each other`]
      : []),
    ...(vanished > 0
      ? [`${shown(vanished)} were not listed under their day any more and were sent again`]
      : []),
  ].join(', ');
};

const records = ({ verdict }: Decision): boolean => verdict === 'post' || verdict === 'split';

/** Note of sales that are about to be sent which of them are sent because a person decided so. */
const noteDecided = async (ports: ClosePorts, sending: readonly Submission[]): Promise<void> => {
  const { configuration } = ports;
  if (!decisionsOf(configuration).some(records)) return;
  const decisions = decisionIndexOf(configuration);
  const decided = sending.filter(({ stored: { sale } }) =>
    decisions.ofRecord([sale.origin.record, sale.id], sale.findings.map(codeOf)).some(records),
  );
  const rows = decided.map((submission) => {
    const { provider = '', kind, id } = recordName(submission);
    const { key, businessDate } = submission.stored.sale;
    return { key, provider, kind, id, business_date: businessDate, state: 'sent' };
  });
  await keepDecided(ports, rows);
};

/**
 * Delete what was recorded of the open days of a period because a person decided so, and is not decided any more. What
 * a lock holds stays: there it is a late item.
 */
const withdrawUndecided = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { spans } = filingPlan(period, await locksOf(ports.workspace));
  const open = spans.filter(isOpenSpan);
  const rows = (await sentAndNotPosted(ports)).filter(({ business_date: day }) =>
    open.some(({ first, last }) => first <= day && day <= last),
  );
  for (const row of rows) {
    const { key, provider, id, business_date: day } = row;
    await withdraw(ports, {
      key,
      provider,
      id,
      kind: row.kind as RecordName['kind'],
      day: day as CalendarDate,
    });
    await keepDecided(ports, [{ ...row, state: 'withdrawn' }]);
  }
  return rows.length;
};

/**
 * Delete what was recorded of one copy of a record while the exports had no other: by now they have two that contradict
 * each other, and neither is posted. Refunds that followed from such an order go with it. What is recorded is what the
 * service lists: the workspace may have forgotten it, or may never have known that it was taken.
 */
const withdrawContradicted = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { workspace } = ports;
  const channels = ports.configuration.channels.map(({ name }) => name);
  const contradicted = await keysSetAsideFor(workspace, channels, CONTRADICTED);
  if (contradicted.size === 0) return 0;
  let withdrawn = 0;
  const { spans } = filingPlan(period, await locksOf(workspace));
  for (const span of spans.filter(isOpenSpan))
    for await (const window of listedWindows(ports, span, providersOf(ports.configuration)))
      withdrawn += await withdrawListed(ports, span, window, contradicted);
  return withdrawn;
};

const withdrawListed = async (
  ports: ClosePorts,
  span: Span,
  window: ListedWindow,
  contradicted: ReadonlySet<string>,
): Promise<number> => {
  const { service, configuration } = ports;
  const { provider, kind, fresh } = window;
  const calendar = zoneCalendar(configuration.timeZone);
  let withdrawn = 0;
  for (const channel of channelsOf(ports, window))
    for (const id of fresh) {
      const key = `${channel}/${kind}/${id}`;
      const order = `${channel}/order/${orderOfRefund(id)}`;
      if (!contradicted.has(key) && !(kind === 'refund' && contradicted.has(order))) continue;
      const [record] = (await isPosted(ports, key)) ? [] : await service.showMany([{ provider, kind, id }]);
      const day = record && calendar.dateAt(record.transaction_date);
      if (day === undefined || day < span.first || span.last < day) continue;
      if (await withdraw(ports, { provider, kind, id, key, day })) withdrawn += 1;
    }
  return withdrawn;
};

const isPosted = async ({ workspace }: ClosePorts, key: string): Promise<boolean> =>
  (await datedAmong(workspace, [key])).some(({ posting }) => posting === 'posted');

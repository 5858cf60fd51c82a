import { shownCount as shown } from '../../../kernel/shown-figures.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import type { Decision } from '../../decisions/decision.ts';
import type { SubmittedSale } from '../../period-sales/submitted-sale.ts';
import { codeOf } from '../../reconcile/exceptions.ts';
import { nameInChannel } from '../../sales/sale-name.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import { keepDecided } from '../../workspace/sent-records.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { allAnswers, inLists } from '../run/service-lists.ts';
import { providerNotes } from './note-providers.ts';
import type { SendOutcome } from './send-result.ts';
import { sendSubmissions } from './send-submissions.ts';
import { keepSubmitted, pendingSubmissions, recordName, type Submission } from './submission.ts';

export type SubmitFigures = {
  readonly created: number;
  readonly updated: number;
  /** Refunds that a further refund adjusted to their export. */
  readonly adjusted: number;
  readonly unchanged: number;
  /** Sales that the service refused to record, and records that it refused to delete. */
  readonly refused: number;
  readonly conflicts: number;
  /** Records that the service had held but no longer listed. They were sent again. */
  readonly vanished: number;
  /** Records that were deleted, because their decision was revoked or changed, or another copy contradicts them. */
  readonly withdrawn: number;
};

export type SentFigures = Omit<SubmitFigures, 'vanished' | 'withdrawn'>;

/** A page of posted sales; with `only`, only those with these keys are recorded. */
export type PageToSubmit = SalesPage & { readonly only?: ReadonlySet<string> };

/** Pages that are processed in parallel, so that calls for the next ones fill the gap at the end of one. */
const PAGES_AT_ONCE = 8;

/** Record what is missing of these pages of posted sales with the service. */
export const submitPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<PageToSubmit>,
  advanced: Advanced,
): Promise<SentFigures> => {
  const counts: Counts = { created: 0, updated: 0, adjusted: 0, unchanged: 0, refused: 0, conflict: 0 };
  const lists = inLists(ports);
  const noteProviders = await providerNotes(ports);
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
    // An empty input makes the close of the other period process the page again.
    const input = sending.length < pending.length ? '' : found.input;
    counts.unchanged += count - sending.length;
    if (sending.length > 0 || rows.size > 0) await noteProviders(page);
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

export const submitText = (figures: SubmitFigures): string => {
  const { created, updated, adjusted, unchanged, refused, conflicts, vanished, withdrawn } = figures;
  return [
    `${shown(created)} created`,
    `${shown(updated)} updated`,
    ...(adjusted > 0 ? [`${shown(adjusted)} adjusted`] : []),
    `${shown(unchanged)} unchanged`,
    ...(refused + conflicts > 0 ? [`${shown(refused)} refused`, `${shown(conflicts)} in conflict`] : []),
    ...(withdrawn > 0 ? [`${shown(withdrawn)} deleted, because a decision was taken back or changed`] : []),
    ...(vanished > 0
      ? [`${shown(vanished)} were not listed under their day any more and were sent again`]
      : []),
  ].join(', ');
};

const records = ({ verdict }: Decision): boolean => verdict === 'post' || verdict === 'split';

/** Records which of the sales that are about to be sent are sent because of a person's decision. */
const noteDecided = async (ports: ClosePorts, sending: readonly Submission[]): Promise<void> => {
  const { configuration } = ports;
  if (!decisionsOf(configuration).some(records)) return;
  const decisions = decisionIndexOf(configuration);
  const decided = sending.filter(({ stored: { sale } }) =>
    decisions
      .ofRecord(
        [sale.origin.record, sale.id, nameInChannel(sale.channel, sale.id)],
        sale.findings.map(codeOf),
        sale.businessDate,
      )
      .some(records),
  );
  const rows = decided.map((submission) => {
    const { provider = '', kind, id } = recordName(submission);
    const { key, businessDate } = submission.stored.sale;
    return { key, provider, kind, id, business_date: businessDate, state: 'sent' };
  });
  await keepDecided(ports, rows);
};

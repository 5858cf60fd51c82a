import type { FilingPeriod } from '../../../kernel/period.ts';
import { slicesOf } from '../../../runtime/batches.ts';
import { keptInGroups } from '../../../runtime/kept-in-groups.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { postedSalesOf, type StoredSale } from '../../workspace/sales-of.ts';
import type { SubmissionRow } from '../../workspace/service-tables.ts';
import { byDays } from '../batches/by-days.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { inLists } from '../service-lists.ts';
import { handOutSubmit } from './hand-out-submit.ts';
import { movedOrders } from './moved-orders.ts';
import { noteVanished } from './note-vanished.ts';
import { type Parcel, pendingParcels, submissionRow } from './parcel.ts';
import { sendParcels } from './send-parcels.ts';
import type { SendOutcome } from './send-result.ts';

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
  const vanished = await noteVanished(ports, period);
  const sent = ports.workers
    ? await handOutSubmit(ports, ports.workers, period, advanced)
    : ((await byDays(ports, { stage: 'submit', period, counted: NONE }, advanced)) ??
      (await submitPages(ports, postedSalesOf(ports.workspace, period), advanced)));
  const moved = await submitPages(ports, movedOrders(ports, period), () => {});
  const figures = { ...withMoved(sent, moved), vanished };
  return { value: figures, summary: summaryOf(figures) };
};

/** What has moved out of the period is counted where something was sent for it. */
const withMoved = (own: SentFigures, moved: SentFigures): SentFigures => ({
  ...own,
  created: own.created + moved.created,
  updated: own.updated + moved.updated,
  refused: own.refused + moved.refused,
});

export type SentFigures = Omit<SubmitFigures, 'vanished'>;

const NONE: SentFigures = { created: 0, updated: 0, adjusted: 0, unchanged: 0, refused: 0, conflicts: 0 };

/** Record these pages of posted sales with the service, or what is left to do of them. */
export const submitPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<readonly StoredSale[]>,
  advanced: Advanced,
): Promise<SentFigures> => {
  const { workspace } = ports;
  const counts: Counts = { created: 0, updated: 0, adjusted: 0, unchanged: 0, refused: 0, conflict: 0 };
  const keeper = keptInGroups<SubmissionRow>({
    waitingMax: KEPT_TOGETHER,
    write: (rows) => workspace.upsert('submission', rows),
  });
  let seen = 0;
  const parcels = parcelsOf(ports, pages, (unchanged, done) => {
    counts.unchanged += unchanged;
    seen = done;
    advanced(done);
  });
  await inLists(ports, parcels, async (list) => {
    await keeper.room();
    advanced(seen);
    for (const [index, { outcome, detail }] of (await sendParcels(ports, list)).entries()) {
      counts[outcome] += 1;
      const state = outcome === 'refused' || outcome === 'conflict' ? outcome : 'held';
      void keeper.keep(submissionRow(ports, list[index] as Parcel, state, detail));
    }
  });
  await keeper.settled();
  const { conflict: conflicts, ...others } = counts;
  return { ...others, conflicts };
};

/**
 * Notes of what is held that are written together at the most. One that a kill loses costs two calls that nobody
 * bills: the record is sent again, found to be there, and read.
 */
const KEPT_TOGETHER = 1_000;
/** Sales prepared at once: while they are, no answer is heard. */
const SLICE_ROWS = 100;

type Counts = Record<SendOutcome, number>;

/** The parcels that are to be sent, page after page; their intent is stored before they come. */
async function* parcelsOf(
  ports: ClosePorts,
  pages: AsyncIterable<readonly StoredSale[]>,
  onPage: (unchanged: number, done: number) => void,
): AsyncGenerator<Parcel> {
  let done = 0;
  for await (const page of slicesOf(pages, SLICE_ROWS)) {
    const parcels = await pendingParcels(ports, page);
    await ports.workspace.upsert(
      'submission',
      parcels.map((parcel) => submissionRow(ports, parcel, 'sending', '')),
    );
    done += page.length;
    onPage(page.length - parcels.length, done);
    yield* parcels;
  }
}

const summaryOf = (figures: SubmitFigures): string => {
  const { created, updated, adjusted, unchanged, refused, conflicts, vanished } = figures;
  return [
    `${created} created`,
    `${updated} updated`,
    ...(adjusted > 0 ? [`${adjusted} adjusted`] : []),
    `${unchanged} unchanged`,
    ...(refused + conflicts > 0 ? [`${refused} refused`, `${conflicts} in conflict`] : []),
    ...(vanished > 0 ? [`${vanished} were not listed under their day any more and were sent again`] : []),
  ].join(', ');
};

import type { PeriodReport } from '../close/figures/period-report.ts';
import { shownCount as shown } from '../kernel/text.ts';

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

export type ReadBackFigures = {
  readonly listed: number;
  readonly read: number;
  /** Records that are listed but not shown. */
  readonly unshown: number;
  /** Records of a locked period that the service does not have any more, if there are any. */
  readonly lost?: number;
};

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
};

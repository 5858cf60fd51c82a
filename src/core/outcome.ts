import type { PeriodReport } from '../figures/period-report.ts';
import type { Status } from '../judge/reconciled-sale.ts';
import { shownCount as shown } from '../kernel/text.ts';

/** Returns counts that begin with nothing. */
export const noneOf = <Name extends string>(...names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

/** Sales by status. */
export type ReconcileFigures = Readonly<Record<Status, number>>;

export const NONE: ReconcileFigures = {
  ...noneOf('tied out', 'explained', 'unexplained'),
  ...noneOf('recorded otherwise', 'not recorded', 'not calculated'),
};

export const reconcileText = (counts: ReconcileFigures): string =>
  Object.entries(counts)
    .filter(([status, count]) => count > 0 || status === 'tied out')
    .map(([status, count]) => `${shown(count)} ${status}`)
    .join(', ');

export type SubmitFigures = {
  readonly created: number;
  readonly updated: number;
  /** Refunds that a further refund adjusted to their export. */
  readonly adjusted: number;
  readonly unchanged: number;
  /** Sales that the service refused to record, and records that it refused to delete. */
  readonly refused: number;
  readonly conflicts: number;
  /** Records that were deleted, because somebody answered so. */
  readonly withdrawn: number;
};

export const submitText = (figures: SubmitFigures): string => {
  const { created, updated, adjusted, unchanged, refused, conflicts, withdrawn } = figures;
  return [
    `${shown(created)} created`,
    `${shown(updated)} updated`,
    adjusted > 0 && `${shown(adjusted)} adjusted`,
    `${shown(unchanged)} unchanged`,
    refused + conflicts > 0 && `${shown(refused)} refused, ${shown(conflicts)} in conflict`,
    withdrawn > 0 && `${shown(withdrawn)} deleted, as decided`,
  ]
    .filter(Boolean)
    .join(', ');
};

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
};

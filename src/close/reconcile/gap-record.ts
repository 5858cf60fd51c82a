import type { FilingPeriod } from '../../kernel/period.ts';

/** The record name for accepting a missing rate of a place, or of a state. */
export const gapRecord = (
  { where, state, own }: { readonly where: string; readonly state: string; readonly own: unknown },
  { label }: Pick<FilingPeriod, 'label'>,
): string => (where === '' || own === null ? `${state} ${label}` : `${where}, ${state} ${label}`);

/** Whether this is the name of a place or a state of the period, and not that of a sale. */
export const isGapRecord = (record: string, { label }: Pick<FilingPeriod, 'label'>): boolean =>
  record.endsWith(` ${label}`);

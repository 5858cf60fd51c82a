import type { FilingPeriod } from '../../kernel/period.ts';

/** The record name for accepting a missing rate of a place, or of a state. */
export const gapRecord = (
  { where, state, own }: { readonly where: string; readonly state: string; readonly own: unknown },
  { label }: Pick<FilingPeriod, 'label'>,
): string => (where === '' || own === null ? `${state} ${label}` : `${where}, ${state} ${label}`);

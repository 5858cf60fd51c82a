import type { FilingPeriod } from '../../kernel/period.ts';

/** What an acceptance names as the record, of all sales of a place, or of a state, of which a rate is missing. */
export const gapRecord = (
  { where, state, own }: { readonly where: string; readonly state: string; readonly own: unknown },
  { label }: Pick<FilingPeriod, 'label'>,
): string => (where === '' || own === null ? `${state} ${label}` : `${where}, ${state} ${label}`);

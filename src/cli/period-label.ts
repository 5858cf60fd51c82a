import { parsePeriod } from '../kernel/period.ts';
import { unknownPeriod } from './close-options.ts';

/** `2026-10`, or an amended version of it, `2026-10-amended-1`. @throws {TieoutError} E_PERIOD */
export const periodLabel = (text: string): string => {
  if (!parsePeriod(text.replace(/-amended-\d+$/, ''))) throw unknownPeriod(text);
  return text;
};

import * as z from 'zod';
import { type FilingPeriod, parsePeriod } from '../../kernel/period.ts';

const AMENDED = /-amended-\d+$/;

/**
 * A filing period as a person writes it: `2026-10`, `2026-Q3`, `2026-H1`, `2026`, `2026-10..2027-03`; or an amended
 * version of one, `2026-10-amended-1`.
 */
export const PeriodParam = z.string().transform((text, context): FilingPeriod => {
  const period = parsePeriod(text.replace(AMENDED, ''));
  if (period) return { ...period, label: text };
  context.issues.push({ code: 'custom', input: text, message: 'is no filing period' });
  return z.NEVER;
});

import * as z from 'zod';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';

/**
 * A filing period as a person writes it: `2026-10`, `2026-Q3`, `2026-H1`, `2026` or `2026-10..2027-03`; or an amended
 * version of one, `2026-10-amended-1`.
 */
export const PeriodParam = z.string().transform((text, context): FilingPeriod => {
  const period = parseVersion(text);
  if (period) return period;
  context.issues.push({ code: 'custom', input: text, message: 'is not a filing period' });
  return z.NEVER;
});

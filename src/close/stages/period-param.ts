import * as z from 'zod';
import { type FilingPeriod, parsePeriod } from '../../kernel/period.ts';

/** A filing period as a person writes it: `2026-10`, `2026-Q3`, `2026-H1`, `2026`, `2026-10..2027-03`. */
export const PeriodParam = z.string().transform((text, context): FilingPeriod => {
  const period = parsePeriod(text);
  if (period) return period;
  context.issues.push({ code: 'custom', input: text, message: 'is no filing period' });
  return z.NEVER;
});

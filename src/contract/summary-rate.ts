import * as z from 'zod';
import { Fraction } from './scalars.ts';

const LabelledRate = z.object({ label: z.string(), rate: Fraction }).meta({ id: 'LabelledRate' });

/** What a region takes at the least, and on average over its postal codes. Whole countries have no region. */
const SummaryRate = z
  .object({
    country_code: z.string(),
    country: z.string(),
    region_code: z.string().nullable(),
    region: z.string().nullable(),
    minimum_rate: LabelledRate,
    average_rate: LabelledRate,
  })
  .meta({ id: 'SummaryRate' });
export type SummaryRate = z.output<typeof SummaryRate>;

/** The body of `GET /summary_rates`. */
export const SummaryRatesBody = z.object({ summary_rates: z.array(SummaryRate) });

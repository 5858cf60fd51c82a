import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import { quarterOf } from './cell-values.ts';
import type { FilePeriod } from './parsed-file.ts';

/** State, `R` for rates or `B` for boundaries, year, quarter, and the day of publication, as `GAR2026Q2FEB19`. */
const NAME = /^([A-Z]{2})([RB])(\d{4})Q([1-4])([A-Z]{3})(\d{1,2})/;
const MONTHS = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';

export type SstName = { readonly state: string; readonly part: 'R' | 'B'; readonly period: FilePeriod };

/**
 * Read the name of a Streamlined file; `undefined` for any other name. Files are published from three months before
 * their quarter to its end.
 *
 * @throws {ContentRefusedError} when quarter and month of publication contradict each other
 */
export const parseSstName = (name: string): SstName | undefined => {
  const parts = NAME.exec(name.toUpperCase());
  const [, state = '', part, year, quarter, month = ''] = parts ?? [];
  const period = quarterOf(Number(year), Number(quarter));
  if (period === undefined) return undefined;
  const published = MONTHS.indexOf(month) / 3 + 1;
  const monthsBefore = (Number(quarter) * 3 - 2 - published + 12) % 12;
  if (!Number.isInteger(published) || published < 1 || (monthsBefore > 3 && monthsBefore < 10))
    throw new ContentRefusedError(name, `a file of ${month} is not one of quarter ${period.label}`);
  return { state, part: part as 'R' | 'B', period };
};

/** Return a Streamlined file's state by its federal number. @throws {ContentRefusedError} unless the name agrees */
export const stateNumbered = (
  content: TaxContent,
  fips: string,
  file: string,
  name: SstName | undefined,
): string => {
  const state = [...content.stateFips].find(([, code]) => code === fips)?.[0];
  if (state === undefined) throw new ContentRefusedError(file, `${fips} is the code of no state`);
  if (name && name.state !== state)
    throw new ContentRefusedError(file, `the file is named for ${name.state}, its lines are of ${state}`);
  return state;
};

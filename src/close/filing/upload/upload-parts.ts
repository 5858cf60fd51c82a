import { DefectError } from '../../../kernel/errors.ts';
import type { Money } from '../../../kernel/money.ts';
import type { ReturnSchedule } from '../return/schedule-rows.ts';
import type { ReturnCheck, TaxReturn } from '../return/tax-return.ts';

export const scheduleNamed = ({ schedules, form }: TaxReturn, name: string): ReturnSchedule => {
  const found = schedules.find(({ schedule }) => schedule.name === name);
  if (!found) throw new DefectError(`${form.form} has no schedule ${name}`);
  return found;
};

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

export const fileName = ({ figures, form }: TaxReturn, ending: string): string =>
  `${figures.state}-${form.form.replace(/[^A-Za-z0-9]+/g, '-')}-${figures.period.label}.${ending}`;

/** A total of the file that must be a line of the return to the cent. */
export const equalCheck = (test: string, left: Money, right: Money): ReturnCheck => ({
  test,
  left,
  right,
  tolerance: 0 as Money,
});

/** What to check where Tieout lacks the rates of places. */
export const missingRates = ({ figures }: TaxReturn): readonly string[] =>
  figures.gap.sales === 0
    ? []
    : ['check the rows of places whose local rate Tieout lacks: they carry the tax as it was collected'];

/** What to add where rows have no code. */
export const missingCodes = (count: number, of: number, what: string): readonly string[] =>
  count === 0 ? [] : [`add the ${what} of ${count} of ${of} rows`];

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

/** What to say of places of which Tieout lacks the rates. */
export const missingRates = ({ figures }: TaxReturn): readonly string[] =>
  figures.gap.sales === 0
    ? []
    : [
        'Draft: local rates are missing in Tieout. Rows of such places carry the tax as it was collected; check them before the file is sent.',
      ];

/** What to say of rows without a code. */
export const missingCodes = (count: number, of: number, what: string): readonly string[] =>
  count === 0 ? [] : [`${count} of ${of} rows have no ${what}: add it before the file is sent.`];

import type { CalendarDate } from '../../../../kernel/calendar.ts';
import type { Rate } from '../../../../kernel/rate.ts';
import { inForce, sourceText } from '../../../filing/law/law-row.ts';
import type { TaxReturn } from '../../../filing/return/tax-return.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

export type RateRow = {
  readonly state: string;
  readonly name: string;
  readonly rate: Rate;
  readonly from: CalendarDate | undefined;
  readonly verified: CalendarDate | false;
  readonly source: string;
};

/** Lists the rates that the forms themselves state, as of the last day of the period. */
export const rateRows = (returns: readonly TaxReturn[]): readonly RateRow[] =>
  returns.flatMap(({ form, figures }) =>
    [...new Set(form.rates.map(({ name }) => name))].flatMap((name): readonly RateRow[] => {
      const row = inForce(
        form.rates.filter((each) => each.name === name),
        figures.period.last,
      );
      if (!row) return [];
      const { rate, from, verified, sources } = row;
      return [{ state: returnKey(figures), name, rate, from, verified, source: sourceText(sources) }];
    }),
  );

export const RATES = defineSheet<RateRow>({
  name: 'Rates',
  table: 'Rates',
  title: 'Rates of the forms',
  note: 'Rates that a form multiplies by. Schedules carry the rates of their places themselves.',
  columns: [
    { title: 'State', width: 14, format: 'status', value: ({ state }) => state },
    { title: 'Rate name', width: 14, format: 'text', value: ({ name }) => name },
    { title: 'Rate', width: 13, format: 'rate', value: ({ rate }) => rate },
    { title: 'Source', width: 54, format: 'text', value: ({ source }) => source || 'not verified' },
    { title: 'In force from', width: 12, format: 'date', value: ({ from }) => from },
    {
      title: 'Last verified',
      width: 12,
      format: 'date',
      value: ({ verified }) => (verified === false ? undefined : verified),
    },
  ],
});

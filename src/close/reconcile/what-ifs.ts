import { addDays, type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import type { Sale } from '../sales/sale.ts';
import type { ReasonCode } from './reason.ts';

/** The same sale with one thing changed, to be calculated while its variance is unexplained. */
export type WhatIf = { readonly code: ReasonCode; readonly what: string; readonly sale: Sale };

/** Quarters looked back for a rate that a shop may have failed to update. */
const QUARTERS_BACK = 8;

/**
 * What may explain a variance and needs another calculation, likeliest first: product categories ignored, then the
 * rates of earlier quarters. Local rates change at the start of a quarter, so the last days of quarters see them all.
 */
export const whatIfsOf = (sale: Sale): readonly WhatIf[] => {
  const whatIfs: WhatIf[] = [];
  if (sale.lines.some(({ taxCode }) => taxCode !== null)) {
    const plain = { ...sale, lines: sale.lines.map((line) => ({ ...line, taxCode: null })) };
    whatIfs.push({ code: 'R05', what: 'with product categories ignored', sale: plain });
  }
  for (const day of quarterEndsBefore(sale.taxDate)) {
    whatIfs.push({ code: 'R02', what: `at the rates of ${day}`, sale: { ...sale, taxDate: day } });
  }
  return whatIfs;
};

const quarterEndsBefore = (date: CalendarDate): readonly CalendarDate[] => {
  const ends: CalendarDate[] = [];
  for (let day = date; ends.length < QUARTERS_BACK; ) {
    const firstMonth = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1;
    day = addDays(calendarDate(`${day.slice(0, 4)}-${String(firstMonth).padStart(2, '0')}-01`), -1);
    ends.push(day);
  }
  return ends;
};

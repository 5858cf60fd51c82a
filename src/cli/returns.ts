import { Command, InvalidArgumentError } from 'commander';
import { type CalendarDate, calendarDate, parseDate, utcDateOf } from '../kernel/calendar.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import type { CommandIo } from './io.ts';

type ReturnsOptions = { readonly on?: CalendarDate; readonly json?: boolean };

/** `tieout returns`: the returns that are known, as of a day; of one state, line by line. */
export const returnsCommand = (io: CommandIo): Command =>
  new Command('returns')
    .argument('[state]', 'a state by its postal code: its return, line by line', state)
    .option('--on <day>', 'as of this day (default: today)', day)
    .option('--json', 'print a single JSON object to stdout')
    .action(async (of: string | undefined, { on, json }: ReturnsOptions) => {
      const [{ loadFilingLaw }, listing] = await Promise.all([
        import('../close/filing-law/load-filing-law.ts'),
        import('./returns-listing.ts'),
      ]);
      const known = listing.knownReturns(loadFilingLaw(), on ?? utcDateOf(io.clock.now()), of);
      if (json) io.print(`${JSON.stringify({ returns: known.map(listing.returnObject) }, null, 2)}\n`);
      else io.print(of === undefined ? listing.returnsText(known) : known.map(listing.returnText).join('\n'));
    });

const state = (text: string): string => {
  const code = text.toUpperCase();
  if (usRegionCode(code) !== code) throw new InvalidArgumentError('It must be a postal code such as OH.');
  return code;
};

const day = (text: string): CalendarDate => {
  if (parseDate(text) === undefined) throw new InvalidArgumentError('It must be a day such as 2026-10-31.');
  return calendarDate(text);
};

import { Command, InvalidArgumentError } from 'commander';
import { type CalendarDate, calendarDate, parseDate, utcDateOf } from '../kernel/calendar.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import type { CommandIo } from './io.ts';

type ReturnsOptions = { readonly on?: CalendarDate; readonly json?: boolean };

/** Builds `tieout returns`: lists the returns known as of a day, or those of one state line by line. */
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
      const law = loadFilingLaw();
      const asOf = on ?? utcDateOf(io.clock.now());
      const known = listing.knownReturns(law, asOf, of);
      const collectors = listing.knownCollectors(law, asOf, of);
      if (json) {
        const returns = known.map(listing.returnObject);
        io.print(
          `${JSON.stringify({ returns, collectors: collectors.map(listing.collectorObject) }, null, 2)}\n`,
        );
      } else if (of === undefined) io.print(listing.returnsText(known));
      else io.print([...known.map(listing.returnText), ...collectors.map(listing.collectorText)].join('\n'));
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

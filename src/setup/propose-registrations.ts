import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { StateFacts } from './channel-facts.ts';
import type { Proposal } from './proposal.ts';

type States = ReadonlyMap<string, StateFacts>;

/** Fewer than `FEW` taxed sales count only if they are at least one in `FEW_SHARE` of all taxed sales. */
const FEW = 3;
const FEW_SHARE = 50;

/**
 * Propose the states where at least half of the sales were taxed, unless these are a handful among many: tax on a few of
 * many is probably a mistake. The ship-from state is proposed, too, unless it has no sales tax. None is where the seller
 * has no sales of which the tax is his own. All other states with sales are the quiet ones.
 */
export const proposeRegistrations = (
  states: States,
  home: string,
): Pick<Proposal, 'registrations' | 'quiet'> => {
  if (states.size === 0) return { registrations: [], quiet: [] };
  const allTaxed = [...states.values()].reduce((total, { taxed }) => total + taxed, 0);
  const isCollecting = ({ taxed, sales }: StateFacts): boolean =>
    taxed > 0 && taxed * 2 >= sales && (taxed >= FEW || taxed * FEW_SHARE >= allTaxed);
  const hasTax = loadFilingLaw().nexus.some(({ state }) => state === home);
  const isProposed = (state: string, facts: StateFacts | undefined): boolean =>
    (state === home && hasTax) || (facts !== undefined && isCollecting(facts));
  const since = monthOf([...states.values()].flatMap(({ firstTaxed }) => firstTaxed ?? []).sort()[0]);
  const rows = [...new Set([...states.keys(), home])]
    .filter((state) => state !== '')
    .sort()
    .map((state) => {
      const facts = states.get(state);
      return { state, since: facts?.firstTaxed ? monthOf(facts.firstTaxed) : since, facts };
    });
  return {
    registrations: rows.filter(({ state, facts }) => isProposed(state, facts)),
    quiet: rows.filter(({ state, facts }) => facts && !isProposed(state, facts)),
  };
};

/** The first day of the month of a date: the duty to collect hardly ever began on the first day in an export. */
const monthOf = (day: CalendarDate | undefined): string =>
  day === undefined ? '2000-01-01' : `${day.slice(0, 7)}-01`;

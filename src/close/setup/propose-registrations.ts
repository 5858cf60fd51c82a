import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, ZERO } from '../../kernel/money.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import type { StateFacts } from './channel-facts.ts';
import type { Proposal, QuietState } from './proposal.ts';

export type States = ReadonlyMap<string, StateFacts>;

/**
 * Whether the shop seems to collect in a state. At least half of the sales there must be taxed: tax on a few of many is
 * probably a mistake. So is tax on a handful of sales that make up a tiny share of all taxed sales.
 */
const isUsuallyTaxed = ({ taxed, sales }: StateFacts, states: Iterable<StateFacts>): boolean => {
  const all = [...states].reduce((total, facts) => total + facts.taxed, 0);
  return taxed > 0 && taxed * 2 >= sales && (taxed >= FEW || taxed * FEW_SHARE >= all);
};

/** Fewer than `FEW` taxed sales count only if they are at least one in `FEW_SHARE` of all taxed sales. */
const FEW = 3;
const FEW_SHARE = 50;

/**
 * Propose the states where sales were taxed, and the ship-from state unless it has no sales tax. An empty list if no
 * state is left, or if marketplaces remit the tax of all sales.
 */
export const registrationsOf = (states: States, home: string): Proposal['registrations'] => {
  const all = [...states.values()];
  if (all.length > 0 && all.every(({ sales }) => sales === 0)) return [];
  const inPerson = states.get('');
  const taxed = [...states].filter(([state, facts]) => state !== '' && isUsuallyTaxed(facts, all));
  const own = taxed.map(([state, facts]) => ({ state, since: monthOf(facts.firstTaxed), facts }));
  const hasTax = loadFilingLaw().nexus.some(({ state }) => state === home);
  if (own.some(({ state }) => state === home) || !hasTax) return own.sort(byState);
  const since = monthOf(inPerson?.firstTaxed ?? all.map(({ firstTaxed }) => firstTaxed).sort()[0]);
  return [...own, { state: home, since, facts: inPerson ?? states.get(home) }].sort(byState);
};

const byState = (left: { readonly state: string }, right: { readonly state: string }): number =>
  left.state < right.state ? -1 : 1;

/** The first day of the month of a date: the duty to collect hardly ever began on the first day in an export. */
const monthOf = (day: CalendarDate | undefined): string =>
  day === undefined ? '2000-01-01' : `${day.slice(0, 7)}-01`;

export const quietStates = (states: States, home: string): readonly QuietState[] => {
  const { nexus } = loadFilingLaw();
  return [...states]
    .filter(
      ([state, facts]) =>
        state !== '' && state !== home && !isUsuallyTaxed(facts, states.values()) && facts.gross > ZERO,
    )
    .map(([state, facts]) => {
      const { gross, marketplaceGross } = facts;
      const rule = nexus.filter((row) => row.state === state).at(-1);
      const counted = rule?.marketplace === true ? add(gross, marketplaceGross) : gross;
      return {
        state,
        since: monthOf(facts.firstTaxed),
        facts,
        threshold: rule?.sales,
        isReached: rule !== undefined && counted >= rule.sales,
      };
    })
    .sort(byState);
};

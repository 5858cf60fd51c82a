import { shownCount as counted, shownDollars, shownNumber } from '../../kernel/shown-figures.ts';
import { check, type Line } from './checked-line.ts';
import type { Decisions, Proposal, ProposedRegistration, QuietState } from './proposal.ts';

/** The registrations, and what the exports say of other states. */
export const registrationLines = (
  proposal: Proposal,
  { registered, isRegistrationSaid }: Decisions,
): readonly Line[] => {
  const { registrations, quiet, fees } = proposal;
  const own = registrations.filter(({ state }) => registered.includes(state));
  const added = registered.filter((state) => !own.some((row) => row.state === state));
  const since = own.map((row) => row.since).sort()[0] ?? '2000-01-01';
  const dropped = registrations.filter(({ state }) => !registered.includes(state));
  const rows = [
    ...own,
    ...added.map((state) => {
      const known = quiet.find((row) => row.state === state);
      return known && known.facts.taxed > 0 ? known : { state, since, facts: known?.facts };
    }),
  ];
  return [
    '# The states in which the seller has to collect. Correct `since` to the first day of the permit: here it is the first',
    '# month with tax in the exports. Add `account: "..."`, and `frequency: quarterly` where returns are not monthly.',
    ...registrationHead(rows, proposal, isRegistrationSaid),
    ...rows.map(({ state, since: day, facts }) =>
      facts && facts.taxed > 0
        ? `  - { state: ${state}, since: "${day}" } # tax of ${shownDollars(facts.tax)} on ${counted(facts.taxed)} of ${shownNumber(facts.sales, 'sale')}`
        : `  - { state: ${state}, since: "${day}" } # no tax in the exports`,
    ),
    ...fees
      .filter(({ state }) => rows.some((row) => row.state === state))
      .flatMap(({ state, name, limits }) => [
        check(
          `  # CHECK ${state}: ${name}. Add \`deliveryFee: none\` to its line if you owe none, else the dollars for a sale.`,
          `${state}: say with \`deliveryFee\` whether you owe the ${name}; a month with deliveries there is not READY before`,
        ),
        ...(limits === '' ? [] : [`  # ${limits}`]),
      ]),
    ...dropped.flatMap(({ state, since: day, facts }) =>
      facts === undefined || facts.taxed === 0
        ? []
        : quietLines({ state, since: day, facts, threshold: undefined, isReached: false }),
    ),
    ...quiet.filter(({ state }) => !registered.includes(state)).flatMap(quietLines),
  ];
};

const registrationHead = (
  rows: readonly Pick<ProposedRegistration, 'state' | 'facts'>[],
  { channels }: Pick<Proposal, 'channels'>,
  isSaid: boolean,
): readonly Line[] => {
  const isNone = rows.length === 0;
  const key = `registrations:${isNone ? ' []' : ''}`;
  if (isSaid)
    return isNone
      ? [key]
      : [
          '# CHECK assumed: the first days.',
          check(
            key,
            'registrations: the first days are assumed, from the first month with tax in the exports; set each `since` to the first day of the permit',
          ),
        ];
  if (isNone) {
    const isCollected = channels.every(({ facts: { states } }) =>
      [...states.values()].every(({ sales }) => sales === 0),
    );
    const why = isCollected
      ? 'marketplaces collect the tax of all sales'
      : 'no state had most of its sales taxed';
    return [
      `# CHECK assumed: none, because ${why}. Add a line for each permit that you hold:`,
      '#   - { state: CA, since: "2026-01-01" }',
      check(key, `registrations: none assumed, because ${why}; add the states in which you hold a permit`),
    ];
  }
  const states = rows.map(({ state }) => state).join(', ');
  if (rows.every(({ facts }) => facts === undefined || facts.taxed === 0))
    return [
      '# CHECK assumed: the state that orders are sent from, although its sales were not taxed. Remove it without a permit.',
      check(
        key,
        `registrations: ${states} assumed, because orders are sent from there; its sales were not taxed, so check permits, first days and frequencies`,
      ),
    ];
  return [
    '# CHECK assumed: every state in which most sales were taxed. Remove those without a permit.',
    check(
      key,
      `registrations: ${states} assumed, because most sales there were taxed; check permits, first days and frequencies`,
    ),
  ];
};

/**
 * Comment lines for an unregistered state. A person judges sales above its threshold, and tax charged on a few of them.
 */
const quietLines = ({ state, since, facts, threshold, isReached }: QuietState): readonly Line[] => {
  const { sales, gross, taxed, tax } = facts;
  const charged =
    taxed === 0 ? 'no tax charged' : `tax of ${shownDollars(tax)} charged on ${counted(taxed)} of them`;
  const volume = `${shownNumber(sales, 'sale')} of ${shownDollars(gross)}, ${charged}`;
  const nexus =
    threshold === undefined ? '' : `; the threshold for remote sellers is ${shownDollars(threshold)}`;
  if (taxed === 0 && !isReached) return [`  # ${state}: ${volume}${nexus}`];
  return [
    check(
      `  # CHECK ${state}: ${volume}${nexus}`,
      `${state} is not among the registrations: ${volume}${isReached ? nexus : ''}${taxed === 0 ? '' : '; are you registered there?'}`,
    ),
    ...(taxed === 0
      ? []
      : [
          `  # - { state: ${state}, since: "${since}" } # with a permit there, remove the first # of this line`,
        ]),
  ];
};

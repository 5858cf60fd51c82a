import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import { shownCount, shownDollars, shownNumber } from '../kernel/shown-figures.ts';
import { check, type Decisions, type Line, type Proposal, type ProposedRegistration } from './proposal.ts';

/** The registrations, and what the exports say of other states. */
export const registrationLines = (
  { registrations, quiet }: Proposal,
  { registered, isRegistrationSaid }: Decisions,
): readonly Line[] => {
  const known = [...registrations, ...quiet];
  const since = known.map((row) => row.since).sort()[0] ?? '2000-01-01';
  const rows = registered.map(
    (state) => known.find((row) => row.state === state) ?? { state, since, facts: undefined },
  );
  return [
    '# The states in which the seller has to collect. Correct `since` to the first day of the permit: here it is the first',
    '# month with tax in the exports. Add `account: "..."`, and `frequency: quarterly` where returns are not monthly.',
    ...headLines(registered, isRegistrationSaid),
    ...rows.map((row) => `  - ${rowText(row)} # ${taxText(row)}`),
    ...feeLines(registered),
    ...known.filter(({ state }) => !registered.includes(state)).flatMap(quietLines),
  ];
};

const rowText = ({ state, since }: ProposedRegistration): string => `{ state: ${state}, since: "${since}" }`;

const taxText = ({ facts }: ProposedRegistration): string =>
  facts && facts.taxed > 0
    ? `tax of ${shownDollars(facts.tax)} on ${shownCount(facts.taxed)} of ${shownNumber(facts.sales, 'sale')}`
    : 'no tax in the exports';

const headLines = (registered: readonly string[], isSaid: boolean): readonly Line[] => {
  if (registered.length === 0)
    return [
      ...(isSaid
        ? []
        : ['# CHECK assumed: none, because the exports show no state in which you charge tax.']),
      '# Add a line for each permit that you hold:',
      '#   - { state: CA, since: "2026-01-01" }',
      isSaid
        ? 'registrations: []'
        : check(
            'registrations: []',
            'registrations: none assumed, because the exports show no state in which you charge tax; add the states in which you hold a permit',
          ),
    ];
  const what = isSaid
    ? 'the first days are assumed, from the first month with tax in the exports; set each `since` to the first day of the permit'
    : `${registered.join(', ')} assumed, where most sales were taxed or orders are sent from; check permits, first days and frequencies`;
  return [
    isSaid
      ? '# CHECK assumed: the first days.'
      : '# CHECK assumed: the states in which most sales were taxed, and the one that orders are sent from. Remove those without a permit.',
    check('registrations:', `registrations: ${what}`),
  ];
};

/** The delivery fees of states of which a person has to say whether they are owed. */
const feeLines = (registered: readonly string[]): readonly Line[] => {
  const asked = loadFilingLaw().fees.filter(
    ({ state, amount }) => amount === undefined && registered.includes(state),
  );
  return [...new Map(asked.map((fee) => [fee.state, fee.name]))].map(([state, name]) =>
    check(
      `  # CHECK ${state}: ${name}. Add \`deliveryFee: none\` to its line if you owe none, else the dollars for a sale.`,
      `${state}: say with \`deliveryFee\` whether you owe the ${name}; a month with deliveries there is not READY before`,
    ),
  );
};

/** A state that is not among the registrations: tax charged on a few sales there is for a person to judge. */
const quietLines = (row: ProposedRegistration): readonly Line[] => {
  const { state, facts } = row;
  if (!facts) return [];
  const volume = `${state}: ${shownNumber(facts.sales, 'sale')} of ${shownDollars(facts.gross)}, ${taxText(row)}`;
  if (facts.taxed === 0) return [`  # ${volume}`];
  return [
    check(
      `  # CHECK ${volume}`,
      `${volume}, and it is not among the registrations; are you registered there?`,
    ),
    `  # - ${rowText(row)} # with a permit there, remove the first # of this line`,
  ];
};

import type { Configuration } from '../close/configuration/schema.ts';
import { longerReturn, shorterPeriods } from '../close/filing/return/longer-return.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { DraftException } from '../close/reconcile/exceptions.ts';
import { ZERO } from '../kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../kernel/period.ts';
import { ofState } from './shorter-returns.ts';
import { isPartOf } from './stated-balances.ts';

type Registration = Configuration['registrations'][number];

const STATED = ['prepayments', 'credits', 'purchases'] as const;

/** An amount of a registration with the period for which it is stated. */
type StatedRow = { readonly period: string; readonly opening?: string | undefined };

/**
 * Returns an exception for each amount that a registration states for days of the closed period, and that counts in no
 * return: its period is neither that of a return nor a part of it, or an opening is stated for a later part of it.
 */
export const misplacedAmounts = (
  { registrations }: Pick<Configuration, 'registrations'>,
  closed: FilingPeriod,
): readonly DraftException[] =>
  registrations
    .filter(({ since }) => since <= closed.last)
    .flatMap((registration) => {
      const returns = returnsOver(registration, closed);
      return STATED.flatMap((account) =>
        (registration[account] as readonly StatedRow[])
          .filter((row) => overlaps(row, closed) && !isOnOne(row, account, returns))
          .map((row) => misplaced(registration.state, account, row.period, returns)),
      );
    });

/** The periods of the returns over a closed period, and those of the longer returns that complete them. */
type Returns = Readonly<Record<'own' | 'longer', readonly FilingPeriod[]>>;

const returnsOver = ({ state, frequency }: Registration, closed: FilingPeriod): Returns => {
  const law = loadFilingLaw();
  const own = shorterPeriods(law, ofState(state), frequency, closed);
  const longer = own.flatMap(
    ({ last }) => longerReturn(law, ofState(state), frequency, last)?.dueDate.period ?? [],
  );
  return { own, longer };
};

const overlaps = (row: StatedRow, { first, last }: FilingPeriod): boolean => {
  const period = parsePeriod(row.period);
  return period !== undefined && period.first <= last && first <= period.last;
};

/** Whether a return takes an amount. One that completes others takes what is stated for its own period alone. */
const isOnOne = (row: StatedRow, account: (typeof STATED)[number], { own, longer }: Returns): boolean => {
  const isOn = (filed: FilingPeriod): boolean =>
    isPartOf(row.period, filed) &&
    (row.opening === undefined || parsePeriod(row.period)?.first === filed.first);
  return (
    own.some(isOn) ||
    longer.some((filed) => isOn(filed) && (account === 'purchases' || row.period === filed.label))
  );
};

const misplaced = (
  state: string,
  account: string,
  stated: string,
  { own, longer }: Returns,
): DraftException => ({
  severity: 'error',
  code: 'amount-without-return',
  origin: { file: '', line: 0, record: `${state} ${account} ${stated}` },
  message: `the ${account} that the registration of ${state} states for ${stated} are on none of its returns, which are those of ${[...new Set([...own, ...longer].map(({ label }) => label))].join(' and ')}`,
  state,
  effect: ZERO,
});

import type { CalendarDate } from '../../kernel/calendar.ts';
import { ZERO } from '../../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';
import type { DraftException } from './exceptions.ts';
import type { ReconciledSale } from './reconciled-sale.ts';

/** The sales of a state of which the service answered that there is no nexus, though the seller is registered. */
type DeniedNexus = {
  readonly state: string;
  sales: number;
  first: CalendarDate;
  last: CalendarDate;
};

/**
 * Collect the answers that deny nexus where the seller is registered on the day of the sale. The service expects no tax
 * there, so no amount of the state can be relied on. The answers are looked at, and not the list of the account's
 * regions: this list is as of today, and an entry can begin or end inside the period.
 */
export const deniedNexus = () => {
  const states = new Map<string, DeniedNexus>();
  const join = (other: Readonly<DeniedNexus>): void => {
    const known = states.get(other.state);
    if (!known) {
      states.set(other.state, { ...other });
      return;
    }
    known.sales += other.sales;
    if (other.first < known.first) known.first = other.first;
    if (other.last > known.last) known.last = other.last;
  };
  return {
    /** Adds a sale on which the seller owes tax, with its answer. */
    add: ({ shipTo, taxDate }: Sale, { hasNexus, expected }: ReconciledSale): void => {
      if (hasNexus || expected === null) return;
      join({ state: shipTo.state, sales: 1, first: taxDate, last: taxDate });
    },
    join: (others: readonly Readonly<DeniedNexus>[]): void => others.forEach(join),
    kept: (): readonly Readonly<DeniedNexus>[] => [...states.values()],
    exceptions: (): readonly DraftException[] => [...states.values()].map(exceptionOf),
  };
};

const exceptionOf = ({ state, sales, first, last }: DeniedNexus): DraftException => ({
  severity: 'error',
  code: 'no-nexus',
  origin: { file: '', line: 0, record: `US-${state}` },
  message: `the service knows no nexus in ${state} for ${sales === 1 ? '1 sale' : `${sales} sales`} ${first === last ? `of ${first}` : `from ${first} to ${last}`}, when the seller is registered there, so it expects no tax of them`,
  state,
  effect: ZERO,
});

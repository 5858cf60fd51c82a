import type { TaxSource } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { inForce } from '../content/dated.ts';
import type { StateContent } from '../content/tax-content.ts';
import type { FullAddress } from './address.ts';
import type { RuleNote } from './unit-rule.ts';

/** Whose place decides: the seller's or the buyer's. */
export type Sourcing = {
  readonly source: TaxSource;
  readonly situs: FullAddress;
  /** Whether the order comes from outside the state. */
  readonly remote: boolean;
  readonly note: RuleNote | undefined;
  readonly flags: readonly string[];
};

/**
 * Sellers inside an origin state tax by their own place; everybody else by the buyer's. Where sourcing is mixed, the
 * parts that follow the origin are uniform in the whole state, so the destination gives every rate.
 */
export const sourceOf = (
  state: StateContent,
  to: FullAddress,
  from: FullAddress | undefined,
  date: CalendarDate,
): Sourcing => {
  const remote = from === undefined || from.country !== 'US' || from.state !== state.code;
  const row = inForce(state.sourcing, date);
  const destination = { source: 'destination', situs: to, remote, note: undefined, flags: [] } as const;
  if (remote || row === undefined) return destination;
  const note: RuleNote = {
    rule: `sourcing of ${state.code} for sellers inside the state: ${row.inStateSellers}`,
    outcome: row.inStateSellers === 'origin' ? 'origin' : 'destination',
    source: row.source,
    confidence: row.confidence,
  };
  if (row.inStateSellers !== 'origin') return { ...destination, note };
  if (from.zip === '') {
    const flag = 'The origin has no ZIP: the destination was taxed although the state is sourced by origin.';
    return { ...destination, note: { ...note, outcome: 'destination' }, flags: [flag] };
  }
  return { source: 'origin', situs: from, remote: false, note, flags: [] };
};

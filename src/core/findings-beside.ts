import type { RegisterFile } from '../certificates/read-register.ts';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
import type { GoneFile } from '../evidence/manifest.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import type { LateLine } from '../figures/late-line.ts';
import { channelRecord } from '../judge/expected-totals.ts';
import { type Finding, finding } from '../judge/finding.ts';
import type { doublesByDay } from '../judge/possible-doubles.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isAmendmentLabel } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { EarlierPeriods, ledgerOf } from '../periods/earlier.ts';
import type { Exports } from '../read/shapes.ts';
import { findingsOfGone } from './gone.ts';
import { refundsOfLateOrders } from './late.ts';
import type { Strays } from './strays.ts';

/** What is known of a period beside its sales. */
export type Beside = {
  readonly strays: Strays;
  readonly doubles: ReturnType<typeof doublesByDay>;
  readonly earlier: EarlierPeriods;
  readonly ledger: Awaited<ReturnType<typeof ledgerOf>>;
  /** What late items would change that await a decision. */
  readonly undecided: readonly LateLine[];
  /** What else locked periods leave open. */
  readonly findings: readonly Finding[];
  readonly isOver: boolean;
  readonly gone: readonly GoneFile[];
  /** The last day of the last locked period. */
  readonly lockedUntil: CalendarDate | undefined;
  /** What follows from the figures of its returns. */
  readonly ofReturns: readonly Finding[];
};

/** Returns the findings of a period that are of none of its entries: of its files, channels, locked periods and strays. */
export const findingsBeside = (
  { configuration }: ClosePorts,
  period: FilingPeriod,
  exports: Exports,
  { late, channels }: Pick<PeriodSums, 'late' | 'channels'>,
  beside: Beside,
): readonly Finding[] => [
  ...exports.certificates.flatMap(problemsOf),
  ...beside.doubles.findings(period),
  ...beside.earlier.findings,
  ...beside.ofReturns,
  ...refundsOfLateOrders(late, exports.refunded, beside.lockedUntil),
  ...beside.findings,
  ...(beside.ledger?.problems ?? []),
  ...beside.strays.unshown.map(unshown),
  ...findingsOfGone(beside.gone, decisionIndexOf(configuration)),
  ...silentAmong(configuration, period, channels.selling(), exports),
];

/** The finding for a record that the service lists but then answers with 404. */
const unshown = ({ kind, id, provider }: Strays['unshown'][number]): Finding =>
  finding(
    'listed-not-shown',
    `the service lists this ${kind} for "${provider}" and answers 404 when asked for it, so what it holds is not known: close again, and show it to the provider of the service if it stays`,
    { record: id },
  );

const problemsOf = ({ problems }: RegisterFile): readonly Finding[] =>
  problems.map(({ code, message, ...about }) => finding(code, message, about));

/** A channel that sold within this many days before the period counts as active when the period began. */
const DAYS_BEFORE = 30;

/** A month without an order is more often a forgotten export than a quiet month, so a person has to confirm it. */
const noSales = ({ label }: FilingPeriod): Finding =>
  finding('no-sales', 'none of the exports holds an order of the period', { record: label });

const silent = (channel: string, period: FilingPeriod, what: string): Finding =>
  finding('no-channel-sales', `the exports of "${channel}" ${what}`, {
    record: channelRecord(channel, period),
  });

/**
 * Returns exceptions for channels that sold until shortly before the period, but not in it, or for the period if none
 * sold in it: the export of the period may have been forgotten.
 */
const silentAmong = (
  { channels }: Pick<ClosePorts['configuration'], 'channels'>,
  period: FilingPeriod,
  selling: ReadonlySet<string>,
  { inputs, sales }: Exports,
): readonly Finding[] => {
  if (isAmendmentLabel(period.label)) return [];
  if (selling.size === 0) return [noSales(period)];
  const from = addDays(period.first, -DAYS_BEFORE);
  const before = sales.days().filter((day) => from <= day && day < period.first);
  return channels.flatMap(({ name }): readonly Finding[] => {
    if (selling.has(name)) return [];
    const last = before.findLast((day) =>
      sales.read(day).some(({ sale }) => sale.channel === name && sale.kind === 'order'),
    );
    if (last !== undefined)
      return [
        silent(name, period, `hold no order of the period, and their last one before it is of ${last}`),
      ];
    const files = inputs.filter(({ channel }) => channel === name);
    const isEmpty = files.length > 0 && files.every(({ rows }) => rows === 0);
    return isEmpty ? [silent(name, period, 'have a header and no rows')] : [];
  });
};

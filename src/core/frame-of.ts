import { rateSourcesOf } from '../ask/coverage.ts';
import type { RegisterFile } from '../certificates/read-register.ts';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
import { earlierOrder, type Frame } from '../evidence/frame.ts';
import type { GoneFile } from '../evidence/manifest.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import type { LateLine } from '../figures/late-line.ts';
import { companionInput } from '../figures/period-report.ts';
import { shopTotals, silentAmong } from '../judge/expected-totals.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { inKeyOrder, materialityOf } from '../judge/period-totals.ts';
import type { doublesByDay } from '../judge/possible-doubles.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { parseMoney, ZERO } from '../kernel/money.ts';
import type { EarlierPeriods, ledgerOf } from '../periods/earlier.ts';
import { refundsOfLateOrders } from '../periods/return-findings.ts';
import { findingsOfGone } from './gone.ts';
import type { Close } from './reading.ts';
import type { Strays } from './strays.ts';

/** Returns all that the books of a period say beside its entries. */
export const frameOf = (
  { ports, period, exports }: Pick<Close, 'ports' | 'period' | 'exports'>,
  settings: Pick<Frame, 'decisions' | 'late' | 'lockedDays' | 'certificates'>,
  sums: PeriodSums,
  beside: Beside,
): Frame => {
  const { configuration, serviceId: service, program } = ports;
  const { policy, timeZone, entity, name: seller } = configuration;
  const { refunded, certificates: files } = exports;
  const { earlier, ledger } = beside;
  const { registrations } = earlier;
  const { totals } = sums;
  const late = new Set(settings.late);
  return {
    seller,
    entity,
    period,
    timeZone,
    service,
    program,
    registrations,
    configured: registrations,
    unexplainedTolerance: parseMoney(policy.unexplained) ?? ZERO,
    materiality: materialityOf(policy.materiality),
    ...(policy.detailRows !== undefined && { detailRowsMax: policy.detailRows }),
    ...(!beside.isOver && { madeEarly: true }),
    ...(ports.workingPapers && { workingPapers: true }),
    rateSources: rateSourcesOf(ports, period, inKeyOrder(totals.states)),
    ...earlier.months,
    inputs: [
      ...exports.inputs,
      ...files.map((file) => companionInput(file, 'certificates')),
      ...(ledger ? [ledger.input] : []),
    ],
    ...(ledger && { ledger: ledger.ledger }),
    ...(earlier.laterCharges.length > 0 && { laterCharges: earlier.laterCharges }),
    earlier: earlier.trend,
    ...settings,
    undecided: beside.undecided,
    shopTotals: shopTotals(configuration, period),
    findings: [
      ...files.flatMap(problemsOf),
      ...beside.doubles.findings(period),
      ...earlier.findings,
      ...beside.ofReturns,
      ...refundsOfLateOrders(sums.late, refunded, beside.lockedUntil),
      ...beside.findings,
      ...(ledger?.problems ?? []),
      ...findingsOfGone(beside.gone, decisionIndexOf(configuration)),
      ...silentAmong(configuration, period, sums.channels.selling(), exports),
    ],
    orders: sums.refunds.missingOrders().flatMap((key) => {
      const found = refunded.get(key);
      return (found && earlierOrder(key, found, period, late)) ?? [];
    }),
  };
};

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

const problemsOf = ({ problems }: RegisterFile): readonly Finding[] =>
  problems.map(({ code, message, ...about }) => finding(code, message, about));

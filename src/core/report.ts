import { type ChannelSetAside, type Rejects, recordsOf } from '../books/files-to-fill-in.ts';
import type { RegisterFile } from '../certificates/read-register.ts';
import { decisionIndexOf } from '../configuration/decisions-of.ts';
import type { Entry } from '../evidence/entry.ts';
import { type Frame, framePieces } from '../evidence/frame.ts';
import { type EvidenceLogs, logPiece } from '../evidence/log-file.ts';
import type { GoneFile } from '../evidence/manifest.ts';
import { reportOf } from '../evidence/reduce.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import type { LateLine } from '../figures/late-line.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { DetailLine } from '../judge/detail-row.ts';
import type { ShopTotals } from '../judge/expected-totals.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { inKeyOrder, type Materiality } from '../judge/period-totals.ts';
import type { doublesByDay } from '../judge/possible-doubles.ts';
import type { RefundLink } from '../judge/refund-link.ts';
import type { SamplingPlan } from '../judge/sampling.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { scaled } from '../kernel/decimal.ts';
import { parseMoney, RATE_ONE, rate, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import { compareText, shownNumber } from '../kernel/text.ts';
import { withCompletions } from '../periods/balances.ts';
import { inputOf } from '../periods/companion-input.ts';
import type { EarlierPeriods, ledgerOf } from '../periods/earlier.ts';
import type { Exports } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { CountedPages, RowPages } from '../workbook/sheet.ts';
import { bookSums, earlierOrder } from './figures.ts';
import { filingRegistrations, withSecondary } from './filing-registrations.ts';
import type { FrozenFrame } from './frozen.ts';
import { findingsOfGone } from './gone.ts';
import { refundsOfLateOrders } from './late.ts';
import { silentAmong } from './silent-channels.ts';
import { type Strays, saidOfStrays } from './strays.ts';

/** What the books of a period are drawn from. */
export type Gathered = {
  readonly report: PeriodReport;
  readonly registrations: readonly FilingRegistration[];
  readonly filing: FilingFigures;
  readonly rejects: readonly Rejects[];
  readonly refunds: CountedPages<RefundLink>;
  readonly detail: () => RowPages<DetailLine>;
  /** Removes the rows of Detail that do not fit in memory. */
  readonly remove: () => void;
  /** The bytes of `evidence/keys.bin`. */
  readonly keys: Buffer;
};

/** What is known of a period beside its sales. */
type Beside = {
  readonly strays: Strays;
  readonly doubles: ReturnType<typeof doublesByDay>;
  readonly earlier: EarlierPeriods;
  readonly ledger: Awaited<ReturnType<typeof ledgerOf>>;
  /** What late items would change that await a decision. */
  readonly undecided: readonly LateLine[];
  /** What else locked periods leave open. */
  readonly findings: readonly Finding[];
  readonly isOver: boolean;
  readonly hasWorkingPapers: boolean;
  readonly gone: readonly GoneFile[];
  /** The last day of the last locked period. */
  readonly lockedUntil: CalendarDate | undefined;
};

type Found = Beside & { readonly ofReturns: readonly Finding[] };

type Place = {
  readonly folder: string;
  readonly logs: EvidenceLogs;
  readonly exports: Exports;
  readonly frozen: FrozenFrame;
  readonly registrations: EarlierPeriods['registrations'];
};

/** Gathers a period: its entries in any order, then what else is known of it. The logs are written on the way. */
export const gathering = (ports: ClosePorts, period: FilingPeriod, place: Place) => {
  const { folder, logs, exports, frozen, registrations } = place;
  const { configuration, serviceId: service, program } = ports;
  const { policy, timeZone, entity, name: seller } = configuration;
  const files = exports.certificates;
  const settings: Pick<Frame, 'decisions' | 'late' | 'certificates'> = {
    decisions: [...frozen.takenOver, ...configuration.decided.filter((one) => one.period === period.label)],
    late: frozen.late,
    certificates: files.length === 0 ? null : files.flatMap(({ certificates }) => certificates),
  };
  const { refunded } = exports;
  const sums = bookSums(ports, { period, registrations, refunded, ...settings }, folder);

  const frameOf = (beside: Found): Frame => {
    const { strays, doubles, earlier, ledger, gone } = beside;
    const { totals, channels } = sums.all;
    const findings: readonly Finding[] = [
      ...files.flatMap(problemsOf),
      ...doubles.findings(period),
      ...earlier.findings,
      ...beside.ofReturns,
      ...refundsOfLateOrders(sums.all.late, refunded, beside.lockedUntil),
      ...beside.findings,
      ...(ledger?.problems ?? []),
      ...strays.unshown.map(unshown),
      ...findingsOfGone(gone, decisionIndexOf(configuration)),
      ...silentAmong(configuration, period, channels.selling(), exports),
    ];
    const late = new Set(settings.late);
    const missing = [...new Set(sums.all.missingOrders())];
    return {
      ...{ seller, entity, period, timeZone, service, program, registrations },
      configured: registrations,
      unexplainedTolerance: parseMoney(policy.unexplained) ?? ZERO,
      materiality: materialityOf(policy),
      ...(policy.detailRows !== undefined && { detailRowsMax: policy.detailRows }),
      ...(!beside.isOver && { madeEarly: true }),
      oldRates: oldRatesOf(ports, period, inKeyOrder(totals.states)),
      rateSources: rateSourcesOf(ports, period, inKeyOrder(totals.states)),
      ...(beside.hasWorkingPapers && { sampling: samplingPlan(ports, period) }),
      ...earlier.months,
      inputs: [
        ...exports.inputs,
        ...files.map((file) => inputOf(file, 'certificates')),
        ...(ledger ? [ledger.input] : []),
      ],
      ...(ledger && { ledger: ledger.ledger }),
      earlier: earlier.trend,
      ...settings,
      undecided: beside.undecided,
      shopTotals: shopTotals(configuration, period),
      findings,
      orders: missing.flatMap((key) => {
        const found = refunded.get(key);
        return (found && earlierOrder(key, found, period, late)) ?? [];
      }),
    };
  };

  return {
    add: (entries: readonly Entry[]): void => sums.add(entries),
    keys: (): Buffer => sums.keys.bytes(),
    end: async (beside: Beside): Promise<Gathered> => {
      const { earlier } = beside;
      await sums.end(logs);
      const asides = asidesOf(exports, period);
      asides.forEach(sums.all.addAside);
      const strays = saidOfStrays(ports, beside.strays, exports);
      strays.forEach(sums.all.addStray);
      await logs.write({
        'set-aside': logPiece(asides.map((aside) => JSON.stringify(aside))),
        strays: logPiece(strays.map((stray) => JSON.stringify(stray))),
      });
      const { beyond, filing: figures } = sums.all;
      const taking = filingRegistrations(registrations, period, earlier.takenOver);
      const before = taking.map((one) => ({ ...one, ...earlier.filedBefore.get(one.state) }));
      const ofReturns = [
        ...(await earlier.takenBack({ beyond, filing: figures, refunded })),
        ...earlier.creditsLeft({
          returns: withCompletions(before, earlier.completions),
          filing: figures,
          jurisdictions: inKeyOrder(sums.all.totals.jurisdictions),
        }),
      ];
      const frame = frameOf({ ...beside, ofReturns });
      const report = reportOf(frame, sums.all);
      const known = withSecondary(before, report, ports.service.coverage);
      const filing = withCompletions(known, earlier.completions);
      const rejects = rejectsOf(exports, asides);
      const rejected = rejects.map(({ records: _, ...input }) => input);
      for (const piece of framePieces({ ...frame, filing, rejected })) await logs.write({ report: piece });
      return {
        ...{ report, registrations: filing, filing: sums.all.filing, rejects },
        ...{ refunds: sums.all.links(frame.orders), detail: sums.detail, remove: sums.remove },
        keys: sums.keys.bytes(),
      };
    },
  };
};

/** The finding for a record that the service lists but then answers with 404. */
const unshown = ({ kind, id, provider }: Strays['unshown'][number]): Finding =>
  finding(
    'listed-not-shown',
    `the service lists this ${kind} for "${provider}" and answers 404 when asked for it, so what it holds is not known: close again, and show it to the provider of the service if it stays`,
    { record: id },
  );

const problemsOf = ({ problems }: RegisterFile): readonly Finding[] =>
  problems.map(({ code, message, ...about }) => finding(code, message, about));

/** The records that are set aside in the period, or without a date, by channel and place. */
export const asidesOf = ({ asides, undated }: Exports, period: FilingPeriod): readonly ChannelSetAside[] => {
  const all = [...undated];
  for (const day of asides.days()) {
    if (!isWithin(period, day)) continue;
    all.push(...asides.read(day));
  }
  return all.sort(byPlace);
};

const byPlace = (one: ChannelSetAside, other: ChannelSetAside): number =>
  compareText(one.channel, other.channel) ||
  compareText(one.origin.file, other.origin.file) ||
  one.origin.line - other.origin.line;

const rejectsOf = ({ inputs, headers }: Exports, asides: readonly ChannelSetAside[]): readonly Rejects[] => {
  const rejected = asides.filter(({ outcome }) => outcome === 'rejected');
  return inputs
    .map(({ channel, path, sha256 }) => {
      const header = headers.get(`${channel}/${path}`) ?? [];
      return { channel, path, sha256, header, records: recordsOf(rejected, channel, path) };
    })
    .filter(({ records }) => records.length > 0);
};

/** Returns the totals that the channels' shops show for exactly this period. */
export const shopTotals = (
  { channels }: ClosePorts['configuration'],
  { label }: FilingPeriod,
): readonly ShopTotals[] =>
  channels.flatMap(({ name, expected }) =>
    expected
      .filter(({ period }) => period === label)
      .map(({ orders, refunds, gross, tax }) => ({
        channel: name,
        orders,
        refunds,
        gross: gross === undefined ? undefined : parseMoney(gross),
        tax: tax === undefined ? undefined : parseMoney(tax),
      })),
  );

/** Returns the variance from which a line is material. */
export const materialityOf = ({ materiality }: ClosePorts['configuration']['policy']): Materiality => ({
  amount: parseMoney(materiality.amount) ?? ZERO,
  // A percentage with three decimals is a fraction with five.
  share: rate((scaled(materiality.percent, 3) ?? 0) * (RATE_ONE / 100_000)),
});

/** Returns the registered states of these whose local rates are not known for the last day of the period. */
export const oldRatesOf = (
  { service, configuration }: ClosePorts,
  { last }: FilingPeriod,
  states: PeriodReport['states'],
): PeriodReport['oldRates'] =>
  states
    .filter(({ state }) => configuration.registrations.some((each) => each.state === state))
    .flatMap(({ state }) => {
      const known = service.coverage?.spanOf(state, last);
      return known === undefined ? [] : [{ state, known }];
    });

/** Returns where the rates of the registered states among these come from on the last day of the period. */
const rateSourcesOf = (
  { service, configuration }: ClosePorts,
  { last }: FilingPeriod,
  states: PeriodReport['states'],
): PeriodReport['rateSources'] =>
  states
    .filter(({ state }) => configuration.registrations.some((each) => each.state === state))
    .flatMap(({ state }) => {
      const known = service.coverage?.sourcesOf(state, last);
      if (!known) return [];
      const [first = '', ...others] = known.titles;
      const more = others.length === 0 ? '' : ` and ${shownNumber(others.length, 'other source')}`;
      return [{ state, source: `${first}${more}`, until: known.until }];
    });

/** Without a seed in the policy, entity and period are the seed, so that no one can influence the sample. */
export const samplingPlan = ({ configuration }: ClosePorts, period: FilingPeriod): SamplingPlan => {
  const { seed, perStratum, monetaryUnits } = configuration.policy.sampling;
  return { seed: seed ?? `${configuration.entity} ${period.label}`, perStratum, monetaryUnits };
};

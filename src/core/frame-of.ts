import type { Frame } from '../evidence/frame.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import { companionInput, type PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { ShopTotals } from '../judge/expected-totals.ts';
import { inKeyOrder, type Materiality } from '../judge/period-totals.ts';
import { scaled } from '../kernel/decimal.ts';
import { parseMoney, RATE_ONE, rate, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { EarlierPeriods } from '../periods/earlier.ts';
import type { Exports } from '../read/shapes.ts';
import { earlierOrder } from './book-sums.ts';
import { type Found, findingsBeside } from './findings-beside.ts';

/** The sums of a period, and what they were summed with. */
type Summed = {
  readonly exports: Exports;
  readonly registrations: EarlierPeriods['registrations'];
  readonly settings: Pick<Frame, 'decisions' | 'late' | 'lockedDays' | 'certificates'>;
  readonly sums: PeriodSums;
};

/** Returns all that the books of a period say beside its entries. */
export const frameOf = (
  ports: ClosePorts,
  period: FilingPeriod,
  { exports, registrations, settings, sums }: Summed,
  beside: Found,
): Frame => {
  const { configuration, serviceId: service, program } = ports;
  const { policy, timeZone, entity, name: seller } = configuration;
  const { refunded, certificates: files } = exports;
  const { earlier, ledger } = beside;
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
    materiality: materialityOf(policy),
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
    findings: findingsBeside(ports, period, exports, sums, beside),
    orders: sums.missingOrders().flatMap((key) => {
      const found = refunded.get(key);
      return (found && earlierOrder(key, found, period, late)) ?? [];
    }),
  };
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

/** Returns where the rates of the registered states among these come from on the last day of the period. */
export const rateSourcesOf = (
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

/**
 * Return registrations with the bodies whose rates, used in the period, rest on secondary sources, and whether the seller
 * has a place of business in the state.
 */
export const withPlaces = (
  registrations: readonly FilingRegistration[],
  { jurisdictions, period }: Pick<PeriodReport, 'jurisdictions' | 'period'>,
  { service, configuration }: ClosePorts,
): readonly FilingRegistration[] => {
  const { shipFrom, channels } = configuration;
  const places = [shipFrom, ...channels.flatMap(({ locations }) => Object.values(locations))];
  return registrations.map((registration) => {
    const { state } = registration;
    const taxes = jurisdictions.filter((each) => each.state === state);
    const secondary = service.coverage?.secondaryAmong(state, period.last, taxes);
    const isThere = places.some((place) => place.state === state);
    return { ...registration, ...(secondary && { secondary }), ...(isThere && { isThere }) };
  });
};

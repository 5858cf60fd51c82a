import { providerOf } from '../configuration/parts.ts';
import type { Derivation } from '../evidence/manifest.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { ShopTotals } from '../judge/expected-totals.ts';
import type { Materiality } from '../judge/period-totals.ts';
import { scaled } from '../kernel/decimal.ts';
import { parseMoney, RATE_ONE, rate, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import type { ClosePorts } from '../run/close-ports.ts';

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

/** Returns the settings from which the evidence of a close is derived. */
export const derivationOf = ({ configuration, serviceId }: ClosePorts): Derivation => ({
  shipFrom: configuration.shipFrom,
  providers: Object.fromEntries(
    configuration.channels.map(({ name }) => [name, providerOf(configuration, name)]),
  ),
  service: serviceId,
});

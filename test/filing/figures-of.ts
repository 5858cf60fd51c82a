import { loadFilingLaw } from '../../src/filing/load-filing-law.ts';
import type { FilingRegistration } from '../../src/filing/registration.ts';
import type { JurisdictionLevel, PlaceFigures, StateFigures } from '../../src/filing/state-figures.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { roundQuotient } from '../../src/kernel/decimal.ts';
import {
  add,
  type Money,
  money,
  parseMoney,
  parseRate,
  type Rate,
  rate,
  sum,
  ZERO,
} from '../../src/kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../../src/kernel/period.ts';

export const law = loadFilingLaw();

/** The return of a state itself. */
export const ofState = (state: string) => ({ state, kind: 'state', name: '' }) as const;

export const dollars = (text: string): Money => parseMoney(text) ?? money(Number.NaN);
export const rateOf = (text: string): Rate => parseRate(text) ?? rate(Number.NaN);
export const periodOf = (text: string): FilingPeriod => {
  const period = parsePeriod(text);
  if (!period) throw new Error(`${text} is not a period`);
  return period;
};

/** One place with its rates by level, such as `{ state: '0.0625', county: '0.01' }`. */
export type TestPlace = {
  readonly county: string;
  readonly city: string;
  readonly taxable: string;
  readonly rates: Partial<Record<JurisdictionLevel, string>>;
  /** Tax that was collected there under rates that the content lacks. */
  readonly gap?: string;
};

export type TestFigures = {
  readonly state: string;
  readonly period?: string;
  readonly places: readonly TestPlace[];
  readonly nonTaxable?: string;
  readonly exempt?: readonly (readonly [type: string, amount: string])[];
  readonly marketplace?: string;
  readonly returns?: string;
  readonly collected?: string;
  readonly orders?: number;
};

const taxOf = (taxable: Money, at: Rate): Money => money(roundQuotient(taxable * at, 10_000_000));

/** Figures as a close adds them up: gross is what the parts make, and each level's tax is rounded once. */
export const figuresOf = (given: TestFigures): StateFigures => {
  const jurisdictions = given.places.flatMap(({ county, city, taxable, rates }) =>
    Object.entries(rates).map(([level, text]) => ({
      level: level as JurisdictionLevel,
      name: { state: given.state, county, city, special: `${county} / ${city}` }[level as JurisdictionLevel],
      rate: rateOf(text),
      taxable: dollars(taxable),
      tax: taxOf(dollars(taxable), rateOf(text)),
    })),
  );
  const places = given.places.map(({ county, city, taxable, rates, gap }): PlaceFigures => {
    const amount = dollars(taxable);
    const levels = Object.entries(rates).map(([level, text]) => ({ level, at: rateOf(text) }));
    const local = levels.filter(({ level }) => level !== 'state');
    const total = (rows: typeof levels): Money => sum(rows.map(({ at }) => taxOf(amount, at)));
    const rateTotal = (rows: typeof levels): Rate => rate(rows.reduce((all, { at }) => all + at, 0));
    return {
      county,
      city,
      isOfDistrict: gap === undefined && rates.city === undefined && city !== '',
      rate: rateTotal(levels),
      localRate: rateTotal(local),
      taxable: amount,
      tax: total(levels),
      localTax: total(local),
      gapTax: dollars(gap ?? '0'),
      isGap: gap !== undefined,
    };
  });
  const expected = sum(jurisdictions.map(({ tax }) => tax));
  const taxable = sum(given.places.map((place) => dollars(place.taxable)));
  const exempt = (given.exempt ?? []).map(([type, amount]) => ({ type, amount: dollars(amount), sales: 1 }));
  const marketplace = dollars(given.marketplace ?? '0');
  const gaps = given.places.flatMap(({ gap, city, taxable: amount }) =>
    gap === undefined
      ? []
      : [
          {
            level: 'city' as const,
            name: city,
            rate: rate(0),
            taxable: dollars(amount),
            tax: dollars(gap),
          },
        ],
  );
  const gapTax = sum(gaps.map(({ tax }) => tax));
  const due = add(expected, gapTax);
  const collected = given.collected === undefined ? due : dollars(given.collected);
  return {
    ...ofState(given.state),
    period: periodOf(given.period ?? '2026-10'),
    orders: given.orders ?? given.places.length,
    refunds: 0,
    gross: sum([
      taxable,
      dollars(given.nonTaxable ?? '0'),
      marketplace,
      ...exempt.map(({ amount }) => amount),
    ]),
    returns: dollars(given.returns ?? '0'),
    marketplace,
    exempt,
    beforeDuty: ZERO,
    taxable,
    collected,
    expected,
    gap: { sales: gaps.length, tax: gapTax, jurisdictions: gaps },
    fees: [],
    jurisdictions,
    places,
  };
};

export const registrationOf = (
  state: string,
  over: Partial<FilingRegistration> = {},
): FilingRegistration => ({
  state,
  account: '12-345678',
  since: calendarDate('2020-01-01'),
  frequency: 'monthly',
  ...over,
});

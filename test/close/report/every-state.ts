import type { FilingRegistration } from '../../../src/close/filing/registration.ts';
import type { StateFigures } from '../../../src/close/filing/state-figures.ts';
import { emptyTotals } from '../../../src/close/reconcile/period-totals.ts';
import { filingOf, type PeriodFiling } from '../../../src/close/report/period-filing.ts';
import type { PeriodReport } from '../../../src/close/report/period-report.ts';
import { money } from '../../../src/kernel/money.ts';
import { dollars, figuresOf, law, periodOf, registrationOf } from '../filing/figures-of.ts';

/** A state and local rate of every state whose return is mapped, and of one that is not. */
export const RATES: Readonly<Record<string, Record<string, string>>> = {
  AZ: { state: '0.056', county: '0.007', city: '0.02' },
  CA: { state: '0.0625', county: '0.01', special: '0.0125' },
  CO: { state: '0.029', city: '0.0515', special: '0.011' },
  FL: { state: '0.06', county: '0.015' },
  GA: { state: '0.04', county: '0.04' },
  IL: { state: '0.0625', city: '0.0175' },
  MA: { state: '0.0625' },
  MI: { state: '0.06' },
  MN: { state: '0.06875', county: '0.0015' },
  MO: { state: '0.04225', city: '0.0365' },
  NC: { state: '0.0475', county: '0.0225' },
  NJ: { state: '0.06625' },
  NY: { state: '0.04', county: '0.0475' },
  OH: { state: '0.0575', county: '0.0125' },
  PA: { state: '0.06', county: '0.01' },
  TN: { state: '0.07', county: '0.0275' },
  TX: { state: '0.0625', city: '0.02' },
  UT: { state: '0.0485', county: '0.0225' },
  VA: { state: '0.043', county: '0.01' },
  WA: { state: '0.065', city: '0.038' },
  WI: { state: '0.05', county: '0.005' },
};
export const period = periodOf('2026-10');

/** Every state with exempt and marketplace sales, too much or too little collected, and something paid before. */
export const given = Object.entries(RATES).map(([state, rates], index) => {
  const plain = {
    state,
    places: [
      { county: 'ALLEGHENY', city: 'PITTSBURGH', taxable: `${1234.5 + index * 997.13}`.slice(0, 7), rates },
      { county: 'ERIE', city: 'BUFFALO', taxable: `${88.19 + index}`.slice(0, 5), rates },
    ],
    nonTaxable: '500.25',
    exempt: [
      ['wholesale', '300.10'],
      ['government', '20.20'],
    ] as const,
    marketplace: '1000.40',
    returns: '45.00',
  };
  const { expected } = figuresOf(plain);
  const collected = money(expected + (index % 3 === 0 ? 1234 : -567));
  const figures = { ...figuresOf(plain), collected };
  const registration = registrationOf(state, {
    frequency: state === 'MI' || state === 'NY' || index % 4 !== 0 ? 'monthly' : 'quarterly',
    basis: (['greater', 'expected', 'collected'] as const)[index % 3] ?? 'greater',
    prepayments: { opening: dollars('10.00'), added: money(index * 1_000) },
    credits: { opening: money(index * 777), added: dollars('0') },
    purchases: index % 5 === 0 ? dollars('40.00') : dollars('0'),
  });
  return { figures, registration };
});

/** September as it was kept: AZ not at all, CA with nothing taxable, all others with a dollar less. */
const BEFORE = given.slice(1).map(({ figures: { state, taxable, expected, collected } }) => ({
  period: '2026-09',
  state,
  expected: money(expected - 100),
  collected,
  filed: { taxable: money(state === 'CA' ? 0 : taxable - 100) },
}));

const LATE = { state: 'CO', choice: 'carried', taxable: dollars('12.00'), expected: dollars('0.35') };

/** A report of the month of these states, and of nothing else. */
export const reportOf = (
  states: readonly { readonly figures: StateFigures; readonly registration: FilingRegistration }[],
): PeriodReport =>
  ({
    seller: '=Harbor & Pine',
    entity: 'harbor-and-pine',
    period,
    timeZone: 'America/Los_Angeles',
    service: 'none',
    program: 'test',
    registrations: states.map(({ registration: { state, since, account } }) => ({ state, since, account })),
    states: states.map(({ figures }) => ({ ...figures, recorded: figures.collected })),
    jurisdictions: states.flatMap(({ figures: { state, jurisdictions } }) =>
      jurisdictions.map((row) => ({ ...row, state, collected: row.tax })),
    ),
    reasons: [...emptyTotals().reasons.values()],
    signOff: { contentDigest: '', signatures: [] },
    late: [LATE],
    trend: BEFORE,
  }) as unknown as PeriodReport;

/** What is filed for all of these states. */
export const everyStateFiling = (): PeriodFiling =>
  filingOf(law, {
    seller: '=Harbor & Pine',
    period,
    states: given,
    months: new Map(
      given.map(({ figures }) => [
        figures.state,
        [
          {
            month: '2026-10',
            gross: figures.gross,
            resale: dollars('300.10'),
            taxable: figures.taxable,
            marketplace: figures.marketplace,
            transactions: 150,
            marketplaceTransactions: 7,
          },
        ],
      ]),
    ),
  });

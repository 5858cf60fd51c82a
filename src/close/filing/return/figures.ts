import { atLeastZero, type Money, negate, subtract, sum, ZERO } from '../../../kernel/money.ts';
import type { ReturnForm } from '../law/return-form.ts';
import type { FilingRegistration, RemittanceBasis } from '../registration.ts';
import type { StateFigures } from '../state-figures.ts';
import { hasLocalSchedule } from './schedule-rows.ts';

/**
 * Every figure that a line's formula may name: its meaning, and the rows and columns that it is summed from. All
 * include refunds with their minus sign, except `refunds`.
 */
export const FIGURES = {
  sales: {
    meaning: 'Sales as this state wants them reported: with or without those on marketplaces',
    from: 'Detail: Gross of the posted rows',
  },
  gross: { meaning: 'All sales, goods and shipping, without tax', from: 'Detail: Gross of the posted rows' },
  refunds: {
    meaning: 'What was refunded',
    from: 'Detail: Gross of the posted refunds, without its sign, less the reversals of refunds (kind order); reversals of orders (kind refund) are not counted',
  },
  marketplace: {
    meaning: 'Sales whose tax a marketplace remits',
    from: 'Detail: Gross of the posted rows that a marketplace taxes',
  },
  exempt: {
    meaning: 'Sales to exempt buyers',
    from: 'Detail: Gross of the posted rows with an exemption',
  },
  resale: {
    meaning: 'Sales to buyers who sell again',
    from: 'Detail: Gross of the posted rows with the exemption `resale`',
  },
  other_exempt: {
    meaning: 'Sales to exempt buyers who do not sell again',
    from: 'Detail: Gross of the posted rows with another exemption',
  },
  non_taxable: {
    meaning: 'Goods and shipping that the law does not tax',
    from: 'Sales less taxable amount, exempt sales and, where they are reported, marketplace sales',
  },
  deductions: {
    meaning: 'Everything between reported sales and the taxable amount',
    from: 'Sales less taxable amount',
  },
  taxable: { meaning: 'Taxable amount', from: 'Detail: Taxable of the posted rows' },
  state_taxable: {
    meaning: 'Taxable amount of the state’s own tax',
    from: 'Jurisdictions of this return: level state',
  },
  expected: { meaning: 'Tax that was due', from: 'Detail: Expected of the posted rows' },
  collected: { meaning: 'Tax that was charged', from: 'Detail: Collected of the posted rows' },
  state_tax: { meaning: 'The state’s own tax', from: 'Jurisdictions of this return: Tax of level state' },
  local_tax: {
    meaning: 'Tax of counties, cities and districts',
    from: 'Jurisdictions of this return: Tax of other levels',
  },
  missing_rates: {
    meaning: 'Tax collected under local rates that Tieout does not have: paid over as it was collected',
    from: 'Returns: Missing rates; the schedules contain it, place by place',
  },
  computed: {
    meaning: 'Tax that the lines of the form come to, before the remittance rule and without own purchases',
    from: 'The form’s line for the tax, down to its figures, rates and schedules, each line rounded',
  },
  adjustment: {
    meaning: 'What the remittance rule adds to the tax computed, or takes off it',
    from: 'Remittance rule: tax collected against tax computed',
  },
  excess: {
    meaning: 'Tax collected above the tax computed',
    from: 'tax collected above the tax computed',
  },
  shortfall: {
    meaning: 'Tax that was computed and, under the rule of tax collected, is not paid over',
    from: 'tax computed that was not collected, where only collected tax is paid over',
  },
  purchases: {
    meaning: 'The seller’s own purchases that owe use tax',
    from: 'Not in your exports: enter by hand if it applies',
  },
  fees: {
    meaning: 'Fees for delivered sales',
    from: 'Fees on deliveries: Due',
  },
  excess_fees: {
    meaning: 'Fees charged for deliveries above those due',
    from: 'Fees on deliveries: Above it',
  },
  discount: { meaning: 'Timely-filing discount', from: 'Remittance rule and discount below: discount' },
  prepayments: {
    meaning: 'Paid in advance and used for this period',
    from: 'Prepayments',
  },
  credits: { meaning: 'Credits used for this period', from: 'Prepayments' },
} as const;
export type FigureName = keyof typeof FIGURES;

/** The return that the figures belong to. */
type Whose = Pick<StateFigures, 'state' | 'kind' | 'name'>;

/** Describes the source of a return's figure. A place's rows are those delivered to it; its tax is a part of theirs. */
export const sourceOf = (figure: FigureName, whose: Whose, isSplit = whose.kind === 'place'): string => {
  if (isSplit && (figure === 'expected' || figure === 'collected'))
    return figure === 'expected'
      ? 'Jurisdictions of this return: Tax'
      : 'By jurisdiction of variance.xlsx: Collected of the jurisdictions of this return';
  const rows = whose.kind === 'place' ? `delivered to ${whose.name}` : `of ${whose.state}`;
  return FIGURES[figure].from.replace(/posted (rows|refunds)/, `posted $1 ${rows}`);
};

export const isFigureName = (name: string): name is FigureName => Object.hasOwn(FIGURES, name);

/** Figures that are computed from the lines of the return itself. */
type DerivedFigure = 'discount' | 'prepayments' | 'credits';

export type FigureValues = Readonly<Record<Exclude<FigureName, DerivedFigure>, Money>>;

/** Figures that the remittance rule makes of the tax that the form computes. */
export const RULE_FIGURES = ['adjustment', 'excess', 'shortfall'] as const;
type RuleFigure = 'computed' | (typeof RULE_FIGURES)[number];

/** The figures that are known before the form computes any tax. */
type SalesFigures = Omit<FigureValues, RuleFigure>;

/** Returns the figures of one state under the names that forms use, without those of the remittance rule. */
export const salesFigures = (
  figures: StateFigures,
  form: ReturnForm,
  registration: FilingRegistration,
): SalesFigures => {
  const sales =
    form.marketplace.treatment === 'exclude' ? subtract(figures.gross, figures.marketplace) : figures.gross;
  const exempt = sum(figures.exempt.map(({ amount }) => amount));
  const resale = sum(figures.exempt.filter(({ type }) => type === 'wholesale').map(({ amount }) => amount));
  const ofState = figures.jurisdictions.filter(({ level }) => level === 'state');
  const stateTax = sum(ofState.map(({ tax }) => tax));
  const deductions = subtract(sales, figures.taxable);
  const reported = form.marketplace.treatment === 'exclude' ? ZERO : figures.marketplace;
  return {
    sales,
    gross: figures.gross,
    refunds: figures.returns,
    marketplace: figures.marketplace,
    exempt,
    resale,
    other_exempt: subtract(exempt, resale),
    non_taxable: subtract(subtract(deductions, exempt), reported),
    deductions,
    taxable: figures.taxable,
    state_taxable: sum(ofState.map(({ taxable }) => taxable)),
    expected: figures.expected,
    collected: figures.collected,
    state_tax: stateTax,
    local_tax: subtract(sum(figures.jurisdictions.map(({ tax }) => tax)), stateTax),
    missing_rates: hasLocalSchedule(form) ? figures.gap.tax : ZERO,
    purchases: registration.purchases ?? ZERO,
    fees: sum(figures.fees.map(({ due }) => due)),
    excess_fees: sum(figures.fees.map(({ excess }) => excess)),
  };
};

/** Returns what the remittance basis makes of the tax that the form computes and the tax collected. */
export const ruleFigures = (
  basis: RemittanceBasis,
  computed: Money,
  collected: Money,
): Pick<FigureValues, RuleFigure> => {
  const adjustment = subtract(taxByRule(basis, computed, collected), computed);
  return {
    computed,
    adjustment,
    excess: atLeastZero(adjustment),
    shortfall: atLeastZero(negate(adjustment)),
  };
};

/**
 * Returns the tax to pay over by the remittance basis. Over- and under-collections of single sales are netted first.
 *
 * @param due The tax that is due, with the tax collected under rates that the tax content lacks: it is remitted as
 *   collected under every basis
 */
export const taxByRule = (basis: RemittanceBasis, due: Money, collected: Money): Money =>
  ({ expected: due, collected, greater: collected > due ? collected : due })[basis];

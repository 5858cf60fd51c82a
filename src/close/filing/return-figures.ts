import { atLeastZero, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import type { FilingRegistration, RemittanceBasis } from './registration.ts';
import type { ReturnForm } from './return-form.ts';
import { hasLocalSchedule, type StateFigures } from './state-figures.ts';

/**
 * Every figure that a line's formula may name: its meaning, and the rows and columns that it is summed from. All
 * include refunds with their minus sign, except `refunds`.
 */
export const FIGURES = {
  sales: {
    meaning: 'Sales as this state wants them reported: with or without those on marketplaces',
    from: 'Returns: Gross sales; marketplaces as the form has them',
  },
  gross: { meaning: 'All sales, goods and shipping, without tax', from: 'Returns: Gross sales' },
  refunds: {
    meaning: 'What was refunded',
    from: 'Detail: refunds without their sign, without reversals',
  },
  marketplace: {
    meaning: 'Sales whose tax a marketplace remits',
    from: 'Deductions: marketplace remits',
  },
  exempt: {
    meaning: 'Sales to exempt buyers',
    from: 'Deductions: exempt buyers',
  },
  resale: {
    meaning: 'Sales to buyers who sell again',
    from: 'Deductions: exempt buyer, resale',
  },
  other_exempt: {
    meaning: 'Sales to exempt buyers who do not sell again',
    from: 'Deductions: other exempt buyers',
  },
  non_taxable: {
    meaning: 'Goods and shipping that the law does not tax',
    from: 'Deductions: all others',
  },
  deductions: {
    meaning: 'Everything between reported sales and the taxable amount',
    from: 'Returns: Deductions',
  },
  taxable: { meaning: 'Taxable amount', from: 'Returns: Taxable' },
  state_taxable: {
    meaning: 'Taxable amount of the state’s own tax',
    from: 'Jurisdictions of this return: level state',
  },
  expected: { meaning: 'Tax that was due', from: 'Returns: Expected' },
  collected: { meaning: 'Tax that was charged', from: 'Returns: Collected' },
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
    from: 'tax collected in excess',
  },
  shortfall: {
    meaning: 'Tax that was computed and, under the rule of tax collected, is not paid over',
    from: 'tax not collected, where the rule is collected',
  },
  purchases: {
    meaning: 'The seller’s own purchases that owe use tax',
    from: '`purchases` of the registration',
  },
  fees: {
    meaning: 'Fees for delivered sales',
    from: 'Fees on deliveries: Due',
  },
  excess_fees: {
    meaning: 'Fees charged for deliveries above those due',
    from: 'Fees on deliveries: Above it',
  },
  discount: { meaning: 'Timely-filing discount', from: 'below: discount' },
  prepayments: {
    meaning: 'Paid in advance and used for this period',
    from: 'Prepayments',
  },
  credits: { meaning: 'Credits used for this period', from: 'Prepayments' },
} as const;
export type FigureName = keyof typeof FIGURES;

/** Names the source of a return's figure. The tax of a place is a part of the tax of its rows. */
export const sourceOf = (figure: FigureName, { kind }: Pick<StateFigures, 'kind'>): string => {
  if (kind === 'place' && figure === 'collected')
    return 'By jurisdiction of variance.xlsx: Collected of the jurisdictions of this return';
  return FIGURES[figure].from;
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

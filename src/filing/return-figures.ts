import { atLeastZero, type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import type { FilingRegistration, LateCharges, RemittanceBasis } from './registration.ts';
import type { ReturnForm } from './return-form.ts';
import { FIGURES, type FigureName, hasLocalSchedule } from './return-form.ts';
import type { StateFigures } from './state-figures.ts';

/** Names the source of a return's figure. The tax of a place is a part of the tax of its rows. */
export const sourceOf = (figure: FigureName, { kind }: Pick<StateFigures, 'kind'>): string => {
  if (kind === 'place' && figure === 'collected')
    return 'By jurisdiction of variance.xlsx: Collected of the jurisdictions of this return';
  return FIGURES[figure];
};

/** Figures that are computed from the lines of the return itself. */
type DerivedFigure = 'discount' | 'prepayments' | 'credits';

export type FigureValues = Readonly<Record<Exclude<FigureName, DerivedFigure>, Money>>;

/** Figures that the remittance rule makes of the tax that the form computes. */
export const RULE_FIGURES = ['adjustment', 'excess', 'shortfall'] as const;
type RuleFigure = 'computed' | (typeof RULE_FIGURES)[number];

/** The figures that are known before the form computes any tax. */
type SalesFigures = Omit<FigureValues, RuleFigure | keyof LateCharges>;

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

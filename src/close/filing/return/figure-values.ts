import { absolute, type Money, money, subtract, sum, ZERO } from '../../../kernel/money.ts';
import type { ReturnForm } from '../law/return-form.ts';
import type { FilingRegistration, RemittanceBasis } from '../registration.ts';
import type { JurisdictionLevel, StateFigures } from '../state-figures.ts';
import type { DerivedFigure, FigureName } from './figures.ts';
import { hasLocalSchedule } from './schedule-rows.ts';

export type FigureValues = Readonly<Record<Exclude<FigureName, DerivedFigure>, Money>>;

/** The figures of one state as its return names them. */
export const figureValues = (
  figures: StateFigures,
  form: ReturnForm,
  registration: FilingRegistration,
): FigureValues => {
  const sales =
    form.marketplace.treatment === 'exclude' ? subtract(figures.gross, figures.marketplace) : figures.gross;
  const exempt = sum(figures.exempt.map(({ amount }) => amount));
  const resale = sum(figures.exempt.filter(({ type }) => type === 'wholesale').map(({ amount }) => amount));
  const deductions = subtract(sales, figures.taxable);
  const reported = form.marketplace.treatment === 'exclude' ? ZERO : figures.marketplace;
  const gaps = hasLocalSchedule(form) ? figures.gap.tax : ZERO;
  const adjustment = adjustmentOf(figures, gaps, registration.basis ?? form.basis.rule);
  return {
    sales,
    gross: figures.gross,
    shipping: figures.shipping,
    returns: figures.returns,
    marketplace: figures.marketplace,
    exempt,
    resale,
    other_exempt: subtract(exempt, resale),
    non_taxable: subtract(subtract(deductions, exempt), reported),
    deductions,
    taxable: figures.taxable,
    state_taxable: taxableOf(figures, 'state'),
    expected: figures.expected,
    collected: figures.collected,
    state_tax: taxOf(figures, true),
    local_tax: taxOf(figures, false),
    gaps,
    adjustment,
    excess: adjustment > 0 ? adjustment : ZERO,
    shortfall: adjustment < 0 ? absolute(adjustment) : ZERO,
    purchases: registration.purchases ?? ZERO,
    fees: sum(figures.fees.map(({ due }) => due)),
    excess_fees: sum(figures.fees.map(({ excess }) => excess)),
  };
};

/**
 * What the basis adds to the tax expected. Over- and under-collections of single sales are netted first. Tax that was
 * collected under rates that the tax content lacks is paid over under every basis and is not part of this.
 */
export const adjustmentOf = (
  figures: Pick<StateFigures, 'collected' | 'expected'>,
  gaps: Money,
  basis: RemittanceBasis,
): Money => {
  const difference = subtract(subtract(figures.collected, figures.expected), gaps);
  switch (basis) {
    case 'expected':
      return ZERO;
    case 'collected':
      return difference;
    case 'greater':
      return difference > 0 ? difference : ZERO;
  }
};

const taxableOf = (figures: StateFigures, wanted: JurisdictionLevel): Money =>
  sum(figures.jurisdictions.filter(({ level }) => level === wanted).map(({ taxable }) => taxable));

const taxOf = (figures: StateFigures, isState: boolean): Money =>
  sum(figures.jurisdictions.filter(({ level }) => (level === 'state') === isState).map(({ tax }) => tax));

/** A negative amount brought to nothing. */
export const atLeastZero = (amount: Money): Money => (amount < 0 ? ZERO : amount);

export const lesser = (left: Money, right: Money): Money => money(Math.min(left, right));

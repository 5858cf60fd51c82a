import type { Money } from '../../../../kernel/money.ts';
import { FIGURES, type FigureName, type FigureValues, sourceOf } from '../../../filing/return/figures.ts';
import { hasLocalSchedule } from '../../../filing/return/schedule-rows.ts';
import { isLocal, type TaxReturn } from '../../../filing/return/tax-return.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { type Cell, formula } from '../../../workbook/cell.ts';
import { quoted, type References } from '../../../workbook/references.ts';
import { defineSheet } from '../../../workbook/sheet.ts';
import { computedFormula, ruleFormula } from './return-formulas.ts';

export type FigureRow = {
  readonly state: string;
  readonly name: FigureName;
  readonly amount: Cell<'money'>;
  readonly from: string;
};

type StatedFigure = keyof FigureValues;

/** The formula of a figure that is computed from others, in the workbook's references; the rest are constants. */
type Working = (given: {
  readonly at: References;
  readonly state: string;
  /** Returns the cell of another figure of the same state. */
  readonly of: (name: string) => string;
  readonly filed: TaxReturn;
}) => string;

const ofReturn =
  (column: string): Working =>
  ({ at, state }) =>
    `ROUND(${at.sumIfs('Returns', column, { State: quoted(state) })},2)`;

const ofFees =
  (column: string): Working =>
  ({ at, state, filed }) =>
    filed.figures.fees.length === 0
      ? '0'
      : `ROUND(${at.sumIfs('DeliveryFees', column, { Return: quoted(state) })},2)`;

const less = (left: StatedFigure, ...others: readonly StatedFigure[]): Working => {
  return ({ of }) => `ROUND(${[left, ...others].map(of).join('-')},2)`;
};

const isExcluded = ({ form }: TaxReturn): boolean => form.marketplace.treatment === 'exclude';

const WORKINGS: Partial<Record<StatedFigure, Working>> = {
  gross: ofReturn('Gross sales'),
  taxable: ofReturn('Taxable'),
  collected: ofReturn('Collected'),
  expected: ofReturn('Expected'),
  sales: (given) => (isExcluded(given.filed) ? less('gross', 'marketplace')(given) : given.of('gross')),
  deductions: less('sales', 'taxable'),
  other_exempt: less('exempt', 'resale'),
  non_taxable: (given) =>
    isExcluded(given.filed)
      ? less('deductions', 'exempt')(given)
      : less('deductions', 'exempt', 'marketplace')(given),
  state_taxable: ({ at, state }) => `ROUND(${jurisdictions(at, 'Taxable amount', state)},2)`,
  state_tax: ({ at, state }) => `ROUND(${jurisdictions(at, 'Tax', state)},2)`,
  local_tax: ({ at, state }) =>
    `ROUND(${at.sumIfs('Jurisdictions', 'Tax', { Return: quoted(state) })}-${jurisdictions(at, 'Tax', state)},2)`,
  fees: ofFees('Fee due'),
  excess_fees: ofFees('Charged above the fee'),
  missing_rates: (given) => (hasLocalSchedule(given.filed.form) ? ofReturn('Missing rates')(given) : '0'),
  computed: ({ at, of, filed }) => computedFormula(filed, of, at),
  adjustment: ({ of, filed }) => ruleFormula(filed, `ROUND(${of('collected')}-${of('computed')},2)`),
  excess: ({ of }) => `MAX(0,${of('adjustment')})`,
  shortfall: ({ of }) => `MAX(0,-${of('adjustment')})`,
};

const jurisdictions = (at: References, column: string, state: string): string =>
  at.sumIfs('Jurisdictions', column, { Return: quoted(state), Level: quoted('state') });

const NAMES = Object.keys(FIGURES) as FigureName[];

/** Builds the figures of every return, each next to the figures it is computed from. */
export const figureRows = (returns: readonly TaxReturn[]): readonly FigureRow[] =>
  returns.flatMap((filed, position) => {
    const names = NAMES.filter((name): name is StatedFigure => Object.hasOwn(filed.values, name));
    const start = position * names.length;
    const state = returnKey(filed.figures);
    const isSplit = returns.some((other) => isLocal(other) && other.figures.state === filed.figures.state);
    return names.map((name): FigureRow => {
      const working = WORKINGS[name];
      const value: Money = filed.values[name];
      const of =
        (at: References) =>
        (other: string): string =>
          at.cellAt('Figures', 'Amount', start + names.indexOf(other as StatedFigure));
      const amount = working ? formula((at) => working({ at, state, of: of(at), filed }), value) : value;
      return { state, name, amount, from: sourceOf(name, filed.figures, isSplit) };
    });
  });

/** The figures from which the lines of the returns are computed. */
export const FIGURES_SHEET = defineSheet<FigureRow>({
  name: 'Figures',
  table: 'Figures',
  title: 'Figures behind the returns',
  note: 'Each return names its figures as they stand here. What is a formula follows from the sheets Returns, Jurisdictions and Rates, the schedules of the return or other figures of its state; the others are added up from the rows that are named.',
  freeze: { columns: 2 },
  columns: [
    { title: 'State', width: 14, format: 'status', value: ({ state }) => state },
    { title: 'Figure', width: 15, format: 'text', value: ({ name }) => name },
    { title: 'Amount', width: 16, format: 'money', value: ({ amount }) => amount },
    { title: 'Meaning', width: 54, format: 'text', value: ({ name }) => FIGURES[name].meaning },
    { title: 'Added up from', width: 54, format: 'text', value: ({ from }) => from },
  ],
});

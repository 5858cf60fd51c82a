import * as z from 'zod';
import { atLeastZero, type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import { type Expression, type Name, namesIn, parseExpression } from './formula.ts';
import { LAW_FIELDS, lawRow, MoneyField, RateField, StateField } from './law-row.ts';
import {
  type FilingRegistration,
  FREQUENCIES,
  type LateCharges,
  REMITTANCE_BASES,
  type RemittanceBasis,
} from './registration.ts';
import { RETURN_KINDS, type StateFigures } from './state-figures.ts';

/**
 * Every figure that a line's formula may name, and the rows and columns that it is summed from; docs/returns.md says what
 * each is. All include refunds with their minus sign, except `refunds`.
 */
export const FIGURES = {
  sales: 'Returns: Gross sales; marketplaces as the form has them',
  gross: 'Returns: Gross sales',
  refunds: 'Detail: refunds without their sign, without reversals',
  marketplace: 'Deductions: marketplace remits',
  exempt: 'Deductions: exempt buyers',
  resale: 'Deductions: exempt buyer, resale',
  other_exempt: 'Deductions: other exempt buyers',
  non_taxable: 'Deductions: all others',
  deductions: 'Returns: Deductions',
  taxable: 'Returns: Taxable',
  state_taxable: 'Jurisdictions of this return: level state',
  expected: 'Returns: Expected',
  collected: 'Returns: Collected',
  state_tax: 'Jurisdictions of this return: Tax of level state',
  local_tax: 'Jurisdictions of this return: Tax of other levels',
  missing_rates: 'Returns: Missing rates; the schedules contain it, place by place',
  computed: 'The form’s line for the tax, down to its figures, rates and schedules, each line rounded',
  adjustment: 'Remittance rule: tax collected against tax computed',
  excess: 'tax collected in excess',
  shortfall: 'tax not collected',
  purchases: '`purchases` of the registration',
  fees: 'Fees on deliveries: Due',
  excess_fees: 'Fees on deliveries: Above it',
  penalty: '`penalty` of filings.csv',
  interest: '`interest` of filings.csv',
  discount: 'below: discount',
  prepayments: '`prepayments` of the registration',
  credits: '`credits` of the registration',
} as const;

export type FigureName = keyof typeof FIGURES;

/** A line's formula as text and as a parsed expression. */
type Formula = {
  readonly text: string;
  readonly expression: Expression;
};

/** The formula of a line on which the seller has nothing to enter. */
export const NOTHING: Formula = { text: '0', expression: parseExpression('0') };

/** A formula in a data file. A syntax error becomes an issue of the file, with the position in the formula. */
const FormulaField = z.string().transform((text, context): Formula => {
  try {
    return { text, expression: parseExpression(text) };
  } catch (error) {
    context.issues.push({ code: 'custom', message: (error as Error).message, input: text });
    return z.NEVER;
  }
});

/** Refuses a form with unknown names: a misspelt line or rate must fail when the form is loaded, not on the 20th. */
const refuseBrokenForm = (form: ReturnForm, context: z.core.$RefinementCtx): void => {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['lines'], message });
  const { discountBase } = form;
  const lines = form.lines.map(({ line }) => line);
  for (const line of lines.filter((each, index) => lines.indexOf(each) !== index))
    refuse(`there are two lines ${line}`);
  const formulas = form.lines.map(({ line, formula }) => [`line ${line}`, formula] as const);
  const rates = form.rates.map(({ name }) => name);
  const known: Readonly<Record<Name['kind'], readonly [what: string, names: readonly string[]]>> = {
    line: ['line', lines],
    figure: ['the figure', Object.keys(FIGURES)],
    rate: ['the rate', rates],
    'taxable-at': ['the rate', rates],
    schedule: ['the schedule', form.schedules.map(({ name }) => name)],
  };
  for (const [where, { expression }] of [
    ...formulas,
    ...(discountBase ? [["the discount's base", discountBase] as const] : []),
  ]) {
    for (const { kind, name } of namesIn(expression)) {
      const [what, names] = known[kind];
      if (!names.includes(name)) refuse(`${where} speaks of ${what} ${name}, which there is not`);
    }
  }
  for (const role of ['tax', 'due']) {
    const count = form.lines.filter((line) => line.role === role).length;
    if (count !== 1) refuse(`${count} lines have the role ${role}: one must`);
  }
  if (form.required && !form.completedBy) refuse('a return that is not always required needs `completedBy`');
};

/** Returns the figures that a formula depends on, itself or by the lines of the form that it names. */
export const figuresBehind = (
  { lines }: Pick<ReturnForm, 'lines'>,
  wanted: Formula | undefined,
): ReadonlySet<string> => {
  const figures = new Set<string>();
  const visit = (formula: Formula | undefined): void => {
    for (const { kind, name } of formula ? namesIn(formula.expression) : []) {
      if (kind === 'figure') figures.add(name);
      if (kind === 'line') visit(lines.find(({ line }) => line === name)?.formula);
    }
  };
  visit(wanted);
  return figures;
};

const Rounding = z.enum(['cents', 'dollars']);

/** The role of a line, by which checks, discount, journal and summary find it. */
export const LINE_ROLES = [
  'sales',
  'taxable',
  'excess',
  'tax',
  'discount',
  'prepayments',
  'credits',
  'due',
  'overpayment',
] as const;
export type LineRole = (typeof LINE_ROLES)[number];

/** File formats that portals accept. */
const UPLOAD_FORMATS = ['wa-tagged'] as const;

const Line = z.strictObject({
  /** The number of the line as the form prints it. */
  line: z.string().min(1),
  label: z.string().min(2),
  formula: FormulaField,
  /** The form's own rounding if omitted. */
  round: Rounding.optional(),
  role: z.enum(LINE_ROLES).optional(),
  /** An intermediate step that the form itself does not print. */
  working: z.boolean().default(false),
  /** A line of sellers with a place of business in the state; others leave it to a schedule. */
  inState: z.literal(true).optional(),
  /** `false` if the number or the content of the line was not verified against a source. */
  verified: z.literal(false).optional(),
  note: z.string().optional(),
});

const Schedule = z.strictObject({
  name: z.string().regex(/^[a-z]+$/, 'must be one lower-case word, as formulas name it'),
  title: z.string(),
  /** The kind of item in each row. */
  key: z.enum(['jurisdiction', 'location code', 'outlet', 'county', 'site']),
  /** One row per place with its combined or local taxes, or one row per body that levies a tax. */
  rows: z.enum(['place', 'place-local', 'level']),
  /** The levels to include if the rows are bodies. */
  levels: z.array(z.enum(['state', 'county', 'city', 'special'])).default([]),
  /** The tax of the sales, to the cent, or the row's taxable amount times its rate, as the form computes it. */
  tax: z.enum(['recorded', 'computed']).default('recorded'),
  round: Rounding.optional(),
  /** Counties, or bodies as the rows name them, that the form prints as one place, by the name of that place. */
  together: z.record(z.string(), z.array(z.string()).min(1)).default({}),
  note: z.string().optional(),
});

/**
 * The return of a longer period that is filed after these: it has the figures of the whole period, and takes off what was
 * paid with them.
 */
const CompletedBy = lawRow({ frequency: z.enum(FREQUENCIES), form: z.string() });

/** A return required only in some months, or above some tax; otherwise the return that completes it includes the tax. */
const Required = lawRow({
  above: MoneyField.optional(),
  months: z.array(z.int().min(1).max(12)).min(1),
});

/** One revision of a state's return, for periods that end while it is in force. */
const FormRow = lawRow({
  /** `*` for the general return, used for states whose own form is not mapped. */
  state: z.union([StateField, z.literal('*')]),
  /** The kind of return. One for places applies to every county or city of the state that collects its own tax. */
  of: z.enum(RETURN_KINDS).default('state'),
  form: z.string(),
  title: z.string(),
  /** The payee, as the form names it; not known for the general returns. */
  authority: z.string().optional(),
  revision: z.string(),
  frequencies: z.array(z.enum(FREQUENCIES)).default([...FREQUENCIES]),
  rounding: Rounding,
  /** Whether marketplace sales are excluded, reported and deducted, or reported on a line of their own. */
  marketplace: z.strictObject({
    treatment: z.enum(['exclude', 'deduct', 'own-line']),
    verified: z.literal(false).optional(),
    note: z.string().optional(),
  }),
  basis: z.strictObject({
    rule: z.enum(REMITTANCE_BASES),
    verified: z.literal(false).optional(),
    note: z.string().optional(),
  }),
  /** Always required if omitted. */
  required: Required.optional(),
  completedBy: CompletedBy.optional(),
  /** The return on which the seller's own purchases are reported, if this form has no line for their tax. */
  purchasesOn: lawRow({ form: z.string() }).optional(),
  rates: z
    .array(z.strictObject({ name: z.string().regex(/^\w+$/), rate: RateField, ...LAW_FIELDS }))
    .default([]),
  schedules: z.array(Schedule).default([]),
  lines: z.array(Line).min(1),
  /** The amount on which a timely-filing discount is computed; omitted if there is none. */
  discountBase: FormulaField.optional(),
  /** A tax of the seller's own that this return also has, and that is not computed here: named on Pay. */
  ownTax: z.string().optional(),
  /** The file format in which the state's portal accepts this return, if known. */
  upload: z.enum(UPLOAD_FORMATS).optional(),
});
export const ReturnForm = FormRow.superRefine(refuseBrokenForm);
export type ReturnForm = z.output<typeof FormRow>;
export type FormLine = ReturnForm['lines'][number];
export type FormSchedule = ReturnForm['schedules'][number];

/** Whether a schedule includes the local taxes of every place, and so the tax collected under unknown rates. */
export const isLocalSchedule = ({ rows, levels }: FormSchedule): boolean =>
  rows !== 'level' || levels.includes('city');

/** Whether a form has such a schedule. Without one, the state has no local taxes, so no local rate can be missing. */
export const hasLocalSchedule = ({ schedules }: Pick<ReturnForm, 'schedules'>): boolean =>
  schedules.some(isLocalSchedule);

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

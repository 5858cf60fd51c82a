import { type Money, negate, subtract, sum, ZERO } from '../../../kernel/money.ts';
import { reasonTitle } from '../../figures/parts-of-state.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { Remittance } from '../../figures/remittance.ts';
import { hasReversals } from '../../reconcile/period-totals.ts';
import { REASONS, type ReasonCode } from '../../reconcile/reason.ts';
import { partOf, VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';
import { REASON_PLACES } from './by-reason.ts';

/** One state, from gross sales to the tax that should have been charged, and on to the tax to remit. */
export type BridgeRow = {
  readonly state: string;
  readonly gross: Money;
  readonly marketplace: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  /** The amount of each reason; reasons without an amount here are omitted. */
  readonly reasons: ReadonlyMap<ReasonCode, Money>;
  /** Remittances of the state and of places in it; empty if the seller is not registered there. */
  readonly remittances: readonly Remittance[];
};

/** Returns the reasons that occur in the period, in order: each is a column of the bridge. */
export const bridgeCodes = ({ reasons }: PeriodReport): readonly ReasonCode[] =>
  reasons.map(({ code }) => code);

/** Builds the rows of states with sales, and of states that require a return without sales. */
export const bridgeRows = ({ states, stateReasons, remittances }: PeriodReport): readonly BridgeRow[] => {
  const names = new Set([...states, ...remittances].map(({ state }) => state));
  return [...names].sort().map((state) => {
    const totals = states.find((each) => each.state === state);
    const own = stateReasons.filter((reason) => reason.state === state);
    return {
      state,
      gross: totals?.gross ?? ZERO,
      marketplace: totals?.marketplace ?? ZERO,
      taxable: totals?.taxable ?? ZERO,
      collected: totals?.collected ?? ZERO,
      expected: totals?.expected ?? ZERO,
      reasons: new Map(own.map(({ code, amount }) => [code, amount])),
      remittances: remittances.filter((each) => each.state === state),
    };
  });
};

/** Returns collected less expected less every reason: zero, unless something is wrong. */
export const residualOf = ({ collected, expected, reasons }: BridgeRow): Money =>
  subtract(subtract(collected, sum(reasons.values())), expected);

const posted = (at: References) => ({ State: at.cell('State'), Posted: quoted('Yes') });

const figure = (title: string, source: string, value: (row: BridgeRow) => Money): Column<BridgeRow> => ({
  title,
  width: 15,
  format: 'money',
  value,
  formula: (at) => at.sumIfs('Detail', source, posted(at)),
  total: 'sum',
});

const marketplaceFormula = (at: References): string => {
  const where = { ...posted(at), Exemption: quoted('marketplace') };
  return `ROUND(${at.sumIfs('Detail', 'Gross', where)}-${at.sumIfs('Detail', 'Taxable', where)},2)`;
};

/** Sums a reason over Detail, where a row has up to three reasons, and may have the same one twice. */
const reasonColumn = (code: ReasonCode): Column<BridgeRow> => ({
  title: reasonTitle(code),
  width: 14,
  format: 'money',
  value: ({ reasons }) => reasons.get(code) ?? ZERO,
  formula: (at) => {
    const places = REASON_PLACES.map(({ reason, amount }) =>
      at.sumIfs('Detail', amount, { ...posted(at), [reason]: quoted(code) }),
    );
    return `ROUND(${places.join('+')},2)`;
  },
  total: 'sum',
  note: `${VARIANCE_PARTS[partOf(code)]}. ${REASONS[code].meaning}`,
});

/** The steps from the expected tax to the tax to remit, in the order of the bridge. */
const STEPS = [
  [
    'Gaps, as collected',
    'gaps',
    'Tax collected under local rates that Tieout does not have: paid over as collected.',
  ],
  ['Remittance rule', 'adjustment', 'What the remittance rule of the state adds, or takes off.'],
  ['Use tax', 'useTax', 'On purchases of the seller itself.'],
  ['Fees', 'fees', 'For delivered sales: not a tax, and paid with a return or on one of its own.'],
  ['Form rounding', 'rounding', 'Reason code R22: what the form’s whole dollars and own rates make of it.'],
  ['Discount', 'discount', 'Kept for filing in time.'],
  ['Prepayments', 'prepayments', 'Paid in advance and used.'],
  ['Credits', 'credits', 'Credits used.'],
] as const;

type Step = (typeof STEPS)[number];

/** Returns the steps that the period needs: the columns for gaps and for fees are omitted if there are none. */
const stepsOf = (report: PeriodReport): readonly Step[] => {
  const hasGaps = bridgeCodes(report).some((code) => partOf(code) === 'gap');
  const hasFees = report.remittances.some(({ fees }) => fees !== ZERO);
  return STEPS.filter(([, figure]) => (figure !== 'gaps' || hasGaps) && (figure !== 'fees' || hasFees));
};

const NO_RETURN = 'No return';

const step = ([title, figure, note]: Step): Column<BridgeRow> => ({
  title,
  width: 13,
  format: 'money',
  value: ({ remittances }) => sum(remittances.map((each) => each[figure])),
  total: 'sum',
  note,
});

/** Returns the tax to remit; zero if the seller is not registered. */
export const toRemit = ({ remittances }: BridgeRow): Money => sum(remittances.map(({ due }) => due));

const remitFormula = (at: References, steps: readonly Step[]): string => {
  const parts = ['Tax expected', NO_RETURN, ...steps.map(([title]) => title)].map((title) => at.cell(title));
  return `ROUND(${parts.join('+')},2)`;
};

/** Maximum number of columns that fit one page at a readable size. */
const PAGE_COLUMNS = 16;

const residualFormula = (at: References, codes: readonly ReasonCode[]): string =>
  `ROUND(${['Tax collected', ...codes.map(reasonTitle), 'Tax expected'].map((title) => at.cell(title)).join('-')},2)`;

const bridgeColumns = (
  codes: readonly ReasonCode[],
  steps: readonly Step[],
): readonly Column<BridgeRow>[] => [
  { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
  figure('Gross', 'Gross', ({ gross }) => gross),
  {
    title: 'On marketplaces',
    width: 15,
    format: 'money',
    value: ({ marketplace }) => marketplace,
    formula: marketplaceFormula,
    total: 'sum',
    note: 'Sales whose tax a marketplace collects and remits: in the gross sales, and not taxable to the seller.',
  },
  {
    title: 'Exempt or not taxable',
    width: 15,
    format: 'money',
    value: ({ gross, marketplace, taxable }) => subtract(subtract(gross, marketplace), taxable),
    formula: (at) =>
      `ROUND(${['Gross', 'On marketplaces', 'Taxable'].map((title) => at.cell(title)).join('-')},2)`,
    total: 'sum',
    note: 'Exempt goods and customers, sales where no duty exists, shipping where it is not taxed.',
  },
  figure('Taxable', 'Taxable', ({ taxable }) => taxable),
  figure('Tax collected', 'Collected', ({ collected }) => collected),
  ...codes.map(reasonColumn),
  figure('Tax expected', 'Expected', ({ expected }) => expected),
  {
    title: 'Residual',
    width: 12,
    format: 'money',
    value: residualOf,
    formula: (at) => residualFormula(at, codes),
    total: 'sum',
    flagWhen: { attention: (cell) => `${cell}<>0` },
  },
  {
    title: NO_RETURN,
    width: 13,
    format: 'money',
    value: ({ remittances, expected }) => (remittances.length > 0 ? ZERO : negate(expected)),
    total: 'sum',
    note: 'Tax of states in which the seller is not registered: no return takes it.',
  },
  ...steps.map(step),
  {
    title: 'Amount due',
    width: 15,
    format: 'money',
    value: toRemit,
    formula: (at) => remitFormula(at, steps),
    total: 'sum',
  },
];

/** Builds the bridge of the period, state by state, from gross sales to the expected tax and on to the tax to remit. */
export const bridgeSheet = (report: PeriodReport): FilledSheet => {
  const columns = bridgeColumns(bridgeCodes(report), stepsOf(report));
  const reversals = hasReversals(report.reasons) ? ', or is the reversal of what was charged too little' : '';
  const sheet = defineSheet<BridgeRow>({
    name: 'Bridge by state',
    table: 'Bridge',
    title: 'Bridge by state: from gross sales to the tax expected, and to what is remitted',
    note: `Tax collected, less what each reason explains, is the tax expected: a positive reason was charged too much${reversals}. Sums of the posted rows of Detail. The residual is what no column accounts for, and must be nothing. The steps to the amount to remit are those of Returns in filing-summary.xlsx, which also shows the returns that this close covers only in part.`,
    freeze: { columns: 1 },
    pagesWide: Math.ceil(columns.length / PAGE_COLUMNS),
    columns,
  });
  return filled(sheet, bridgeRows(report));
};

import { type Money, subtract, sum, ZERO } from '../../../kernel/money.ts';
import { REASONS, type ReasonCode } from '../../reconcile/reason.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';
import type { PeriodReport } from '../period-report.ts';
import { REASON_PLACES } from './by-reason.ts';

/** One state on the way from gross sales to the tax that should have been charged. */
export type BridgeRow = {
  readonly state: string;
  readonly gross: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  /** What each reason moves; a reason that moves nothing here is missing. */
  readonly reasons: ReadonlyMap<ReasonCode, Money>;
};

/** The reasons that occur in the period, in their order: each has a column of the bridge. */
export const bridgeCodes = ({ reasons }: PeriodReport): readonly ReasonCode[] =>
  reasons.map(({ code }) => code);

export const bridgeRows = ({ states, stateReasons }: PeriodReport): readonly BridgeRow[] =>
  states.map(({ state, gross, taxable, collected, expected }) => {
    const own = stateReasons.filter((reason) => reason.state === state);
    const reasons = new Map(own.map(({ code, amount }) => [code, amount]));
    return { state, gross, taxable, collected, expected, reasons };
  });

/** What is left of collected minus expected when every reason is taken off: nothing, or something is wrong. */
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

const reasonTitle = (code: ReasonCode): string => `${code} ${REASONS[code].name}`;

/** A row of Detail can carry a reason in three places, and the same one twice. */
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
  note: REASONS[code].meaning,
});

/** More columns than these do not fit one page in a size that can be read. */
const ONE_PAGE_REASONS = 8;

/** The bridge of the period: state by state from gross sales to the tax expected, reason by reason. */
export const bridgeSheet = (report: PeriodReport): FilledSheet => {
  const codes = bridgeCodes(report);
  const sheet = defineSheet<BridgeRow>({
    name: 'Bridge',
    table: 'Bridge',
    title: 'Bridge: from gross sales to the tax expected',
    note: 'Tax collected, less what each reason explains, is the tax expected: a positive reason was charged too much. Sums of the posted rows of Detail. The residual is what no column accounts for, and must be nothing.',
    freeze: { columns: 1 },
    paper: 'tabloid',
    ...(codes.length > ONE_PAGE_REASONS && { pagesWide: 2 }),
    columns: [
      { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
      figure('Gross', 'Gross', ({ gross }) => gross),
      {
        title: 'Exempt or not taxable',
        width: 15,
        format: 'money',
        value: ({ gross, taxable }) => subtract(gross, taxable),
        formula: (at) => at.difference(at.cell('Gross'), at.cell('Taxable')),
        total: 'sum',
        note: 'Exempt goods and customers, sales on marketplaces and where no duty exists, shipping where it is not taxed.',
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
    ],
  });
  return filled(sheet, bridgeRows(report));
};

const residualFormula = (at: References, codes: readonly ReasonCode[]): string =>
  `ROUND(${['Tax collected', ...codes.map(reasonTitle), 'Tax expected'].map((title) => at.cell(title)).join('-')},2)`;

import { formatMoney } from '../../../../kernel/money.ts';
import type { Expression } from '../../../filing/expression/expression.ts';
import { type Fragments, spreadsheetFormula } from '../../../filing/expression/spreadsheet-formula.ts';
import { sourceText } from '../../../filing/law/law-row.ts';
import { gapNote } from '../../../filing/return/return-notes.ts';
import type { ReturnLine, TaxReturn } from '../../../filing/return/tax-return.ts';
import { cellOf, formula } from '../../../workbook/cell.ts';
import { quoted, type References } from '../../../workbook/references.ts';
import { defineSheet, type FilledSheet, filled, type Line } from '../../../workbook/sheet.ts';
import type { StateReturn } from '../../period-filing.ts';

const SHEET_NAME_MAX = 31;

export const returnTable = ({ figures }: TaxReturn): string => `Return_${figures.state}`;

export const returnSheetName = ({ figures, form }: TaxReturn): string =>
  `${figures.state} ${form.form}`.replace(/[^A-Za-z0-9 .-]/g, '').slice(0, SHEET_NAME_MAX);

/** The words in which a line's formula stands in the workbook. */
export const fragmentsOf = (filed: TaxReturn, at: References): Fragments => {
  const state = quoted(filed.figures.state);
  const own = { State: state };
  const rate = (name: string): string => at.sumIfs('Rates', 'Rate', { ...own, 'Rate name': quoted(name) });
  return {
    figure: (name) => {
      if (name === 'discount') return at.sumIfs('Discounts', 'Claimed', own);
      if (name === 'prepayments' || name === 'credits')
        return at.sumIfs('Prepayments', 'Used', { ...own, Kind: quoted(name) });
      return at.sumIfs('Figures', 'Amount', { ...own, Figure: quoted(name) });
    },
    line: (line) =>
      at.cellAt(
        returnTable(filed),
        'Amount',
        filed.form.lines.findIndex((each) => each.line === line),
      ),
    rate,
    schedule: (schedule, column) =>
      at.sumIfs('Schedules', column === 'tax' ? 'Tax' : 'Taxable amount', {
        ...own,
        Schedule: quoted(schedule),
      }),
    taxableAt: (name) =>
      at.sumIfs('Jurisdictions', 'Taxable amount', { ...own, Level: quoted('state'), Rate: rate(name) }),
  };
};

export const expressionFormula =
  (filed: TaxReturn, expression: Expression, round: 'cents' | 'dollars') =>
  (at: References): string =>
    spreadsheetFormula(expression, round, fragmentsOf(filed, at));

/** The return of one state, line by line, with what each is made of. */
export const returnSheet = (given: StateReturn): FilledSheet => {
  const { filed } = given;
  return filled(
    defineSheet<ReturnLine>({
      name: returnSheetName(filed),
      table: returnTable(filed),
      title: `${filed.form.form}: ${filed.form.title}`,
      ...(filed.notes.length > 0 && { note: filed.notes.join(' ') }),
      lines: headOf(given),
      freeze: { columns: 1 },
      columns: [
        {
          title: 'Line',
          width: 16,
          format: 'id',
          value: ({ line }) => line.line,
        },
        { title: 'What it is', width: 46, format: 'text', value: ({ line }) => line.label },
        {
          title: 'Amount',
          width: 15,
          format: 'money',
          value: ({ line, amount, round }) =>
            formula(expressionFormula(filed, line.formula.expression, round), amount),
        },
        { title: 'Rounded to', width: 10, format: 'status', value: ({ round }) => round },
        { title: 'Formula', width: 28, format: 'text', value: ({ line }) => line.formula.text },
        { title: 'Where it comes from', width: 40, format: 'text', value: ({ provenance }) => provenance },
        {
          title: 'On the form',
          width: 14,
          format: 'status',
          value: ({ line }) => (line.working ? 'working' : isSeen(filed, line) ? 'seen' : 'not seen'),
          flag: ({ line }) => (line.working || isSeen(filed, line) ? undefined : 'attention'),
          note: 'Whether the line was seen in the source of the form; a working line is not printed on it.',
        },
        { title: 'Note', width: 36, format: 'text', value: ({ line }) => line.note },
      ],
    }),
    filed.lines,
  );
};

const isSeen = ({ form }: TaxReturn, line: ReturnLine['line']): boolean =>
  form.verified !== false && line.verified !== false;

/** What is paid over, split by where it comes from. */
const splitText = ({ figures, values }: TaxReturn): string =>
  `${formatMoney(figures.expected)} expected, ${formatMoney(values.gaps)} collected under local rates that Tieout does not have, ${formatMoney(values.adjustment)} added by the basis`;

const COVERS = {
  whole: '',
  part: ': the close covers a part of it, so these are not the figures to file',
  several: ': the close covers more than it, so these are not the figures to file',
} as const;

/** The line is marked whatever it says. */
const ATTENTION = { flagWhen: { attention: (cell: string) => `${cell}<>""` } };

const headOf = ({ filed, dueDate, coverage }: StateReturn): readonly Line[] => {
  const { form, registration, basis, remittance, rounding } = filed;
  const text = (label: string, value: string): Line => ({ label, value: cellOf('text', value) });
  return [
    ...(filed.figures.gap.sales === 0
      ? []
      : [{ ...text('Local rates missing', gapNote(filed)), ...ATTENTION }]),
    text('Account', registration.account),
    text('Period', `${dueDate.period.label}${COVERS[coverage]}`),
    text('Due', `${dueDate.due}${dueDate.isVerified ? '' : ' (the rule was not seen in a source)'}`),
    text('Revision', form.revision),
    text('Source', sourceText(form.sources) || 'none'),
    text('Held against it', form.verified === false ? 'never' : form.verified),
    text(
      'Basis',
      `${basis}: ${formatMoney(remittance)} to pay over, form rounding (R22) ${formatMoney(rounding)}`,
    ),
    ...(filed.figures.gap.sales === 0 ? [] : [text('Made up of', splitText(filed))]),
    text('Prepared by, on', ''),
    text('Reviewed by, on', ''),
    text('Approved by, on', ''),
  ];
};

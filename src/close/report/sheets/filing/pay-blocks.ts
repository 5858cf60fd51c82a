import { type Money, negate, sum } from '../../../../kernel/money.ts';
import { type PayList, STATUS_TEXTS } from '../../../figures/pay-list.ts';
import type { UnreturnedRow } from '../../../figures/unreturned.ts';
import type { RolledRow } from '../../../general-ledger/roll-forward.ts';
import { type DecideLine, unknownRecords } from '../../../reconcile/decide-lines.ts';
import { formula } from '../../../workbook/cell.ts';
import { type Grid, type GridCell, type GridColumn, type GridRow, text } from '../../../workbook/laid-out.ts';

export const TONES = {
  PRELIMINARY: 'idle',
  READY: 'good',
  'NOT READY': 'attention',
  'NOT DUE': 'idle',
  'NOT REQUIRED': 'idle',
  'OTHER PERIOD': 'idle',
  UNCHANGED: 'idle',
  OPEN: 'attention',
  DECIDED: 'good',
  'NO RETURN': 'idle',
} as const;

/** The link to the sheet on which a line is decided. */
export const DECIDE = { file: 'variance.xlsx#Decide!A1' };

/** Builds the tables of amounts on no return and of amounts that could still be added, each with headers of its own. */
export const besideTheReturns = ({ unreturned, rolled, leftOut, unproved }: PayList): readonly Grid[] => [
  ...block(
    'Collected, but on no return',
    ['State', 'Registration', '', 'Status', 'Tax collected', '', '', '', '', '', 'What to do'],
    unreturned.map(unreturnedRow),
  ),
  ...block(
    'Sales tax payable that your accounts have otherwise: sheet Roll-forward',
    ['State', 'Accounts', '', 'Status', 'Difference', '', '', '', '', '', 'What to do'],
    rolled.map(rolledRow),
  ),
  ...block(
    'Exempt by decision, without a valid certificate: tax expected if none comes; “Could change by at most” has what a return then adds',
    ['State', 'What', '', 'Status', 'Tax', 'Records', 'Record', 'Line', 'Export', 'Decide', 'Why'],
    unproved.map((line) => decidedRow(line, negate(line.effect))),
  ),
  ...block(
    'Left out by decision: on no return of this period',
    ['State', 'What', '', 'Status', 'Tax', 'Records', 'Record', 'Line', 'Export', 'Decide', 'Why'],
    leftOut.map((line) => decidedRow(line, line.effect)),
  ).map((grid) => ({ ...grid, name: LEFT_OUT, totals: [leftOutTotal(leftOut)] })),
];

const LEFT_OUT = 'Left_out';

const leftOutTotal = (lines: PayList['leftOut']): GridRow => ({
  kind: 'subtotal',
  cells: [
    text('All records left out'),
    undefined,
    undefined,
    undefined,
    {
      format: 'money',
      value: formula((at) => at.sum(LEFT_OUT, 'Tax'), sum(lines.map(({ effect }) => effect))),
    },
    {
      format: 'count',
      value: formula(
        (at) => at.sum(LEFT_OUT, 'Records'),
        lines.reduce((count, { records }) => count + records.length, 0),
      ),
    },
    text(lines.every(({ isEffectKnown }) => isEffectKnown) ? '' : 'without what is unknown', { grey: true }),
  ],
});

const RIGHT = new Set(['Difference', 'Tax', 'Tax collected', 'Records', 'Line']);

const block = (
  heading: string,
  titles: readonly string[],
  rows: readonly GridRow[],
): readonly (Grid & { readonly columns: readonly GridColumn[] })[] =>
  rows.length === 0
    ? []
    : [
        {
          heading,
          hasHeader: true,
          columns: titles.map((title) => ({ title, align: RIGHT.has(title) ? 'right' : 'left' })),
          rows,
        },
      ];

const unreturnedRow = ({ state, amount, status, todo }: UnreturnedRow): GridRow => ({
  cells: [
    text(state, { bold: true }),
    text('No registration', { grey: true }),
    undefined,
    { format: 'status', value: STATUS_TEXTS[status], tone: TONES[status] },
    { format: 'money', value: amount, bold: true },
    ...Array.from({ length: 5 }, () => undefined),
    text(todo),
  ],
});

const rolledRow = (row: RolledRow): GridRow => ({
  cells: [
    text(row.group, { bold: true }),
    text(row.accounts.join('; '), { grey: true }),
    undefined,
    { format: 'status', value: row.status, tone: ROLLED_TONES[row.status] },
    row.difference === undefined
      ? text('unknown', { grey: true })
      : { format: 'money', value: row.difference, bold: true },
    ...Array.from({ length: 5 }, () => undefined),
    text(rolledTodo(row)),
  ],
});

const ROLLED_TONES: Readonly<Record<RolledRow['status'], 'good' | 'attention' | 'idle'>> = {
  '✓ AGREES': 'good',
  '● OPEN': 'attention',
  '✓ DECIDED': 'good',
  '○ NOT MATERIAL': 'idle',
  '✕ MONTH MISSING': 'attention',
};

const rolledTodo = ({ status, why }: RolledRow): string => {
  if (status === '✓ DECIDED') return `Decided: ${why}`;
  if (status === '○ NOT MATERIAL') return 'Nothing: it is below the materiality of the policy.';
  return 'Find what differs before you pay; the line in Decide says how.';
};

/** Shows a tax as a number as far as it is known, so that the total below adds it up. */
const taxCell = (line: DecideLine, tax: Money): GridCell => {
  const unknown = unknownRecords(line);
  if (unknown > 0 && unknown === line.records.length) return text('unknown', { grey: true });
  return { format: 'money', value: tax };
};

/** Names the first record and the number of further ones, and how many of them have no tax in the cell before. */
const recordsText = (line: DecideLine): string => {
  const [first, ...others] = line.records;
  const unknown = unknownRecords(line);
  const isPart = unknown > 0 && unknown < line.records.length;
  return `${first}${others.length > 0 ? ` and ${others.length} more` : ''}${isPart ? `, ${unknown} of unknown tax` : ''}`;
};

/** Builds the row of a decided line: its tax if known, where to find it, and the reason for the decision. */
const decidedRow = (line: DecideLine, tax: Money): GridRow => {
  const { no, place, name, records, decision, exceptions } = line;
  const [first] = exceptions;
  return {
    cells: [
      text(place === '' ? '–' : place, { bold: true }),
      text(name, { grey: true }),
      undefined,
      { format: 'status', value: STATUS_TEXTS.DECIDED, tone: TONES.DECIDED },
      taxCell(line, tax),
      { format: 'count', value: records.length },
      text(recordsText(line), { grey: true }),
      { format: 'count', value: first?.origin.line ?? 0, grey: true },
      text(first?.origin.file ?? '', { grey: true }),
      text(no, { link: DECIDE }),
      text(`Decided: ${decision?.why ?? ''}`),
    ],
  };
};

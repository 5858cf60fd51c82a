import { type PayList, STATUS_TEXTS } from '../../../figures/pay-list.ts';
import type { UnreturnedRow } from '../../../figures/unreturned.ts';
import type { RolledRow } from '../../../general-ledger/roll-forward.ts';
import { type Grid, type GridColumn, type GridRow, text } from '../../../workbook/laid-out.ts';

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

/** Builds the tables of amounts on no return and of balances that the accounts have otherwise, each with headers of its own. */
export const besideTheReturns = ({ unreturned, rolled }: PayList): readonly Grid[] => [
  ...block(
    'Collected, but on no return',
    ['State', 'Registration', 'Status', 'Tax collected', '', '', '', '', 'What to do'],
    unreturned.map(unreturnedRow),
  ),
  ...block(
    'Sales tax payable that your accounts have otherwise: sheet Roll-forward',
    ['State', 'Accounts', 'Status', 'Difference', '', '', '', '', 'What to do'],
    rolled.map(rolledRow),
  ),
];

const RIGHT = new Set(['Difference', 'Tax collected']);

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
    { format: 'status', value: STATUS_TEXTS[status], tone: TONES[status] },
    { format: 'money', value: amount, bold: true },
    ...Array.from({ length: 4 }, () => undefined),
    text(todo),
  ],
});

const rolledRow = (row: RolledRow): GridRow => ({
  cells: [
    text(row.group, { bold: true }),
    text(row.accounts.join('; '), { grey: true }),
    { format: 'status', value: row.status, tone: ROLLED_TONES[row.status] },
    row.difference === undefined
      ? text('unknown', { grey: true })
      : { format: 'money', value: row.difference, bold: true },
    ...Array.from({ length: 4 }, () => undefined),
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

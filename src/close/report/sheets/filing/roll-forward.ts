import { type Money, subtract, sum } from '../../../../kernel/money.ts';
import { type BalanceLine, CAUSES, type LedgerCause, LINES } from '../../../general-ledger/open-items.ts';
import type { LedgerRollForward, RolledGroup } from '../../../general-ledger/roll-forward.ts';
import { type Cell, formula } from '../../../workbook/cell.ts';
import type { Check } from '../../../workbook/checks-sheet.ts';
import { type Criteria, quoted, type References } from '../../../workbook/references.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../../workbook/sheet.ts';

type RollRow = {
  readonly group: RolledGroup;
  readonly line: BalanceLine;
  /** Row of the group's opening balance. */
  readonly firstRow: number;
  readonly causes: readonly LedgerCause[];
};

const TABLE = 'Roll_forward';
const CAUSES_TABLE = 'Roll_forward_causes';

const TITLES: Readonly<Record<BalanceLine, string>> = {
  opening: 'Opening balance',
  collected: 'Collected',
  remitted: 'Remitted',
  discounts: 'Discounts',
  adjustments: 'Adjustments',
  closing: 'Closing balance',
};

const OPENINGS: Readonly<Record<RolledGroup['opening'], string>> = {
  before: 'The closing balance of the month before.',
  ledger:
    'Not known: nothing before was rolled forward. Taken from the ledger, with what it has of earlier returns.',
  unknown: 'Not known on either side: the ledger states no balance. The closing balances are what moved.',
};

/** Builds a cell; the closing balance is the sum of the lines above it. */
const overLines = ({ line, firstRow }: RollRow, title: string, own: Money): Cell<'money'> =>
  line === 'closing'
    ? formula((at) => {
        const above = LINES.slice(0, -1).map((_, place) => at.cellAt(TABLE, title, firstRow + place));
        return `ROUND(${above.join('+')},2)`;
      }, own)
    : own;

const side = (title: string, key: 'tieout' | 'ledger'): Column<RollRow> => ({
  title,
  width: 15,
  format: 'money',
  value: (row) => overLines(row, title, row.group[key][row.line]),
});

/** Builds a column with the sum of a line's causes, either the explained ones or the rest. */
const causesOf = (title: string, isExplained: boolean): Column<RollRow> => ({
  title,
  width: 14,
  format: 'money',
  value: ({ causes }) =>
    formula(
      (at) => sumOfCauses(at, isExplained),
      sum(
        causes.filter(({ cause }) => (cause !== 'unexplained') === isExplained).map(({ amount }) => amount),
      ),
    ),
});

const sumOfCauses = (at: References, isExplained: boolean): string => {
  const [balance, line] = [at.cell('Balance'), at.cell('Line')];
  const sumWhere = (more: Criteria): string => {
    const own = at.sumIfs(CAUSES_TABLE, 'Amount', { Balance: balance, Line: line, ...more });
    const all = at.sumIfs(CAUSES_TABLE, 'Amount', { Balance: balance, ...more });
    return `IF(${line}=${quoted(TITLES.closing)},${all},${own})`;
  };
  const rest = sumWhere({ Cause: quoted(CAUSES.unexplained) });
  return isExplained ? at.difference(sumWhere({}), rest) : `ROUND(${rest},2)`;
};

const causesText = ({ causes, group, line }: RollRow): string =>
  [
    ...(line === 'opening' ? [OPENINGS[group.opening]] : []),
    ...[...Map.groupBy(causes, ({ cause }) => cause)].map(([cause, own]) =>
      own.length === 1 ? CAUSES[cause] : `${CAUSES[cause]} (${own.length})`,
    ),
  ].join(' ');

const ROLL_FORWARD = defineSheet<RollRow>({
  name: 'Roll-forward',
  table: TABLE,
  title: 'Roll-forward: sales tax payable beside the ledger',
  note: 'A liability: what is owed more is positive, what is paid or kept is negative. Collected is the tax of Detail in variance.xlsx; remitted, discounts and adjustments are those of the returns that the ledger settled. Tieout less ledger is the difference.',
  freeze: { columns: 2 },
  columns: [
    { title: 'Balance', width: 14, format: 'status', value: ({ group }) => group.group },
    { title: 'Line', width: 16, format: 'text', value: ({ line }) => TITLES[line] },
    side('Tieout', 'tieout'),
    side('Ledger', 'ledger'),
    {
      title: 'Difference',
      width: 14,
      format: 'money',
      value: ({ group, line }) => subtract(group.tieout[line], group.ledger[line]),
      formula: (at) => at.difference(at.cell('Tieout'), at.cell('Ledger')),
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    causesOf('Explained', true),
    { title: 'Causes', width: 54, format: 'text', value: causesText, wrap: true },
    { ...causesOf('Unexplained', false), flagWhen: { attention: (cell) => `${cell}<>0` } },
    { title: 'Accounts', width: 40, format: 'text', value: ({ group }) => group.accounts.join('; ') },
  ],
});

type CauseRow = LedgerCause;

const ROLL_FORWARD_CAUSES = defineSheet<CauseRow>({
  name: 'Roll-forward causes',
  table: CAUSES_TABLE,
  title: 'Roll-forward causes: why Tieout and the ledger differ',
  note: 'The causes of a line add up to its difference. What nothing explains stands here as unexplained, with its amount.',
  freeze: { columns: 2 },
  columns: [
    { title: 'Balance', width: 14, format: 'status', value: ({ group }) => group },
    { title: 'Line', width: 16, format: 'text', value: ({ line }) => TITLES[line] },
    { title: 'Amount', width: 14, format: 'money', value: ({ amount }) => amount, total: 'sum' },
    {
      title: 'Ledger line',
      width: 9,
      format: 'count',
      value: ({ entry }) => (entry === 0 ? undefined : entry),
    },
    {
      title: 'Cause',
      width: 32,
      format: 'text',
      value: ({ cause }) => CAUSES[cause],
      flag: ({ cause }) => (cause === 'unexplained' ? 'attention' : undefined),
    },
    { title: 'Ledger file', width: 28, format: 'text', value: ({ file }) => file },
    { title: 'What it is', width: 70, format: 'text', value: ({ what }) => what, wrap: true },
  ],
});

/** Builds the sales tax payable of each account next to the seller's own ledger; nothing without a ledger. */
export const rollForwardSheets = (rolled: LedgerRollForward | undefined): readonly FilledSheet[] => {
  if (!rolled) return [];
  const rows = rolled.groups.flatMap((group, position) =>
    LINES.map((line): RollRow => {
      const own = rolled.causes.filter((cause) => cause.group === group.group);
      const causes = line === 'closing' ? own : own.filter((cause) => cause.line === line);
      return { group, line, firstRow: position * LINES.length, causes };
    }),
  );
  return [filled(ROLL_FORWARD, rows), filled(ROLL_FORWARD_CAUSES, rolled.causes)];
};

/** Checks that the lines of each side add up, and that the causes add up to the difference between the sides. */
export const rollForwardChecks = (rolled: LedgerRollForward | undefined): readonly Check[] =>
  rolled
    ? [
        {
          id: 'C11',
          test: 'The causes of the roll-forward add up to the differences between Tieout and the ledger.',
          format: 'money',
          left: formula(
            (at) => at.sum(CAUSES_TABLE, 'Amount'),
            sum(rolled.causes.map(({ amount }) => amount)),
          ),
          right: formula(
            (at) => `ROUND(${at.sumIfs(TABLE, 'Difference', { Line: quoted(TITLES.closing) })},2)`,
            sum(rolled.groups.map(({ tieout, ledger }) => subtract(tieout.closing, ledger.closing))),
          ),
          link: { sheet: 'Roll-forward' },
        },
      ]
    : [];

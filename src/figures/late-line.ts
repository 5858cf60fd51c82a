import type { DetailLine } from '../judge/detail-row.ts';
import { type Asked, type Finding, finding } from '../judge/finding.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { add, formatMoney, type Money, ZERO } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import type { LateVersion } from '../sales/sale-name.ts';

/** The change that a late item makes in one state. Amounts are signed differences. */
export type LateLine = {
  /** The key of the record in the exports. */
  readonly key: string;
  readonly record: string;
  readonly kind: 'new' | 'changed' | 'withdrawn';
  readonly saleDate: CalendarDate;
  readonly state: string;
  /** The file and line of the newest content, in the order in which the files are read. */
  readonly file: string;
  readonly line: number;
  /** The locked period that it belongs to by its date. */
  readonly period: string;
  readonly choice: 'open' | 'carried' | 'amended';
  /** What a person answers about it in decisions.csv. */
  readonly asked?: Asked;
  readonly gross: Money;
  readonly collected: Money;
  readonly expected: Money;
};

const NOTHING = { gross: ZERO, collected: ZERO, expected: ZERO };

/** Adds up what carried records change, by the record that they correct, its state, and how they are filed. */
export const lateLines = () => {
  const lines = new Map<string, LateLine>();
  return {
    add: (row: DetailLine, { of, isReversal, source, amended }: LateVersion): void => {
      const choice = amended ? 'amended' : 'carried';
      const place = `${of} ${row.state} ${choice}`;
      const known = lines.get(place);
      const line: LateLine = known ?? {
        key: of,
        record: row.record,
        kind: isReversal ? 'withdrawn' : 'new',
        saleDate: row.businessDate,
        state: row.state,
        file: row.file,
        line: row.line,
        period: source,
        choice,
        ...NOTHING,
      };
      const kind = isReversal || of === row.key ? line.kind : 'changed';
      const { gross, collected, expected } = row.isPosted ? row : NOTHING;
      lines.set(place, {
        ...line,
        kind,
        gross: add(line.gross, gross),
        collected: add(line.collected, collected),
        expected: add(line.expected, expected),
      });
    },
    lines: (): readonly LateLine[] =>
      [...lines.values()].sort((left, right) =>
        left.saleDate === right.saleDate
          ? compareText(left.key + left.state + left.choice, right.key + right.state + right.choice)
          : compareText(left.saleDate, right.saleDate),
      ),
  };
};

/** Returns the exceptions for late items: one for each line, open until a person decides it, and then a notice. */
export const findingsOfLateLines = (lines: readonly LateLine[]): readonly Finding[] =>
  lines.map((each) => {
    const { choice, expected, file, line, record, state, asked } = each;
    // The amounts of a decided item are on the returns of the books already.
    return finding(choice === 'open' ? 'R17' : 'late-filed', `Late arrival: ${messageOf(each)}`, {
      origin: { file, line, record },
      state,
      ...(choice === 'open' && { effect: expected }),
      ...(asked && { asked }),
    });
  });

const WHAT = { new: 'new', changed: 'changed', withdrawn: 'set aside' } as const;
const FILED = {
  open: '; answer it in decisions.csv',
  carried: ', filed here',
  amended: ', put into an amended version',
} as const;

const messageOf = ({ saleDate, period, kind, gross, collected, expected, choice }: LateLine): string => {
  const effect = `${formatMoney(gross)} gross, ${formatMoney(collected)} tax collected, ${formatMoney(expected)} tax due`;
  return `of ${saleDate}, ${WHAT[kind]} after ${period} was locked: ${effect}${FILED[choice]}`;
};

import type { Origin } from '../../kernel/finding.ts';
import type { TaxReportProfile } from './profile.ts';
import { type CellProblem, isProblem } from './read-amount.ts';
import type { RowSaying } from './read-companion.ts';
import { taxLineReader } from './read-tax-lines.ts';
import type { RowReader, Test } from './row-reader.ts';
import type { TaxLine } from './tax-line.ts';

/** The statement of one tax-report row about its order. */
export type ReportedTax = {
  readonly order: string;
  /** By name or code, as in the report. */
  readonly state: string;
  /** Whether the channel remits the tax itself; `null` if the report does not say. */
  readonly byChannel: boolean | null;
  readonly lines: readonly TaxLine[];
  readonly origin: Origin;
};

/** Return a reader of the orders' taxes in a tax report. A row without tax counts too: its order has none. */
export const taxReportReader =
  (profile: TaxReportProfile, header: readonly string[]) =>
  (read: RowReader): RowSaying<ReportedTax> => {
    const { map, locale, file } = profile;
    const form = { money: locale, nullTokens: file.nullTokens, headerAliases: file.headerAliases };
    const linesOf = taxLineReader(profile, header, read, form);
    const stateOf = read.text(map.state);
    const remitterOf = remitterReader(map.remitted, read);
    return (row, { order, origin }) => {
      const { lines, findings } = linesOf([row], 1);
      const [unreadable] = findings;
      if (unreadable) return { unreadable: { ...unreadable, code: 'bad-cell' } };
      const byChannel = remitterOf(row);
      if (isProblem(byChannel)) return badCell(byChannel);
      return { order, state: stateOf(row), byChannel, lines, origin };
    };
  };

const badCell = ({ problem, column, value }: CellProblem) => ({
  unreadable: { code: 'bad-cell', message: `"${value}" ${problem}`, column },
});

const remitterReader = (
  { column, byChannel, bySeller }: TaxReportProfile['map']['remitted'],
  read: RowReader,
): ((row: Parameters<Test>[0]) => boolean | null | CellProblem) => {
  const textOf = read.text(column);
  const isByChannel = read.holds({ column, in: byChannel });
  const isBySeller = read.holds({ column, in: bySeller });
  return (row) => {
    if (isByChannel(row)) return true;
    if (isBySeller(row)) return false;
    const value = textOf(row);
    return value === '' ? null : { problem: 'does not say who remits the tax', column, value };
  };
};

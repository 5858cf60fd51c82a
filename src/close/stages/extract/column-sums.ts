import { DefectError } from '../../../kernel/errors.ts';
import { formatPrice, type Price, price, ZERO_PRICE } from '../../../kernel/price.ts';
import { isProblem } from '../../sales/cell-problem.ts';
import type { Detected } from '../../sales/detect-profile.ts';
import type { SalesProfile } from '../../sales/profile.ts';
import { rowReader } from '../../sales/row-view.ts';

/** What the cells of a column come to, over all rows and by what became of them. Dollars, as text. */
export type ColumnSums = {
  readonly all: string;
  readonly used: string;
  readonly ignored: string;
  readonly rejected: string;
  /** Cells that are filled and hold no amount. */
  readonly unreadable: number;
};

type Outcome = 'used' | 'ignored' | 'rejected';

/**
 * The sums of the columns that a profile controls by, read from the file once more, and the count of rows by outcome.
 *
 * @param outcomeOf what became of the row on a line
 */
export const columnSums = async (
  detected: Detected,
  profile: SalesProfile,
  outcomeOf: (line: number) => Outcome,
): Promise<{
  readonly columns: Readonly<Record<string, ColumnSums>>;
  readonly rows: Readonly<Record<Outcome, number>>;
}> => {
  const { locale, file } = profile;
  const { nullTokens, headerAliases } = file;
  const read = rowReader(detected.header, { money: locale, nullTokens, headerAliases });
  const rows = { used: 0, ignored: 0, rejected: 0 };
  const columns = profile.controls
    .filter((column) => read.hasColumn(column))
    .map((column) => ({
      column,
      all: ZERO_PRICE,
      used: ZERO_PRICE,
      ignored: ZERO_PRICE,
      rejected: ZERO_PRICE,
      unreadable: 0,
    }));
  for await (const batch of detected.rows()) {
    for (const row of batch) {
      const outcome = outcomeOf(row.line);
      rows[outcome] += 1;
      for (const sums of columns) {
        const amount = read.amount(row, sums.column);
        if (isProblem(amount)) {
          if (amount.value !== '') sums.unreadable += 1;
          continue;
        }
        sums.all = plus(sums.all, amount);
        sums[outcome] = plus(sums[outcome], amount);
      }
    }
  }
  return {
    columns: Object.fromEntries(columns.map(({ column, ...sums }) => [column, proven(column, sums)])),
    rows,
  };
};

const plus = (left: Price, right: Price): Price => price(left + right);

type Sums = Readonly<Record<Outcome | 'all', Price>> & { readonly unreadable: number };

/** The parts of a column come to the whole of it, or a row was lost. */
const proven = (column: string, { all, used, ignored, rejected, unreadable }: Sums): ColumnSums => {
  if (used + ignored + rejected !== all) throw new DefectError(`the sums of ${column} do not add up`);
  return {
    all: formatPrice(all),
    used: formatPrice(used),
    ignored: formatPrice(ignored),
    rejected: formatPrice(rejected),
    unreadable,
  };
};

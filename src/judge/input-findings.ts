import { formatPrice, type Price, price } from '../kernel/money.ts';
import type { Origin, Sale, SaleFinding, SaleOutcome, SetAside } from '../sales/sale.ts';
import { CODES, type Finding, finding } from './finding.ts';

/** A file that was read: its rows, its control columns and what was unusual about it. */
export type ReadInput = {
  readonly path: string;
  readonly rows: number;
  readonly used: number;
  readonly ignored: number;
  readonly rejected: number;
  readonly columns: readonly ControlledColumn[];
  readonly notices: readonly SaleFinding[];
};

/** Whether a file was read. A file that merely is in the same folder has no profile. */
export const wasRead = ({ profile }: { readonly profile: string }): boolean => profile !== '';

/** A file that was read, with the channel whose sales it has. */
type ChannelInput = ReadInput & {
  readonly channel: string;
  readonly profile: string;
  readonly sha256: string;
};

type StatedIn = Pick<Sale, 'channel'> & { readonly origin: Pick<Sale['origin'], 'file'> };

/** Returns what tells the SHA-256 of the file that stated a record; empty if it is not one of these. */
export const fileDigests = (inputs: readonly Pick<ChannelInput, 'channel' | 'path' | 'sha256'>[]) => {
  const digests = new Map(inputs.map(({ channel, path, sha256 }) => [`${channel}/${path}`, sha256]));
  return ({ channel, origin }: StatedIn): string => digests.get(`${channel}/${origin.file}`) ?? '';
};

/** All findings of the files as a whole. */
export const findingsOfInputs = (inputs: readonly ChannelInput[]): readonly Finding[] => [
  ...inputs.flatMap(findingsOfInput),
  ...findingsOfCopies(inputs),
];

/** One content that two channels have used, as the same kind of export: every sale of it counts twice. */
const findingsOfCopies = (inputs: readonly ChannelInput[]): readonly Finding[] => {
  const used = inputs.filter((input) => wasRead(input) && input.used > 0);
  const copies = Map.groupBy(used, ({ sha256, profile }) => `${sha256} ${profile}`);
  return [...copies.values()].flatMap(([first, ...others]) =>
    others
      .filter(({ channel }) => channel !== first?.channel)
      .map(({ path, channel, sha256 }) =>
        finding(
          'read-by-two-channels',
          `${channel} and ${first?.channel} have both read what is in this file, so its sales count twice`,
          // The name has the content, so that an answer does not hold for a later one.
          { origin: { file: path, line: 0, record: `${path} ${sha256.slice(0, 12)}` } },
        ),
      ),
  );
};

/** All findings of one file as a whole. Totals that do not add up are errors. */
const findingsOfInput = (input: ReadInput): readonly Finding[] => {
  const origin: Origin = { file: input.path, line: 0, record: input.path };
  const found = input.notices
    .filter(({ code }) => CODES[code]?.severity !== undefined)
    .map(({ code, message }) => finding(code, message, { origin }));
  const became = input.used + input.ignored + input.rejected;
  if (became !== input.rows) {
    const message = `${input.rows} rows were read, and ${became} were used, ignored or rejected`;
    found.push(finding('control-total', message, { origin }));
  }
  for (const column of input.columns) {
    if (lostOf(column) !== 0) found.push(finding('control-total', mismatch(column), { origin }));
  }
  return found;
};

const mismatch = (column: ControlledColumn): string => {
  const { whole, used, ignored, rejected } = column;
  const became = formatPrice(price(used + ignored + rejected));
  return `${column.column} comes to ${formatPrice(whole)} in the file, and to ${became} over the rows that were used, ignored or rejected`;
};

/** The possible outcomes of a record group. The first three are sales; their rows count as used. */
export const OUTCOMES = ['accepted', 'warning', 'review', 'ignored', 'rejected'] as const;
export type RecordOutcome = SaleOutcome | SetAside['outcome'];

/** The outcomes of records whose rows are used. */
export const USED = ['accepted', 'warning', 'review'] as const;

/** Totals of rows of a file: their number and the sum of each control column. */
type Figures = {
  readonly rows: number;
  readonly sums: readonly Price[];
};

/** Control totals of one file: counted while reading it, and added up from its stored records. Amounts are exact. */
export type FileControls = {
  /** The money columns that its profile names and its header has. */
  readonly columns: readonly string[];
  readonly whole: Figures;
  readonly outcomes: Readonly<Record<RecordOutcome, Figures & { readonly records: number }>>;
};

/** One control column of one file, from both sides. */
export type ControlledColumn = {
  readonly column: string;
  readonly whole: Price;
  /** `used`: accepted records, with or without a warning, and those that need review; `review`: only the latter. */
  readonly used: Price;
  readonly review: Price;
  readonly ignored: Price;
  readonly rejected: Price;
};

/** The control columns of a file, one by one. */
export const controlledColumns = ({ columns, whole, outcomes }: FileControls): readonly ControlledColumn[] =>
  columns.map((column, index) => {
    const sumOf = (...parts: readonly RecordOutcome[]): Price =>
      price(parts.reduce((total, outcome) => total + (outcomes[outcome].sums[index] ?? 0), 0));
    return {
      column,
      whole: whole.sums[index] ?? price(0),
      used: sumOf(...USED),
      review: sumOf('review'),
      ignored: sumOf('ignored'),
      rejected: sumOf('rejected'),
    };
  });

/** The difference between the file and its records: zero, unless something was lost or counted twice. */
export const lostOf = ({ whole, used, ignored, rejected }: ControlledColumn): Price =>
  price(whole - used - ignored - rejected);

export const rowsOf = ({ outcomes }: FileControls, ...parts: readonly RecordOutcome[]): number =>
  parts.reduce((total, outcome) => total + outcomes[outcome].rows, 0);

/** Sums of a column over all rows and by outcome. Dollars, as text. */
export type ColumnSums = {
  readonly all: string;
  readonly used: string;
  /** The part of `used` that needs review. */
  readonly review: string;
  readonly ignored: string;
  readonly rejected: string;
};

/** The sums of control columns by name, for listings. */
export const columnSumsOf = (columns: readonly ControlledColumn[]): Readonly<Record<string, ColumnSums>> =>
  Object.fromEntries(
    columns.map(({ column, whole, used, review, ignored, rejected }) => [
      column,
      {
        all: formatPrice(whole),
        used: formatPrice(used),
        review: formatPrice(review),
        ignored: formatPrice(ignored),
        rejected: formatPrice(rejected),
      },
    ]),
  );

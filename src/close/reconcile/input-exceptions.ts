import type { Origin, Severity } from '../../kernel/finding.ts';
import { ZERO } from '../../kernel/money.ts';
import { formatPrice, price } from '../../kernel/price.ts';
import type { SaleFinding } from '../sales/sale.ts';
import { type ControlledColumn, lostOf } from './control-totals.ts';
import type { DraftException } from './exceptions.ts';

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

/** Severities of notices about a file's form that a person should see; all others appear only in the sheet Inputs. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  'cut-off': 'warning',
  'no-final-line-end': 'warning',
  'no-rows': 'notice',
  'dates-declared': 'notice',
  'decimal-mark': 'notice',
  encoding: 'notice',
  'layout-changed': 'notice',
  'left-out': 'notice',
  'not-read': 'notice',
  'sales-not-read': 'error',
  'days-missing': 'warning',
  'no-refund-column': 'error',
  'no-refund-dates': 'notice',
  'tax-report-totals': 'warning',
  'time-zone-differs': 'warning',
};

/** A file that was read, with the channel whose sales it has. */
type ChannelInput = ReadInput & {
  readonly channel: string;
  readonly profile: string;
  readonly sha256: string;
};

/** All exceptions of the files as a whole. */
export const exceptionsOfInputs = (inputs: readonly ChannelInput[]): readonly DraftException[] => [
  ...inputs.flatMap(exceptionsOfInput),
  ...exceptionsOfCopies(inputs),
];

/** One content that two channels have used, as the same kind of export: every sale of it counts twice. */
const exceptionsOfCopies = (inputs: readonly ChannelInput[]): readonly DraftException[] => {
  const used = inputs.filter((input) => wasRead(input) && input.used > 0);
  const copies = Map.groupBy(used, ({ sha256, profile }) => `${sha256} ${profile}`);
  return [...copies.values()].flatMap(([first, ...others]) =>
    others
      .filter(({ channel }) => channel !== first?.channel)
      .map(
        ({ path, channel, sha256 }): DraftException => ({
          severity: 'error',
          code: 'read-by-two-channels',
          // The name has the content, so that an answer does not hold for a later one.
          origin: { file: path, line: 0, record: `${path} ${sha256.slice(0, 12)}` },
          message: `${channel} and ${first?.channel} have both read what is in this file, so its sales count twice`,
          state: '',
          effect: ZERO,
        }),
      ),
  );
};

/**
 * All exceptions of one file as a whole. Totals that do not add up are errors. Unreadable amounts are notices if the
 * record is used anyway; otherwise the record has its own exception.
 */
const exceptionsOfInput = (input: ReadInput): readonly DraftException[] => {
  const origin: Origin = { file: input.path, line: 0, record: input.path };
  const draft = (severity: Severity, code: string, message: string): DraftException => ({
    severity,
    code,
    origin,
    message,
    state: '',
    effect: ZERO,
  });
  const drafts = input.notices.flatMap(({ code, message }) => {
    const severity = SEVERITIES[code];
    return severity === undefined ? [] : [draft(severity, code, message)];
  });
  const became = input.used + input.ignored + input.rejected;
  if (became !== input.rows) {
    const message = `${input.rows} rows were read, and ${became} were used, ignored or rejected`;
    drafts.push(draft('error', 'control-total', message));
  }
  for (const column of input.columns) {
    if (lostOf(column) !== 0) drafts.push(draft('error', 'control-total', mismatch(column)));
    const { firstUnreadable: first, unreadable } = column;
    if (!first || column.unreadableUsed === 0) continue;
    const cells = unreadable === 1 ? 'one cell holds' : `${unreadable} cells hold`;
    const message = `${column.column}: ${cells} no amount and are in no total; the first is "${first.value}" on line ${first.line}`;
    drafts.push({
      ...draft('notice', 'unreadable-amounts', message),
      origin: { ...origin, line: first.line },
    });
  }
  return drafts;
};

const mismatch = (column: ControlledColumn): string => {
  const { whole, used, ignored, rejected } = column;
  const became = formatPrice(price(used + ignored + rejected));
  return `${column.column} comes to ${formatPrice(whole)} in the file, and to ${became} over the rows that were used, ignored or rejected`;
};

import { stringify } from 'csv-stringify/sync';
import { formatMoney } from '../../kernel/money.ts';
import { shownDecision, VERDICTS } from '../decisions/decision.ts';
import type { DecideLine } from '../reconcile/decide-lines.ts';

type Column = { readonly title: string; readonly cell: (line: DecideLine) => string };

/** The columns of open-items.csv; those from `decision` on are for a person to fill in. */
const COLUMNS: readonly Column[] = [
  { title: 'no', cell: ({ no }) => no },
  { title: 'key', cell: ({ key }) => key },
  { title: 'cause', cell: ({ name }) => name },
  { title: 'place', cell: ({ place }) => place },
  { title: 'what it means', cell: ({ means }) => harmless(means) },
  { title: 'records', cell: (line) => harmless(coveredText(line)) },
  {
    title: 'effect on tax',
    cell: ({ effect, isEffectKnown }) => (isEffectKnown ? formatMoney(effect) : 'unknown'),
  },
  { title: 'what to do', cell: ({ todo }) => todo },
  { title: 'choices', cell: ({ choices }) => choices.map((choice) => VERDICTS[choice]).join(' | ') },
  { title: 'decision', cell: (line) => decisionText(line) },
  { title: 'why', cell: ({ decision }) => harmless(decision?.why ?? '') },
  { title: 'by', cell: ({ decision }) => harmless(decision?.by ?? '') },
  { title: 'on', cell: ({ decision }) => decision?.on ?? '' },
];

/**
 * Prefixes text that a spreadsheet would take for a formula with an apostrophe, which is removed when the file is read.
 */
export const harmless = (text: string): string => text.replace(/^[=+\-@\t\r]/, "'$&");

/** Lists the records that a decision covers, as read back: their names, or only their number for a whole cause. */
export const coveredText = ({ isWhole, records, count }: DecideLine): string =>
  isWhole ? `${count} ${count === 1 ? 'record' : 'records'}` : records.join('; ');

/** Returns the decision, or the default that applies until someone decides. */
export const decisionText = ({ decision, byDefault }: DecideLine): string => {
  if (decision) return shownDecision(decision);
  return byDefault === undefined ? '' : VERDICTS[byDefault];
};

/** Builds open-items.csv: every line to decide, as on the sheet Decide, with a byte order mark for spreadsheets. */
export const openItemsText = (lines: readonly DecideLine[]): string =>
  stringify(
    [COLUMNS.map(({ title }) => title), ...lines.map((line) => COLUMNS.map(({ cell }) => cell(line)))],
    { bom: true, record_delimiter: 'windows' },
  );

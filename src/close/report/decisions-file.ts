import { stringify } from 'csv-stringify/sync';
import { formatMoney } from '../../kernel/money.ts';
import { shownDecision } from '../decisions/decision.ts';
import { VERDICTS } from '../decisions/verdict.ts';
import type { DecideLine } from '../reconcile/decide-lines.ts';

type Column = { readonly title: string; readonly cell: (line: DecideLine) => string };

/** The columns of decisions.csv; those from `decision` on are for a person to fill in. */
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

/** A text that a spreadsheet program would take for a formula carries an apostrophe, which reading takes off. */
export const harmless = (text: string): string => text.replace(/^[=+\-@\t\r]/, "'$&");

/** The records that a decision covers, as it is read back: their names, or of a cause only how many they are. */
export const coveredText = ({ isWhole, records, count }: DecideLine): string =>
  isWhole ? `${count} ${count === 1 ? 'record' : 'records'}` : records.join('; ');

/** What was decided, or what holds as long as no one decides. */
export const decisionText = ({ decision, byDefault }: DecideLine): string => {
  if (decision) return shownDecision(decision);
  return byDefault === undefined ? '' : VERDICTS[byDefault];
};

/** decisions.csv: every line to decide, as the sheet Decide has them. Spreadsheet programs know it by its mark as UTF-8. */
export const decisionsText = (lines: readonly DecideLine[]): string =>
  stringify(
    [COLUMNS.map(({ title }) => title), ...lines.map((line) => COLUMNS.map(({ cell }) => cell(line)))],
    { bom: true, record_delimiter: 'windows' },
  );

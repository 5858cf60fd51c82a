import { formatMoney } from '../../kernel/money.ts';
import {
  type Readiness,
  type ReadinessReason,
  readinessLine,
  readinessWord,
  reasonsOf,
} from '../reconcile/readiness.ts';
import { cellOf, formula } from '../workbook/cell.ts';
import { VERDICT } from '../workbook/checks-sheet.ts';
import type { Block, Line } from '../workbook/sheet.ts';

/** The conclusion of a book, live from its sheet Checks. */
export const conclusionLine = (readiness: Readiness): Line => ({
  label: 'Conclusion',
  value: cellOf(
    'status',
    formula((at) => at.name(VERDICT), readinessWord(readiness)),
  ),
  note: 'From the sheets Checks and Readiness.',
  flagWhen: { attention: (cell) => `${cell}<>"READY"`, good: (cell) => `${cell}="READY"` },
});

/** Reasons that the first sheet shows; the sheet Readiness has them all. */
const SHOWN_MAX = 15;

/** What to do before the period is filed, on the first sheet; nothing of a period that is ready without exceptions. */
export const readinessBlocks = (readiness: Readiness): readonly Block[] => {
  const { reasons, accepted } = readiness;
  if (reasons.length + accepted.length === 0) return [];
  return [
    { heading: reasons.length > 0 ? 'Before this period is filed' : 'What was accepted' },
    { paragraph: `${readinessLine(readiness)}.` },
    { lines: [...reasons.map(reasonLine), ...accepted.map(acceptedLine)].slice(0, SHOWN_MAX) },
    { paragraph: 'The sheet Readiness lists all of it, with what to do.' },
  ];
};

const reasonLine = ({ code, state, what, effect }: ReadinessReason): Line => ({
  label: `${code} ${state}`.trimEnd(),
  value: cellOf('money', effect),
  note: what,
});

const acceptedLine = ({ code, state, what, effect, why }: Readiness['accepted'][number]): Line => ({
  label: `${code} ${state}`.trimEnd(),
  value: cellOf('money', effect),
  note: `${what} Accepted: ${why}`,
});

/** What is said of the upload file of a return that is not ready, or that was made so by accepting gaps. */
export const uploadNotes = (readiness: Readiness, state: string): readonly string[] => {
  const reasons = reasonsOf(readiness, state);
  if (reasons.length > 0) {
    const whats = reasons.map(({ what }) => what.replace(/\.$/, ''));
    return [`NOT READY: ${whats.join('; ')}. Do not send this file yet.`];
  }
  const own = readiness.accepted.filter((gap) => gap.state === state);
  return own.map(({ what, effect, why }) => `Accepted (${formatMoney(effect)}): ${what} ${why}`);
};

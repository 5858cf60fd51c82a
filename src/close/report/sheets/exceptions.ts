import { ZERO } from '../../../kernel/money.ts';
import { linesToDecide, type PeriodReport } from '../../figures/period-report.ts';
import { type Exception, isEffectKnown, isOpen } from '../../reconcile/exceptions.ts';
import { aboutFinding } from '../../reconcile/finding.ts';
import { RETURNED_TODO } from '../../reconcile/period-findings.ts';
import { cellOf } from '../../workbook/cell.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { word, words } from './columns.ts';
import { sourceOf } from './detail.ts';

/**
 * Returns the status of an exception. `open`: an error that no one accepted. `accepted`: it stays, with the reason.
 * `seen`: it needs no decision.
 */
export const decisionOf = (exception: Exception): 'open' | 'accepted' | 'seen' => {
  if (isOpen(exception)) return 'open';
  return exception.accepted === '' ? 'seen' : 'accepted';
};

/** What the sheet says; what needs no decision is blank. */
const DECISION_WORDS = { open: 'open', accepted: 'accepted', seen: undefined } as const;

/** An exception with the number of its line in Decide; empty if there is nothing to decide. */
type ExceptionRow = Exception & { readonly no: string; readonly isFirst: boolean };

export const exceptionRows = (report: PeriodReport): readonly ExceptionRow[] => {
  const numbers = new Map(
    linesToDecide(report).flatMap(({ no, exceptions }) => exceptions.map((exception) => [exception, no])),
  );
  const seen = new Set<string>();
  return report.exceptions.map((exception) => {
    const isFirst = !seen.has(exception.code);
    seen.add(exception.code);
    return { ...exception, no: numbers.get(exception) ?? '', isFirst };
  });
};

/** All exceptions, most serious first. */
export const EXCEPTIONS = defineSheet<ExceptionRow>({
  name: 'Exceptions',
  table: 'Exceptions',
  title: 'Exceptions',
  note: 'An error kept something out of the month or stands unexplained; a warning was handled; a notice is for information.',
  freeze: { columns: 2 },
  columns: [
    word('Code', 20, ({ code }) => code),
    words('Record', 12, ({ record }) => record),
    word('Severity', 9, ({ severity }) => severity, {
      flag: (exception) => (isOpen(exception) ? 'attention' : undefined),
    }),
    word('State', 7, ({ state }) => state),
    word('Line in Decide', 8, ({ no }) => no, { note: 'Where the cause is decided.' }),
    {
      title: 'Effect on tax',
      width: 10,
      format: 'mixed',
      value: (exception) => {
        if (!isEffectKnown(exception)) return cellOf('text', 'unknown');
        return exception.effect === ZERO ? undefined : cellOf('change', exception.effect);
      },
      note: 'As in Decide: + collected above what the returns have, ( ) below it.',
    },
    words('What', 64.5, ({ message }) => message, { wrap: true }),
    words(
      'What to do',
      43,
      ({ code, severity, isReturned, isFirst, no }) =>
        isReturned ? RETURNED_TODO : isFirst && no === '' ? aboutFinding(code, severity).todo : undefined,
      { note: 'Once for each code; of a line of Decide it stands there.', wrap: true },
    ),
    word('Decision', 10, (exception) => DECISION_WORDS[decisionOf(exception)]),
    words('File and line', 21.5, ({ origin }) => sourceOf(origin), { wrap: true }),
  ],
});

import { periodName } from '../figures/day-words.ts';
import { earlyNote, linesToDecide, type PeriodReport } from '../figures/period-report.ts';
import type { DecideBand, DecideLine } from '../judge/decide-lines.ts';
import { aboutFinding, type Finding, isEffectKnown, isOpen } from '../judge/finding.ts';
import { RETURNED_TODO } from '../judge/period-findings.ts';
import { REASONS } from '../judge/reason.ts';
import { parseDate } from '../kernel/calendar.ts';
import { defineSheet, type FilledSheet, filled } from '../workbook/sheet.ts';
import { sourceOf } from './detail.ts';
import { coveredText, decisionText } from './files-to-fill-in.ts';
import { change, day, id, readyText, word, words } from './parts.ts';

/** What a line waits for, in a word. */
const BAND_WORDS: Readonly<Record<DecideBand, string>> = {
  open: 'open',
  gap: 'missing rate',
  cause: 'cause',
  decided: 'decided',
};

/** Builds the sheet of what to decide and of what was decided, the lines of open-items.csv. */
export const decideSheet = (report: PeriodReport): FilledSheet =>
  filled(
    {
      ...DECIDE,
      title: `What to decide for ${periodName(report.period.label)}: ${readyText(report)}`,
      note: [earlyNote(report), DECIDE.note].filter(Boolean).join('\n'),
    },
    linesToDecide(report),
  );

const DECIDE = defineSheet<DecideLine>({
  name: 'Decide',
  table: 'Decide',
  note: 'Open: in no final figure until it is decided. Missing rate: of Tieout, not your error; import the rate, or accept the gap. Cause: to correct in the shop; a decision about it moves no return, the remittance rule of the state does. Effect on tax: + collected above what the returns have, ( ) below it; blank where it is unknown.\nAnswer in a copy of open-items.csv beside tieout.yaml, named decisions.csv, and close again.',
  empty: 'Nothing waits for a decision.',
  freeze: { columns: 1 },
  columns: [
    id('No.', 6, ({ no }) => no),
    word('Kind', 14, ({ band }) => BAND_WORDS[band], {
      flag: ({ band }) => (band === 'open' ? 'attention' : undefined),
    }),
    words('Cause', 23, ({ code, name }) => (code in REASONS ? `${name} (${code})` : name)),
    words('Place', 11, ({ place }) => place),
    words('What it means', 48, ({ means }) => means),
    words('Records', 14, coveredText),
    change('Effect on tax', 10, (line) => (line.isEffectKnown ? line.effect : undefined)),
    words('What to do', 42, ({ todo }) => todo),
    words('Decision', 15, decisionText),
    words('Why', 23, ({ decision }) => decision?.why),
    words('By', 8, ({ decision }) => decision?.by),
    day('On', 10.5, ({ decision }) => parseDate(decision?.on ?? '')),
  ],
});

/**
 * Returns the status of an exception. `open`: an error that no one accepted. `accepted`: it stays, with the reason. What
 * needs no decision is blank.
 */
const decisionWords = (exception: Finding): 'open' | 'accepted' | undefined => {
  if (isOpen(exception)) return 'open';
  return exception.accepted === '' ? undefined : 'accepted';
};

/** An exception with the number of its line in Decide; empty if there is nothing to decide. */
type ExceptionRow = Finding & {
  readonly no: string;
  readonly isFirst: boolean;
};

export const exceptionRows = (report: PeriodReport): readonly ExceptionRow[] => {
  const numbers = new Map(
    linesToDecide(report).flatMap(({ no, exceptions }) => exceptions.map((exception) => [exception, no])),
  );
  const seen = new Set<string>();
  return report.exceptions.map((exception) => {
    const isFirst = !exception.reverses && !seen.has(exception.code);
    if (isFirst) seen.add(exception.code);
    return { ...exception, no: numbers.get(exception) ?? '', isFirst };
  });
};

/** Says what was found, and where its effect is not known. */
const whatOf = (exception: Finding): string =>
  isEffectKnown(exception) ? exception.message : `Effect unknown: ${exception.message}`;

/** All exceptions, most serious first. */
export const EXCEPTIONS = defineSheet<ExceptionRow>({
  name: 'Exceptions',
  table: 'Exceptions',
  title: 'Exceptions',
  note: 'Errors kept something out of the month or are unexplained; warnings were handled; notices inform. What to do stands once for each code, or in Decide.',
  freeze: { columns: 2 },
  columns: [
    word('Code', 20, ({ code }) => code),
    words('Record', 12, ({ record }) => record),
    word('Severity', 9, ({ severity }) => severity, {
      flag: (exception) => (isOpen(exception) ? 'attention' : undefined),
    }),
    word('State', 7, ({ state }) => state),
    word('Line in Decide', 8, ({ no }) => no),
    change('Effect on tax', 10, (exception) => (isEffectKnown(exception) ? exception.effect : undefined)),
    words('What', 64.5, whatOf, { wrap: true }),
    words(
      'What to do',
      43,
      ({ code, severity, reverses, isReturned, isFirst, no }) => {
        if (reverses) return 'Nothing; it takes back what was filed.';
        if (isReturned) return RETURNED_TODO;
        return isFirst && no === '' ? aboutFinding(code, severity).todo : undefined;
      },
      { wrap: true },
    ),
    words('Decision', 13, decisionWords, { wrap: true }),
    words('File and line', 21.5, ({ origin }) => sourceOf(origin), { wrap: true }),
  ],
});

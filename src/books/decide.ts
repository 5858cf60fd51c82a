import { periodName } from '../figures/day-words.ts';
import {
  earlyNote,
  linesToDecide,
  type PeriodReport,
  unexplainedOf,
  varianceOf,
  waitingText,
} from '../figures/period-report.ts';
import { DECIDE_BANDS, type DecideBand, type DecideLine } from '../judge/decide-lines.ts';
import { signedBy } from '../judge/decision.ts';
import { aboutFinding, type Finding, isEffectKnown, isOpen } from '../judge/finding.ts';
import { RETURNED_TODO } from '../judge/period-findings.ts';
import { REASONS } from '../judge/reason.ts';
import { parseDate } from '../kernel/calendar.ts';
import { type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownChange, shownDollars, shownMoney, shownNumber } from '../kernel/text.ts';
import { formula } from '../workbook/cell.ts';
import {
  type Card,
  defineSheet,
  type GridColumn,
  type GridRow,
  type LaidOutSheet,
  laidOut,
  text,
} from '../workbook/sheet.ts';
import { sourceOf } from './detail.ts';
import { coveredText, decisionText } from './files-to-fill-in.ts';
import { change, statusCard, word, words } from './parts.ts';

const COLUMNS: readonly (GridColumn & { readonly width: number })[] = [
  { title: 'No.', width: 6 },
  { title: 'Cause', width: 23 },
  { title: 'Place', width: 11 },
  { title: 'What it means', width: 48 },
  { title: 'Records', width: 12 },
  { title: 'Effect on tax', width: 10, align: 'right' },
  { title: 'What to do', width: 42 },
  { title: 'Decision', width: 15 },
  { title: 'Why', width: 23 },
  { title: 'By', width: 8 },
  { title: 'On', width: 10.5 },
];

export const BAND_NAMES: Readonly<Record<DecideBand, string>> = {
  open: 'Open: decide before you file',
  gap: 'Missing in Tieout: not your error',
  cause: 'Causes, to correct in the shop',
  decided: 'Decided already',
};

/** Maximum number of lines shown per band; open-items.csv has all of them. */
const SHOWN_MAX = 40;
/** Maximum number of records named in a cell; lines with more stand in open-items.csv. */
const NAMED_MAX = 40;

/** Builds the first sheet of variance.xlsx: the decisions needed before filing, and the defaults without them. */
export const decideSheet = (report: PeriodReport): LaidOutSheet => {
  const lines = linesToDecide(report);
  const note = earlyNote(report);
  return laidOut({
    name: 'Decide',
    title: `What to decide for ${periodName(report.period.label)}`,
    subtitle: `${report.seller}  ·  effect on tax: + collected above what the returns have, ( ) below it`,
    orientation: 'landscape',
    widths: COLUMNS.map(({ width }) => width),
    freeze: { columns: 1 },
    cards: cardsOf(report),
    ...(note !== undefined && { lead: note }),
    grids: [
      {
        name: 'Decide',
        hasHeader: true,
        columns: COLUMNS,
        rows: DECIDE_BANDS.flatMap((band) =>
          bandRows(
            band,
            lines.filter((line) => line.band === band),
            varianceOf(report),
          ),
        ),
      },
    ],
    findings: [
      'Effects are before any discount. A decision needs a reason. One about a cause moves no return: the remittance rule of the state does.',
    ],
  });
};

const effectOf = (lines: readonly DecideLine[]): Money => sum(lines.map(({ effect }) => effect));

const bandRows = (band: DecideBand, lines: readonly DecideLine[], variance: Money): readonly GridRow[] => {
  if (lines.length === 0) return [];
  const rest = lines.slice(SHOWN_MAX);
  return [
    {
      kind: 'band',
      cells: [
        text(BAND_NAMES[band]),
        undefined,
        undefined,
        text(bandNote(band, lines, variance), { grey: true }),
      ],
    },
    ...lines.slice(0, SHOWN_MAX).map((line, index) => lineRow(line, todoOf(line, lines.slice(0, index)))),
    ...(rest.length === 0 ? [] : [restRow(rest)]),
  ];
};

const BAND_NOTES: Readonly<Record<DecideBand, string>> = {
  open: 'in no final figure until they are decided',
  gap: 'import the rate, or accept the gap',
  cause: 'what is grey holds unless you change it',
  decided: 'open-items.csv has what else could be done',
};

/** Describes a band. The causes add up to the variance, except for other headings, what is reversed, and what was filed before. */
const bandNote = (band: DecideBand, lines: readonly DecideLine[], variance: Money): string => {
  const effect = effectOf(lines);
  const rest = subtract(variance, effect);
  const share =
    band === 'cause' && rest !== ZERO
      ? `. With ${shownChange(rest)} elsewhere: the variance, ${shownChange(variance)}`
      : '';
  const unknown = lines.filter(({ isEffectKnown }) => !isEffectKnown).length;
  const more = unknown === 0 ? '' : `, ${unknown} of them of unknown effect`;
  return `${shownNumber(lines.length, 'line')}, together ${shownChange(effect)}${more}: ${BAND_NOTES[band]}${share}`;
};

/** The first sentence of what to do about a cause; open-items.csv has all of it. */
export const firstSentence = (text: string): string => text.split(/(?<=\.) (?=[A-Z])/)[0] ?? '';

/** Returns what to do: once for a cause, and nothing while a decision holds. */
const todoOf = ({ band, todo }: DecideLine, above: readonly DecideLine[]): string => {
  if (band === 'decided') return '';
  const same = above.find((line) => line.todo === todo);
  if (same) return `As ${same.no}`;
  return band === 'cause' ? firstSentence(todo) : todo;
};

const lineRow = (line: DecideLine, todo: string): GridRow => {
  const { no, code, name, place, means, effect, isEffectKnown } = line;
  const { decision } = line;
  const isNamed = line.isWhole || line.records.length <= NAMED_MAX;
  return {
    cells: [
      text(no, { bold: true }),
      text(code in REASONS ? `${name} (${code})` : name, { bold: true }),
      text(place),
      text(means),
      text(isNamed ? coveredText(line) : shownNumber(line.records.length, 'record')),
      isEffectKnown ? { format: 'change', value: effect, bold: true } : text('unknown', { grey: true }),
      text(todo),
      text(decisionText(line), { grey: decision === undefined }),
      text(decision?.why ?? ''),
      text(decision?.by ?? ''),
      { format: 'date', value: parseDate(decision?.on ?? '') },
    ],
  };
};

const restRow = (rest: readonly DecideLine[]): GridRow => ({
  kind: 'working',
  cells: [
    text('…'),
    text(`${shownNumber(rest.length, 'more line')}`),
    undefined,
    text('Each of them stands in open-items.csv.'),
    undefined,
    { format: 'change', value: effectOf(rest) },
  ],
});

const DOLLARS = '"+$#,##0.00;($#,##0.00)"';

const cardsOf = (report: PeriodReport): readonly Card[] => {
  const { ready, reasons } = report.readiness;
  const variance = varianceOf(report);
  const unexplained = unexplainedOf(report);
  const waiting = waitingText(report);
  return [
    statusCard(
      report,
      text(
        ready ? 'Nothing waits for you' : `${shownNumber(reasons.length, 'reason')}: see below and Checks`,
      ),
    ),
    {
      column: 3,
      label: 'Variance: collected less expected',
      value: {
        format: 'status',
        value: formula(
          (at) => `TEXT(${at.sum('By_state', 'Variance')},${DOLLARS})`,
          variance < ZERO ? `($${shownMoney(subtract(ZERO, variance))})` : `+${shownDollars(variance)}`,
        ),
      },
      remark: text(sidesText(report)),
    },
    {
      column: 4,
      label: 'Unexplained',
      value: text(shownDollars(unexplained)),
      remark: text(unexplained === ZERO ? 'every cent has a cause' : 'see R99 below'),
    },
    {
      column: 6,
      label: 'Waiting for a decision',
      value: text(waiting),
      remark: text(waiting === 'Nothing' ? 'no line needs an answer' : 'tax that is on no final return yet'),
    },
    {
      column: 7,
      label: 'Where to answer',
      value: text('decisions.csv'),
      remark: text('copy open-items.csv there, beside tieout.yaml, and close again'),
    },
  ];
};

/** `charged too much 5.00, too little (2.00)`; where reversals take back more than that, `too little 2.00 reversed`. */
const sidesText = ({ reasons }: PeriodReport): string => {
  const over = sum(reasons.map((reason) => reason.over));
  const under = sum(reasons.map((reason) => reason.under));
  const tooMuch = over < ZERO ? `${shownMoney(negate(over))} reversed` : shownMoney(over);
  const tooLittle = under > ZERO ? `${shownMoney(under)} reversed` : `(${shownMoney(negate(under))})`;
  return `charged too much ${tooMuch}, too little ${tooLittle}`;
};

/**
 * Returns the status of an exception. `open`: an error that no one accepted. `accepted`: it stays, with the reason.
 * `seen`: it needs no decision.
 */
export const decisionOf = (exception: Finding): 'open' | 'accepted' | 'seen' => {
  if (isOpen(exception)) return 'open';
  return exception.accepted === '' ? 'seen' : 'accepted';
};

/** What the sheet says, with who decided and when; what needs no decision is blank. */
const decisionWords = (exception: Finding): string | undefined => {
  const { decision } = exception;
  const status = decisionOf(exception);
  if (status === 'seen') return undefined;
  const signed = status === 'accepted' && decision ? signedBy(decision) : '';
  return signed === '' ? status : `${status}: ${signed}`;
};

/** An exception with the number of its line in Decide; empty if there is nothing to decide. */
type ExceptionRow = Finding & { readonly no: string; readonly isFirst: boolean };

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

/** Says what was found, and where its effect is not known; the name of a reason is that of its code. */
const whatOf = (exception: Finding): string => {
  const { code, message } = exception;
  const name = `${aboutFinding(code).name}: `;
  const what = message.startsWith(name) ? message.slice(name.length) : message;
  return isEffectKnown(exception) ? what : `Effect unknown: ${what}`;
};

/** All exceptions, most serious first. */
export const EXCEPTIONS = defineSheet<ExceptionRow>({
  name: 'Exceptions',
  table: 'Exceptions',
  title: 'Exceptions',
  note: 'Errors kept something out of the month or are unexplained; warnings were handled; notices inform.',
  freeze: { columns: 2 },
  columns: [
    word('Code', 20, ({ code }) => code),
    words('Record', 12, ({ record }) => record),
    word('Severity', 9, ({ severity }) => severity, {
      flag: (exception) => (isOpen(exception) ? 'attention' : undefined),
    }),
    word('State', 7, ({ state }) => state),
    word('Line in Decide', 8, ({ no }) => no, { note: 'Where the cause is decided.' }),
    change('Effect on tax', 10, (exception) => (isEffectKnown(exception) ? exception.effect : undefined), {
      note: 'As in Decide: + collected above what the returns have, ( ) below it; blank where it is unknown.',
    }),
    words('What', 64.5, whatOf, { wrap: true }),
    words(
      'What to do',
      43,
      ({ code, severity, reverses, isReturned, isFirst, no }) => {
        if (reverses) return 'Nothing; it takes back what was filed.';
        if (isReturned) return RETURNED_TODO;
        return isFirst && no === '' ? aboutFinding(code, severity).todo : undefined;
      },
      { note: 'Once for each code; of a line of Decide it stands there.', wrap: true },
    ),
    words('Decision', 13, decisionWords, { wrap: true }),
    words('File and line', 21.5, ({ origin }) => sourceOf(origin), { wrap: true }),
  ],
});

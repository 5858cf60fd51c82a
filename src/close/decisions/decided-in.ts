import { TieoutError } from '../../kernel/errors.ts';
import { formatMoney } from '../../kernel/money.ts';
import { expandFiles } from '../sales/files/expand-files.ts';
import { normalColumn } from '../sales/files/normal-column.ts';
import { type SurveyedFile, surveyFile } from '../sales/files/survey-file.ts';
import { type TableHead, tableHeads } from '../sales/files/table-heads.ts';
import { rowByRow, type TableRow } from '../sales/files/table-row.ts';
import { dayForms } from '../sales/normal/date-form.ts';
import { type Decided, type Decision, isSameDecision, repeatsConfiguration } from './decision.ts';
import { decidedTwice, decisionError } from './decision-error.ts';
import { CAUSES, parseLineKey, sameKey } from './line-key.ts';
import { holdsByDefault, VERDICTS, type Verdict, verdictIn } from './verdict.ts';

/** The columns that are read. open-items.csv has further columns for people. */
const COLUMNS = ['no', 'key', 'records', 'choices', 'decision', 'why', 'by', 'on'] as const;

type DecisionColumn = (typeof COLUMNS)[number];

const NEEDED: readonly DecisionColumn[] = ['key', 'decision', 'why'];

/** A row of a decision file, by column, with trimmed cells. */
type DecisionRow = Readonly<Record<DecisionColumn, string>> & {
  /** Where a cell is, in a form for people. */
  readonly placeOf: (column: DecisionColumn) => string;
};

type Header = {
  readonly head: TableHead;
  readonly row: TableRow;
  readonly places: Readonly<Record<DecisionColumn, number>>;
};

/** How many rows (title and figures) may precede the header of a sheet. */
const HEADER_LINES_MAX = 30;

/** Read the non-blank rows of a file of decisions, also where a spreadsheet has saved it as a workbook. */
const decisionRows = async (file: SurveyedFile): Promise<readonly DecisionRow[]> => {
  const { head, row: header, places } = await headerIn(file);
  const rows: DecisionRow[] = [];
  for await (const { line, cells } of rowByRow(head.from(header))) {
    if (line <= header.line) continue;
    const cellOf = (column: DecisionColumn): string =>
      (cells[places[column]] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, cellOf(column)]));
    if (COLUMNS.every((column) => texts[column] === '')) continue;
    rows.push({
      ...(texts as Record<DecisionColumn, string>),
      placeOf: (column) =>
        head.sheet === undefined
          ? `${file.name}:${line}, column "${column}"`
          : `${file.name}, ${head.sheet}!${letterOf(places[column])}${line}`,
    });
  }
  return rows;
};

/** @throws {TieoutError} E_DECISION when no row of the file has the columns that are needed */
const headerIn = async (file: SurveyedFile): Promise<Header> => {
  const heads = await tableHeads(file, [',', ';', '\t']);
  const found = heads.flatMap((head) =>
    head.rows
      .filter(({ line }) => line <= HEADER_LINES_MAX)
      .map((row): Header => ({ head, row, places: placesIn(row.cells) })),
  );
  const header = found.find(({ places }) => NEEDED.every((column) => places[column] >= 0));
  if (header) return header;
  throw decisionError(
    file.name,
    `it has no columns ${NEEDED.map((column) => `"${column}"`).join(', ')}`,
    'Name the filled-in open-items.csv of a period in `decisions`.',
  );
};

const placesIn = (cells: readonly string[]): Header['places'] => {
  const titles = cells.map((cell) => normalColumn(cell).replace(/[^a-z]/g, ''));
  return Object.fromEntries(COLUMNS.map((column) => [column, titles.indexOf(column)])) as Header['places'];
};

/** Column letter of a sheet by its index from 0. */
const letterOf = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/**
 * Read the decision files that a configuration names.
 *
 * @param resolvePath makes a path absolute
 * @throws {TieoutError} E_DECISION when a file is missing or unreadable, or decisions conflict
 */
export const decidedIn = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
): Promise<Decided> => {
  const sources = await expandFiles(entries, resolvePath).catch((error: unknown) => {
    if (!(error instanceof TieoutError) || error.code !== 'E_EXPORT_MISSING') throw error;
    throw decisionError(
      '`decisions` in the configuration',
      error.message,
      'A close writes open-items.csv beside its books: copy it there, fill it in, and close again.',
    );
  });
  return readDecisions(await Promise.all(sources.map(surveyFile)));
};

/** Read a date from a cell; `undefined` if invalid. With slashes the month comes first, unless that is impossible. */
const readDay = dayForms([
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'M/d/yyyy',
  'M/d/yy',
  'd/M/yyyy',
  'd.M.yyyy',
  'd.M.yy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'yyyy-MM-dd HH:mm(:ss)',
]);

/** Minimum length of a reason, in characters. */
const WHY_LENGTH_MIN = 3;

/**
 * Read the decisions in these files. A row with no decision, or one that repeats the configuration, only keeps its line
 * number.
 *
 * @throws {TieoutError} E_DECISION, with file and line or cell, when a row cannot be read or decisions conflict
 */
export const readDecisions = async (files: readonly SurveyedFile[]): Promise<Decided> => {
  const decisions: Decision[] = [];
  const numbers: Record<string, string> = {};
  for (const file of files) {
    for (const row of await decisionRows(file)) {
      if (/^D\d{2,}$/.test(row.no) && row.key !== '') numbers[sameKey(row.key)] ??= row.no;
      const decision = decisionIn(row);
      if (decision) decisions.push(decision);
    }
  }
  return { decisions: withoutRepeats(decisions), numbers };
};

const decisionIn = (row: DecisionRow): Decision | undefined => {
  const { key, why, by, placeOf } = row;
  if ((row.decision === '' && why === '') || repeatsConfiguration(row.decision)) return undefined;
  const verdict = verdictIn(row.decision);
  if (key === '')
    throw decisionError(
      placeOf('key'),
      `the row decides “${row.decision || why}” and has no key`,
      'Copy the key from the open-items.csv of the last close.',
    );
  if (row.decision !== '' && !verdict)
    throw decisionError(placeOf('decision'), `“${row.decision}” is not a decision`, choicesText(row));
  if (verdict && why === '' && holdsByDefault(verdict) && isCause(row)) return undefined;
  if (!verdict)
    throw decisionError(placeOf('decision'), 'the row says why, and decides nothing', choicesText(row));
  if (why.length < WHY_LENGTH_MIN)
    throw decisionError(
      placeOf('why'),
      why === ''
        ? `“${row.decision}” is decided without a reason`
        : `“${why}” is too short for a reason of “${row.decision}”`,
      `Write the reason in the column why, in ${WHY_LENGTH_MIN} letters or more: it is kept with the evidence.`,
    );
  const parsed = parsedKey(row);
  const records = recordsOf(row, parsed.record);
  if (records.length === 0 && !CAUSES.test(parsed.code))
    throw decisionError(
      placeOf('records'),
      'the row names no record',
      'Write the records there, with semicolons between, as the last close had them.',
    );
  if (verdict === 'set-by-hand' && parsed.tax === undefined)
    throw decisionError(
      placeOf('key'),
      'a tax that was set by hand needs its amount',
      'Copy the key from the open-items.csv of the last close: 2026-10 R99 of D-523 at 5.00.',
    );
  return {
    period: parsed.period,
    code: parsed.code,
    cause: records.length > 0 ? '' : sameKey(key),
    records,
    verdict,
    why,
    by,
    on: dayOf(row),
    ...(parsed.tax !== undefined && { tax: parsed.tax }),
    place: placeOf('decision'),
  };
};

/** Says what may be written in a row: its own choices, as its file lists them; elsewhere those of codes like its own. */
const choicesText = ({ choices, key }: DecisionRow): string => {
  const listed = choices.split('|').map((choice) => choice.trim());
  const own = listed.filter((choice) => verdictIn(choice) !== undefined);
  const words =
    own.length > 0 ? own : likely(parseLineKey(key)?.code ?? '').map((verdict) => VERDICTS[verdict]);
  return `Write ${words.length === 1 ? '' : 'one of '}${words.map((word) => `“${word}”`).join(', ')} in the column decision.`;
};

const likely = (code: string): readonly Verdict[] => {
  if (code === 'gap') return ['accept'];
  if (code === 'newer-unknown') return ['first-file', 'second-file'];
  if (code === 'R99') return ['set-by-hand', 'accept'];
  return CAUSES.test(code)
    ? ['remit', 'refund', 'pay', 'bill', 'accept']
    : ['post', 'split', 'keep-out', 'ignore', 'accept'];
};

const parsedKey = ({ key, placeOf }: DecisionRow) => {
  const parsed = parseLineKey(key.replace(/\s+/g, ' '));
  if (parsed) return parsed;
  throw decisionError(
    placeOf('key'),
    `“${key}” is not a key of a line to decide`,
    'Copy the key from the open-items.csv of the last close: 2026-10 bad-cell of 5115.',
  );
};

/** The records of a line, from its key or from its list with semicolons. A cause gives only their number there. */
const recordsOf = (row: DecisionRow, own: string): readonly string[] => {
  if (own !== '') return [own];
  if (isCause(row)) return [];
  const names = row.records.split(';').map((name) => name.trim());
  return names.filter((name) => name !== '');
};

const isCause = ({ records }: DecisionRow): boolean => /^[\d,.]* records?$/i.test(records);

const dayOf = ({ on, placeOf }: DecisionRow): string => {
  const day = on === '' ? '' : readDay(on);
  if (day !== undefined) return day;
  throw decisionError(
    placeOf('on'),
    `“${on}” is not a day`,
    'Write the day as 2026-11-03, or leave it blank.',
  );
};

/** @throws {TieoutError} E_DECISION when two decisions about the same thing conflict */
const withoutRepeats = (decisions: readonly Decision[]): readonly Decision[] => {
  const known = new Map<string, Decision>();
  return decisions.filter((decision) => {
    const { period, code, cause, records, tax } = decision;
    // Decided at another tax, it is another decision.
    const at = tax === undefined ? '' : ` at ${formatMoney(tax)}`;
    const targets =
      cause === '' ? records.map((record) => sameKey(`${period} ${code} of ${record}${at}`)) : [cause];
    const earlier = targets.map((target) => known.get(target)).filter((each) => each !== undefined);
    for (const target of targets) known.set(target, known.get(target) ?? decision);
    for (const other of earlier) if (!isSameDecision(other, decision)) throw decidedTwice(other, decision);
    return earlier.length < targets.length;
  });
};

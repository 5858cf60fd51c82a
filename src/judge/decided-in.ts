import { TieoutError } from '../kernel/errors.ts';
import { formatMoney } from '../kernel/money.ts';
import { expandFiles, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';
import { readDay, type TitledRow, titledBy, titledRows } from '../sales/table-heads.ts';
import { verdictsOf, writeOneOf } from './apply-policy.ts';
import {
  CAUSES,
  type Decision,
  decidedTwice,
  decisionError,
  isSameDecision,
  parseLineKey,
  sameKey,
  verdictIn,
} from './decision.ts';

/** The columns that are read. open-items.csv has further columns for people. */
const COLUMNS = ['key', 'records', 'decision', 'why', 'by', 'on'] as const;

type DecisionColumn = (typeof COLUMNS)[number];

const NEEDED: readonly DecisionColumn[] = ['key', 'decision', 'why'];

type DecisionRow = TitledRow<DecisionColumn>;

/** @throws {TieoutError} E_DECISION when no row of the file has the columns that are needed */
const decisionRows = async (file: SurveyedFile): Promise<readonly DecisionRow[]> => {
  const rows = await titledRows(file, titledBy(COLUMNS), NEEDED);
  if (rows) return rows;
  throw decisionError(
    file.name,
    `it has no columns ${NEEDED.map((column) => `"${column}"`).join(', ')}`,
    'Name the filled-in open-items.csv of a period in `decisions`.',
  );
};

/**
 * Read the decision files that a configuration names.
 *
 * @param resolvePath makes a path absolute
 * @throws {TieoutError} E_DECISION when a file is missing or unreadable, or decisions conflict
 */
export const decidedIn = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
): Promise<readonly Decision[]> => {
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

/** Minimum length of a reason, in characters. */
const WHY_LENGTH_MIN = 3;

/**
 * Read the decisions in these files. A row with no decision decides nothing.
 *
 * @throws {TieoutError} E_DECISION, with file and line or cell, when a row cannot be read or decisions conflict
 */
export const readDecisions = async (files: readonly SurveyedFile[]): Promise<readonly Decision[]> => {
  const decisions: Decision[] = [];
  for (const file of files)
    for (const row of await decisionRows(file)) {
      const decision = decisionIn(row);
      if (decision) decisions.push(decision);
    }
  return withoutRepeats(decisions);
};

const decisionIn = (row: DecisionRow): Decision | undefined => {
  const { why, by, placeOf } = row;
  if (row.decision === '' && why === '') return undefined;
  const refuse = (column: DecisionColumn, rule: string, nextStep: string): never => {
    throw decisionError(placeOf(column), rule, nextStep);
  };
  const verdict =
    verdictIn(row.decision) ??
    refuse(
      'decision',
      row.decision === '' ? 'the row says why, and decides nothing' : `“${row.decision}” is not a decision`,
      writeOneOf(verdictsOf(parseLineKey(row.key)?.code ?? '')),
    );
  if (why.length < WHY_LENGTH_MIN)
    refuse(
      'why',
      `“${why}” is too short for a reason of “${row.decision}”`,
      `Write the reason in the column why, in ${WHY_LENGTH_MIN} letters or more: it is kept with the evidence.`,
    );
  const { period, code, record, tax, stated } =
    parseLineKey(row.key.replace(/\s+/g, ' ')) ??
    refuse(
      'key',
      `“${row.key}” is not a key of a line to decide`,
      'Copy the key from the open-items.csv of the last close: 2026-10 bad-cell of 5115.',
    );
  const records = recordsOf(row, record);
  if (records.length === 0 && !CAUSES.test(code))
    refuse(
      'records',
      'the row names no record',
      'Write the records there, with semicolons between, as the last close had them.',
    );
  if (verdict === 'set-by-hand' && tax === undefined)
    refuse(
      'key',
      'a tax that was set by hand needs its amount',
      'Copy the key from the open-items.csv of the last close: 2026-10 R99 of D-523 at 5.00.',
    );
  const on =
    (row.on === '' ? '' : readDay(row.on)) ??
    refuse('on', `“${row.on}” is not a day`, 'Write the day as 2026-11-03, or leave it blank.');
  return {
    ...{
      period,
      code,
      records,
      verdict,
      why,
      by,
      on,
    },
    cause: records.length > 0 ? '' : sameKey(row.key),
    ...(tax !== undefined && { tax }),
    ...(stated !== undefined && { stated }),
    place: placeOf('decision'),
  };
};

/** The records of a line, from its key or from its list with semicolons. A cause gives only their number there. */
const recordsOf = (row: DecisionRow, own: string): readonly string[] => {
  if (own !== '') return [own];
  if (isCause(row)) return [];
  const names = row.records.split(';').map((name) => name.trim());
  return names.filter((name) => name !== '');
};

const isCause = ({ records }: DecisionRow): boolean => /^[\d,.]* records?$/i.test(records);

/**
 * Of several decisions about the same thing, the one of the later day counts.
 *
 * @throws {TieoutError} E_DECISION when two of one day conflict
 */
const withoutRepeats = (decisions: readonly Decision[]): readonly Decision[] => {
  const counting = new Map<string, Decision>();
  for (const decision of decisions)
    for (const target of targetsOf(decision)) {
      const other = counting.get(target);
      if (!other || other.on < decision.on) counting.set(target, decision);
      if (other && other.on === decision.on && !isSameDecision(other, decision))
        throw decidedTwice(other, decision);
    }
  return decisions.flatMap((decision) => {
    const isCounting = targetsOf(decision).map((target) => counting.get(target) === decision);
    if (!isCounting.includes(true)) return [];
    return { ...decision, records: decision.records.filter((_, index) => isCounting[index]) };
  });
};

/** What a decision is about, one text for each record. Decided at another tax or statement, it is another thing. */
const targetsOf = ({ period, code, cause, records, tax, stated }: Decision): readonly string[] => {
  if (cause !== '') return [cause];
  const at = `${tax === undefined ? '' : ` at ${formatMoney(tax)}`}${stated === undefined ? '' : ` as ${stated}`}`;
  const label = stated === undefined ? period : '';
  return records.map((record) => sameKey(`${label} ${code} of ${record}${at}`));
};

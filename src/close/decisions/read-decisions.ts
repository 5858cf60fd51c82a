import type { SurveyedFile } from '../sales/files/survey-file.ts';
import { type Decided, type Decision, isSameDecision, repeatsConfiguration } from './decision.ts';
import { decidedTwice, decisionError } from './decision-error.ts';
import { type DecisionRow, decisionRows } from './decision-rows.ts';
import { parseLineKey, sameKey } from './line-key.ts';
import { readDay } from './read-day.ts';
import { holdsByDefault, VERDICT_NAMES, VERDICTS, verdictIn } from './verdict.ts';

/** A reason shorter than this says nothing. */
const WHY_LENGTH_MIN = 3;

/**
 * What is decided in these files. A row without a decision, or with one of the configuration, only keeps
 * the number of its line.
 *
 * @throws {TieoutError} E_DECISION, with file and line or cell, for what cannot be read or is said in two ways
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
      'Copy the key from the decisions.csv of the last close.',
    );
  if (row.decision !== '' && !verdict)
    throw decisionError(placeOf('decision'), `“${row.decision}” is not a decision`, CHOICES);
  if (verdict && why === '' && holdsByDefault(verdict) && isCause(row)) return undefined;
  if (!verdict) throw decisionError(placeOf('decision'), 'the row says why, and decides nothing', CHOICES);
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
      'Copy the key from the decisions.csv of the last close: 2026-10 R99 of D-523 at 5.00.',
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

/** What can be decided as a whole: missing rates, and reasons of a variance that are proved. */
const CAUSES = /^(gap|R(?!19|20|24|99)\d\d)$/;

const CHOICES = `Write one of: ${VERDICT_NAMES.map((verdict) => VERDICTS[verdict]).join(', ')}.`;

const parsedKey = ({ key, placeOf }: DecisionRow) => {
  const parsed = parseLineKey(key.replace(/\s+/g, ' '));
  if (parsed) return parsed;
  throw decisionError(
    placeOf('key'),
    `“${key}” is not a key of a line to decide`,
    'Copy the key from the decisions.csv of the last close: 2026-10 bad-cell of 5115.',
  );
};

/** The records of a line stand in its key, or beside it with semicolons between; a cause has only their number there. */
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

/** @throws {TieoutError} E_DECISION where one thing is decided in two ways */
const withoutRepeats = (decisions: readonly Decision[]): readonly Decision[] => {
  const known = new Map<string, Decision>();
  return decisions.filter((decision) => {
    const { period, code, cause, records } = decision;
    const targets =
      cause === '' ? records.map((record) => sameKey(`${period} ${code} of ${record}`)) : [cause];
    const earlier = targets.map((target) => known.get(target)).filter((each) => each !== undefined);
    for (const target of targets) known.set(target, known.get(target) ?? decision);
    for (const other of earlier) if (!isSameDecision(other, decision)) throw decidedTwice(other, decision);
    return earlier.length < targets.length;
  });
};

import { join } from 'node:path';
import { frequencyOn } from '../configuration/fields.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { DueDate } from '../filing/dates.ts';
import { ofState, type Wanted } from '../filing/load-filing-law.ts';
import { type FilingRegistration, isSameName, type StatedOfReturn } from '../filing/registration.ts';
import { dueDatesOver } from '../filing/return-of.ts';
import { returnKey } from '../filing/state-figures.ts';
import { type CalendarDate, parseDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { formatMoney, type Money, parseMoney, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, monthsOf, parseVersion } from '../kernel/period.ts';
import { replaceFile, textOf } from '../runtime/publish-folder.ts';
import { FILINGS } from '../sales/file-source.ts';
import { expandFiles, surveyFile } from '../sales/survey-file.ts';
import { readDay, type TitledRow, titledBy, titledRows } from '../sales/table-heads.ts';
import type { Registration } from './balances.ts';
import type { PublishedPeriod } from './folders.ts';

/** A line of `filings.csv`: what a person knows of a return of one version of a period. Days as `2026-11-20`. */
export type FilingLine = {
  readonly entity: string;
  /** With its version: `2026-10` or `2026-10-amended-1`. */
  readonly period: string;
  /** As `status --json` names it: `TX`, `CO Denver`. */
  readonly return: string;
  /** When it was filed; absent where only a penalty or interest is stated so far. */
  readonly on: CalendarDate | undefined;
  readonly confirmation: string;
  /** The amount that was filed, in cents; absent if it was that of the books. */
  readonly amount: Money | undefined;
  readonly paid: Money | undefined;
  readonly paidOn: CalendarDate | undefined;
  /** What the state charges for lateness, in cents. */
  readonly penalty: Money | undefined;
  readonly interest: Money | undefined;
  /** The lines that were compared with the form when it was filed, or `all`. */
  readonly checked: readonly string[];
  /** File and line. */
  readonly place: string;
};

/** A line that says that a return was filed. */
export type Filing = FilingLine & { readonly on: CalendarDate };

/** A filing to write down. The other columns are filled in by hand. */
export type NewFiling = Omit<Filing, 'place' | 'penalty' | 'interest' | 'checked'>;

const COLUMNS = [
  'entity',
  'period',
  'return',
  'filedon',
  'confirmation',
  'amount',
  'paid',
  'paidon',
  'penalty',
  'interest',
  'checked',
] as const;
type Column = (typeof COLUMNS)[number];
const TITLED = titledBy(COLUMNS);
const NEEDED: readonly Column[] = ['period', 'return', 'filedon', 'confirmation'];
const TITLES = 'entity,period,return,filed on,confirmation,amount,paid,paid on,penalty,interest,checked';

/**
 * Reads the filings of an entity. A line without an entity is about the only one.
 *
 * @throws {TieoutError} E_FILING, with file and line, for a line that cannot be read, or two that say different things of one return
 */
export const readFilings = async (root: string, entity: string): Promise<readonly FilingLine[]> => {
  const path = join(root, FILINGS);
  if ((await textOf(path)) === undefined) return [];
  const sources = await expandFiles([FILINGS], () => path);
  const files = await Promise.all(sources.map(surveyFile));
  const [rows] = await Promise.all(files.map((file) => titledRows(file, TITLED, NEEDED)));
  if (!rows) throw filingError(FILINGS, 'it has not the columns it needs', `Its first line is: ${TITLES}`);
  const filings = new Map<string, FilingLine>();
  for (const row of rows) {
    if (row.entity !== '' && row.entity !== entity) continue;
    const filing = filingIn(row, entity);
    const name = nameOf(filing.period, filing.return);
    const other = filings.get(name);
    if (other)
      throw filingError(
        filing.place,
        `${filing.period} ${filing.return} was filed twice: ${other.place} has it, too`,
        'Keep the line that is right. What was filed later of the same period is a return of its amended version.',
      );
    filings.set(name, filing);
  }
  return [...filings.values()];
};

const filingIn = (row: TitledRow<Column>, entity: string): FilingLine => {
  const { period, return: name, confirmation, placeOf } = row;
  if (!parseVersion(period))
    throw filingError(
      placeOf('period'),
      `"${period}" is not a period`,
      'Write 2026-10, or 2026-10-amended-1.',
    );
  if (name === '')
    throw filingError(
      placeOf('return'),
      'no return is named',
      'Write it as `tieout status` does, such as TX.',
    );
  const filing: FilingLine = {
    entity,
    period,
    return: name,
    on: dayIn(row, 'filedon'),
    confirmation,
    amount: moneyIn(row, 'amount'),
    paid: moneyIn(row, 'paid'),
    paidOn: dayIn(row, 'paidon'),
    penalty: chargeIn(row, 'penalty'),
    interest: chargeIn(row, 'interest'),
    checked: row.checked.split(';').flatMap((line) => line.trim() || []),
    place: placeOf('period'),
  };
  const { on, paid, paidOn, checked } = filing;
  if (on === undefined && (!isCharged(filing) || checked.length > 0))
    throw filingError(placeOf('filedon'), 'the day is missing', 'Write the day it was filed as 2026-11-20.');
  if ((paid === undefined) !== (paidOn === undefined))
    throw filingError(placeOf('paid'), 'a payment needs amount and day', 'Fill in both, or none.');
  return filing;
};

/** Whether a penalty or interest is stated of a return. */
export const isCharged = ({ penalty, interest }: FilingLine): boolean => (penalty ?? interest) !== undefined;

const chargeIn = (row: TitledRow<Column>, column: 'penalty' | 'interest'): Money | undefined => {
  const amount = moneyIn(row, column);
  if (amount === undefined || amount >= ZERO) return amount;
  throw filingError(row.placeOf(column), `${row[column]} is negative`, 'Write what the state charges.');
};

const dayIn = (row: TitledRow<Column>, column: Column): CalendarDate | undefined => {
  const text = row[column];
  const day = text === '' ? undefined : parseDate(readDay(text) ?? '');
  if (text === '' || day) return day;
  throw filingError(row.placeOf(column), `"${text}" is not a day`, 'Write the day as 2026-11-20.');
};

const moneyIn = (row: TitledRow<Column>, column: Column): Money | undefined => {
  const text = row[column];
  const amount = text === '' ? undefined : parseMoney(text.replace(/^\$|,(?=\d{3})/g, ''));
  if (text === '' || amount !== undefined) return amount;
  throw filingError(
    row.placeOf(column),
    `"${text}" is not an amount`,
    'Write dollars and cents, such as 382.96.',
  );
};

const nameOf = (period: string, name: string): string => `${period} ${name.toLowerCase()}`;

/** Returns the filing of a return of one version of a period. A line for one version never counts for another. */
export const filingOf = (
  filings: readonly FilingLine[],
  period: string,
  name: string,
): Filing | undefined => {
  const found = filings.find((each) => nameOf(each.period, each.return) === nameOf(period, name));
  return found?.on === undefined ? undefined : { ...found, on: found.on };
};

/**
 * Returns what filings state for the returns of a period: what each is charged for lateness, and which lines were checked
 * when earlier returns of as many months were filed, and so on the same form.
 */
export const statedIn = (filings: readonly FilingLine[], period: FilingPeriod): readonly StatedOfReturn[] =>
  filings.flatMap((line): StatedOfReturn | readonly StatedOfReturn[] => {
    if (line.period === period.label) return chargesOf(line);
    const { on, checked: lines } = line;
    const of = parseVersion(line.period);
    if (!of || on === undefined || of.last >= period.first || lines.length === 0) return [];
    if (monthsOf(of).length !== monthsOf(period).length) return [];
    return { return: line.return, penalty: ZERO, interest: ZERO, checked: { lines, on, until: of.last } };
  });

/** Returns what a line states of the lateness of its return. */
export const chargesOf = (line: FilingLine): StatedOfReturn => {
  const { return: name, penalty = ZERO, interest = ZERO, place } = line;
  return { return: name, penalty, interest, place };
};

/** Returns what is stated for the returns of a state, `CO` or `CO Denver`, without the lines that state it. */
export const statedFor = (
  state: string,
  stated: readonly StatedOfReturn[],
): Pick<FilingRegistration, 'stated'> => {
  const own = stated
    .filter((each) => isSameName(each.return.split(' ')[0] ?? '', state))
    .filter(({ penalty, interest, checked }) => penalty > ZERO || interest > ZERO || checked)
    .map(({ place: _, ...each }) => each);
  return own.length === 0 ? {} : { stated: own };
};

/**
 * Refuses what is stated of a period for a return that it does not have, or for lateness of one that is filed with another.
 *
 * @throws {TieoutError} E_FILING, with the line
 */
export const refuseUnknownReturns = (
  stated: readonly StatedOfReturn[],
  { period, remittances }: Pick<PeriodReport, 'period' | 'remittances'>,
): void => {
  for (const { return: name, place, penalty, interest } of stated) {
    if (place === undefined) continue;
    const own = remittances.find(({ key }) => isSameName(key, name));
    if (!own)
      throw filingError(
        place,
        `${period.label} has no return "${name}"`,
        `Name one of its returns: ${remittances.map(({ key }) => key).join(', ') || 'it has none'}`,
      );
    const isOfPeriod = own.coverage === 'whole' && own.insteadOn === undefined;
    if (!isOfPeriod && (penalty > ZERO || interest > ZERO))
      throw filingError(
        place,
        `no return ${name} is filed for ${period.label} alone, so that none is late`,
        `State it for ${own.insteadOn === undefined ? own.filingPeriod : `the period of ${own.insteadOn}`}.`,
      );
  }
};

/**
 * Writes a filing as a line of its own.
 *
 * @throws {TieoutError} E_FILING if the file has another line of that return, or other columns than Tieout writes
 */
export const addFiling = async (root: string, filing: NewFiling): Promise<void> => {
  const own = nameOf(filing.period, filing.return);
  const before = (await readFilings(root, filing.entity)).find(
    (each) => nameOf(each.period, each.return) === own,
  );
  if (before)
    throw filingError(
      before.place,
      `${filing.period} ${filing.return} ${before.on === undefined ? 'has a line' : `was filed already, on ${before.on}`}`,
      `Correct that line of ${FILINGS}; what was filed later is a return of the amended version.`,
    );
  const path = join(root, FILINGS);
  const text = (await textOf(path)) ?? `${TITLES}\r\n`;
  const line = cellsOf(filing).map(quoted).join(',');
  if (text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] !== TITLES)
    throw filingError(
      FILINGS,
      'a spreadsheet, or a person, gave it other columns',
      `Add this line to it yourself, in its columns:\n${TITLES}\n${line}\n`,
    );
  await replaceFile(path, `${text}${text.endsWith('\n') ? '' : '\r\n'}${line}\r\n`);
};

/** The cells of a line, in the order of the titles. */
const cellsOf = (filing: NewFiling): readonly string[] => [
  filing.entity,
  filing.period,
  filing.return,
  filing.on,
  filing.confirmation.replace(/^[=+\-@]/, "'$&"),
  amountText(filing.amount),
  amountText(filing.paid),
  filing.paidOn ?? '',
  '',
  '',
  '',
];

const amountText = (amount: Money | undefined): string => (amount === undefined ? '' : formatMoney(amount));

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const filingError = (place: string, rule: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_FILING', message: `${place}: ${rule}`, nextStep });

/**
 * A return of a period that is over, which no folder has: its period was not closed, although a closed one has its last
 * day, or it was locked without the return, because the registration came later.
 */
export type UnclosedReturn = {
  readonly key: string;
  readonly dueDate: DueDate;
};

/** Returns the months between closed periods of which no day was ever closed: usually a run that failed unnoticed. */
export const unclosedMonths = (closed: readonly FilingPeriod[]): readonly FilingPeriod[] => {
  const [earliest] = closed;
  if (!earliest) return [];
  const [last = earliest.last] = closed.map((each) => each.last).sort((one, other) => (one < other ? 1 : -1));
  const isClosed = (month: FilingPeriod): boolean =>
    closed.some((each) => each.first <= month.last && month.first <= each.last);
  return monthsOf({ label: '', first: earliest.first, last }).filter((month) => !isClosed(month));
};

/**
 * Returns the returns that no folder has, the earliest due first. They are in no book yet, so their amounts are not known.
 *
 * @param closed every closed period in the version that counts
 */
export const unclosedReturns = (
  closed: readonly PublishedPeriod[],
  registrations: readonly Registration[],
  today: CalendarDate,
): readonly UnclosedReturn[] => {
  const found = new Map<string, UnclosedReturn>();
  const isClosed = ({ first, last }: FilingPeriod, key: string): boolean =>
    closed.some(
      ({ period, isLocked, leaves }) =>
        period.first === first &&
        period.last === last &&
        (!isLocked || leaves.remittances.some((each) => each.key === key)),
    );
  for (const { period: days } of closed)
    for (const registration of registrations)
      for (const month of monthsOf(days))
        for (const wanted of returnsOf(registration, month.last))
          for (const dueDate of dueDatesOver(wanted, month)) {
            const { period } = dueDate;
            if (period.last < registration.since || period.last > days.last || period.last >= today) continue;
            const key = returnKey(wanted);
            if (!isClosed(period, key)) found.set(`${period.label} ${key}`, { key, dueDate });
          }
  return [...found.values()].sort((left, right) => (left.dueDate.due < right.dueDate.due ? -1 : 1));
};

const returnsOf = (
  { state, localReturns, ...registration }: Registration,
  day: CalendarDate,
): readonly Wanted[] => {
  const frequency = frequencyOn(registration.frequency, day);
  const places = localReturns.filter(({ localTax }) => localTax === 'own');
  return [
    ofState(state, frequency),
    ...places.map(({ place, frequency: own = frequency }) => ({
      state,
      kind: 'place' as const,
      name: place,
      frequency: own,
    })),
  ];
};

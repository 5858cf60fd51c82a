import { join } from 'node:path';
import { type CalendarDate, parseDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { formatMoney, type Money, parseMoney } from '../kernel/money.ts';
import { parseVersion } from '../kernel/period.ts';
import { replaceFile, textOf } from '../runtime/publish-folder.ts';
import { FILINGS } from '../sales/file-source.ts';
import { expandFiles, surveyFile } from '../sales/survey-file.ts';
import { readDay, type TitledRow, titledRows } from '../sales/table-heads.ts';

/** A line of `filings.csv`: that a return of one version of a period was filed. Days as `2026-11-20`. */
export type Filing = {
  readonly entity: string;
  /** With its version: `2026-10` or `2026-10-amended-1`. */
  readonly period: string;
  /** As `status --json` names it: `TX`, `CO Denver`. */
  readonly return: string;
  readonly on: CalendarDate;
  readonly confirmation: string;
  /** The amount that was filed, in cents; absent if it was that of the books. */
  readonly amount?: number;
  readonly paid?: number;
  readonly paidOn?: CalendarDate;
  /** File and line. */
  readonly place: string;
};

const COLUMNS = [
  'entity',
  'period',
  'return',
  'filedon',
  'confirmation',
  'amount',
  'paid',
  'paidon',
] as const;
type Column = (typeof COLUMNS)[number];
const NEEDED: readonly Column[] = ['period', 'return', 'filedon', 'confirmation'];
const TITLES = 'entity,period,return,filed on,confirmation,amount,paid,paid on';

/**
 * Reads the filings of an entity. A line without an entity is about the only one.
 *
 * @throws {TieoutError} E_FILING, with file and line, for a line that cannot be read, or two that say different things of one return
 */
export const readFilings = async (root: string, entity: string): Promise<readonly Filing[]> => {
  const path = join(root, FILINGS);
  if ((await textOf(path)) === undefined) return [];
  const sources = await expandFiles([FILINGS], () => path);
  const files = await Promise.all(sources.map(surveyFile));
  const [rows] = await Promise.all(files.map((file) => titledRows(file, COLUMNS, NEEDED)));
  if (!rows) throw filingError(FILINGS, 'it has not the columns it needs', `Its first line is: ${TITLES}`);
  const filings = new Map<string, Filing>();
  for (const row of rows) {
    if (row.entity !== '' && row.entity !== entity) continue;
    const filing = filingIn(row, entity);
    const name = nameOf(filing.period, filing.return);
    const other = filings.get(name);
    if (other && !isSame(other, filing))
      throw filingError(
        filing.place,
        `${filing.period} ${filing.return} was filed twice: ${other.place} says otherwise`,
        'Keep the line that is right. What was filed later of the same period is a return of its amended version.',
      );
    filings.set(name, filing);
  }
  return [...filings.values()];
};

const filingIn = (row: TitledRow<Column>, entity: string): Filing => {
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
  const on = dayIn(row, 'filedon');
  if (on === undefined)
    throw filingError(placeOf('filedon'), 'the day is missing', 'Write the day it was filed as 2026-11-20.');
  const amount = moneyIn(row, 'amount');
  const paid = moneyIn(row, 'paid');
  const paidOn = dayIn(row, 'paidon');
  if ((paid === undefined) !== (paidOn === undefined))
    throw filingError(placeOf('paid'), 'a payment needs amount and day', 'Fill in both, or none.');
  return {
    entity,
    period,
    return: name,
    on,
    confirmation,
    ...(amount !== undefined && { amount }),
    ...(paid !== undefined && { paid }),
    ...(paidOn !== undefined && { paidOn }),
    place: placeOf('period'),
  };
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

const isSame = (one: Filing, other: Filing): boolean => textIn(one) === textIn(other);

const textIn = (filing: Filing): string => JSON.stringify({ ...filing, place: '' });

const nameOf = (period: string, name: string): string => `${period} ${name.toLowerCase()}`;

/** Returns the filing of a return of one version of a period. A line for one version never counts for another. */
export const filingOf = (filings: readonly Filing[], period: string, name: string): Filing | undefined =>
  filings.find((filing) => nameOf(filing.period, filing.return) === nameOf(period, name));

/**
 * Writes a filing as a line of its own, in the dialect that the file has.
 *
 * @throws {TieoutError} E_FILING if the file has another line of that return
 */
export const addFiling = async (root: string, filing: Omit<Filing, 'place'>): Promise<void> => {
  const known = filingOf(await readFilings(root, filing.entity), filing.period, filing.return);
  if (known)
    throw filingError(
      known.place,
      `${filing.period} ${filing.return} was filed already, on ${known.on}`,
      `Correct that line of ${FILINGS}; what was filed later is a return of the amended version.`,
    );
  const path = join(root, FILINGS);
  const text = (await textOf(path)) ?? `${TITLES}\r\n`;
  const titles = text.split(/\r?\n/, 1)[0] ?? '';
  const delimiter = [';', '\t'].find((sign) => titles.includes(sign)) ?? ',';
  const cells = cellsOf(filing);
  const line = titles.split(delimiter).map((title) => {
    const column = title.toLowerCase().replace(/[^a-z]/g, '');
    return quoted(cells.get(column) ?? '', delimiter);
  });
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  await replaceFile(path, `${text}${/\n$/.test(text) ? '' : end}${line.join(delimiter)}${end}`);
};

const cellsOf = (filing: Omit<Filing, 'place'>): ReadonlyMap<string, string> =>
  new Map([
    ['entity', filing.entity],
    ['period', filing.period],
    ['return', filing.return],
    ['filedon', filing.on],
    ['confirmation', filing.confirmation.replace(/^[=+\-@]/, "'$&")],
    ['amount', amountText(filing.amount)],
    ['paid', amountText(filing.paid)],
    ['paidon', filing.paidOn ?? ''],
  ]);

const amountText = (amount: number | undefined): string =>
  amount === undefined ? '' : formatMoney(amount as Money);

const quoted = (text: string, delimiter: string): string =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const filingError = (place: string, rule: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_FILING', message: `${place}: ${rule}`, nextStep });

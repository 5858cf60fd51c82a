import { addDays, type CalendarDate, dateOf } from '../../kernel/calendar.ts';
import { TieoutError } from '../../kernel/errors.ts';
import type { SurveyedFile } from '../sales/files/survey-file.ts';
import { type TableHead, tableHeads } from '../sales/files/table-heads.ts';
import type { TableRow } from '../sales/files/table-row.ts';
import type { TaxAccount } from './accounts.ts';
import { type Header, headerOf } from './layouts.ts';
import type { LedgerDays, LedgerFile } from './ledger-file.ts';
import { sectionReader } from './section-reader.ts';

/** Reads the exports of one ledger in order. A row that an earlier file also has counts only once. */
type LedgerReader = (file: SurveyedFile) => Promise<LedgerFile>;

export const ledgerReader = (accounts: readonly TaxAccount[]): LedgerReader => {
  const earlier = new Map<string, number>();
  return async (file) => {
    const { head, row: headRow, header, above } = await findHeader(file);
    const reader = sectionReader({ file: file.name, header, accounts, earlier });
    for await (const rows of head.from(headRow)) {
      for (const row of rows) {
        if (row.line <= headRow.line) continue;
        if (isCashBasis(row.cells)) throw cashBasis(file);
        reader.add(row);
      }
    }
    const { name: path, sha256, bytes } = file;
    return { path, sha256, bytes, layout: header.layout.name, ...reader.end(daysAbove(above)) };
  };
};

type FoundHeader = {
  readonly head: TableHead;
  readonly row: TableRow;
  readonly header: Header;
  readonly above: readonly TableRow[];
};

/** How many title lines may precede the header. */
const HEADER_LINES_MAX = 20;

/**
 * @throws {TieoutError} E_BOOKS_LAYOUT when no row is a known ledger header, the report has no entries, or it is on
 * cash basis
 */
const findHeader = async (file: SurveyedFile): Promise<FoundHeader> => {
  const heads = await tableHeads(file, [',', ';', '\t', '|']);
  const found = heads.flatMap((head) => {
    for (const row of head.rows.filter(({ line }) => line <= HEADER_LINES_MAX)) {
      const header = headerOf(row.cells);
      if (header) return { head, row, header, above: head.rows.filter(({ line }) => line < row.line) };
    }
    return [];
  });
  const best = found.find(({ header }) => header.layout.refused === undefined) ?? found[0];
  if (!best) throw unusable(file, 'its columns are those of no ledger export that is known');
  const { refused } = best.header.layout;
  if (refused !== undefined) throw unusable(file, refused);
  if (best.above.some(({ cells }) => isCashBasis(cells))) throw cashBasis(file);
  return best;
};

const daysAbove = (rows: readonly TableRow[]): LedgerDays | null =>
  rows.flatMap(({ cells }) => cells.flatMap((cell) => reportDays(cell) ?? []))[0] ?? null;

const isCashBasis = (cells: readonly string[]): boolean => /^cash basis\b/i.test((cells[0] ?? '').trim());

const EXPORTS =
  'General Ledger or Transaction Detail by Account from QuickBooks, Account Transactions from Xero, or a NetSuite search with date, type, document number, account, memo, debit and credit';

const unusable = (file: SurveyedFile, why: string): TieoutError =>
  refusal(
    file,
    `as a ledger it cannot be read: ${why}`,
    `Export the ${EXPORTS}; or write a CSV file with the columns date, account, amount and memo. docs/ledger.md describes them`,
  );

const cashBasis = (file: SurveyedFile): TieoutError =>
  refusal(
    file,
    'it is on cash basis, where tax is booked when it is paid',
    'Export the same report on accrual basis',
  );

const refusal = (file: SurveyedFile, message: string, nextStep: string): TieoutError =>
  new TieoutError({
    code: 'E_BOOKS_LAYOUT',
    message: `${file.place}: ${message}`,
    nextStep,
    details: { file: file.place },
  });

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

const monthOf = (name: string | undefined): number | undefined => {
  const text = (name ?? '').toLowerCase();
  const found = MONTHS.findIndex((month) => text.length >= 3 && month.startsWith(text));
  return found < 0 ? undefined : found + 1;
};

const NAME = '([A-Za-z]{3,9})';
const TO = '\\s*(?:-|–|to|through)\\s*';

/** `September 1-30, 2026`, `July 21 - August 3, 2026`, `December 28, 2025 - January 3, 2026`. */
const DAYS = new RegExp(`${NAME} (\\d{1,2})(?:, (\\d{4}))?${TO}(?:${NAME} )?(\\d{1,2}), (\\d{4})`);
/** `1 September 2026 to 30 September 2026`. */
const DAY_FIRST = new RegExp(`(\\d{1,2}) ${NAME} (\\d{4})${TO}(\\d{1,2}) ${NAME} (\\d{4})`);
/** `09/01/2026 - 09/30/2026`. */
const FIGURES = new RegExp(`(\\d{1,2})/(\\d{1,2})/(\\d{4})${TO}(\\d{1,2})/(\\d{1,2})/(\\d{4})`);
/** `September 2026`, `July - September, 2026`. */
const WHOLE_MONTHS = new RegExp(`^(?:${NAME}(?: (\\d{4}))?${TO})?${NAME},? (\\d{4})$`);

type Day = CalendarDate | undefined;

const day = (year: string | undefined, month: number | undefined, number: string | undefined): Day =>
  month === undefined ? undefined : dateOf(Number(year), month, Number(number));

const lastOf = (year: string | undefined, month: number | undefined): Day => {
  if (month === undefined) return undefined;
  const next = month === 12 ? dateOf(Number(year) + 1, 1, 1) : dateOf(Number(year), month + 1, 1);
  return next && addDays(next, -1);
};

type Found = RegExpExecArray;

/** How to read each date format. A year or month given only once applies to both ends. */
const FORMS: readonly (readonly [RegExp, (found: Found) => readonly [Day, Day]])[] = [
  [DAY_FIRST, ([, d1, m1, y1, d2, m2, y2]) => [day(y1, monthOf(m1), d1), day(y2, monthOf(m2), d2)]],
  [DAYS, ([, m1, d1, y1, m2, d2, y2]) => [day(y1 ?? y2, monthOf(m1), d1), day(y2, monthOf(m2 ?? m1), d2)]],
  [FIGURES, ([, m1, d1, y1, m2, d2, y2]) => [day(y1, Number(m1), d1), day(y2, Number(m2), d2)]],
  [WHOLE_MONTHS, ([, m1, y1, m2, y2]) => [day(y1 ?? y2, monthOf(m1 ?? m2), '1'), lastOf(y2, monthOf(m2))]],
];

/** Parse the date range in a line above the header; `undefined` if it has none. */
const reportDays = (text: string): LedgerDays | undefined => {
  for (const [form, read] of FORMS) {
    const found = form.exec(text.trim());
    const [first, last] = found ? read(found) : [];
    if (first && last && first <= last) return { first, last };
  }
  return undefined;
};

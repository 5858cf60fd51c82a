import { TieoutError } from '../../kernel/errors.ts';
import type { SurveyedFile } from '../sales/files/survey-file.ts';
import { type TableHead, tableHeads } from '../sales/files/table-heads.ts';
import type { TableRow } from '../sales/files/table-row.ts';
import type { TaxAccount } from './accounts.ts';
import { type Header, headerOf } from './layouts.ts';
import type { LedgerDays, LedgerFile } from './ledger-file.ts';
import { reportDays } from './report-days.ts';
import { sectionReader } from './section-reader.ts';

/** Reads the exports of one ledger in order: a row that an earlier file has, too, counts once. */
export type LedgerReader = (file: SurveyedFile) => Promise<LedgerFile>;

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

/** Lines with titles that may stand above the header. */
const HEADER_LINES_MAX = 20;

/** @throws {TieoutError} E_BOOKS_LAYOUT when no row is the header of a ledger export, or it is one of a report without entries */
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
    recovery: 'fix-input',
    message: `${file.place}: ${message}`,
    nextStep,
    details: { file: file.place },
  });

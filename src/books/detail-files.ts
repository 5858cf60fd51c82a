import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { NO_CERTIFICATE, NONE_BY_DECISION } from '../certificates/certificate.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { type DetailLine, LEFT_OUT } from '../judge/detail-row.ts';
import type { RefundLink } from '../judge/refund-link.ts';
import { formatMoney, type Money } from '../kernel/money.ts';
import { shownNumber } from '../kernel/text.ts';
import type { Origin } from '../sales/sale.ts';
import { shownValue } from '../workbook/cell.ts';
import type { Format } from '../workbook/format.ts';
import {
  type Column,
  type CountedPages,
  type FilledSheet,
  filled,
  type RowPages,
  streamed,
  type TableSheet,
} from '../workbook/sheet.ts';
import {
  detailGrouping,
  detailGroupsOf,
  detailOf,
  EXEMPT_SALES,
  type ExemptSale,
  NOT_POSTED,
  REFUND_LINKS,
} from './detail.ts';
import { harmless } from './files-to-fill-in.ts';

/** The row limit of an Excel sheet, less some for titles and totals. */
const SHEET_ROWS_MAX = 1_000_000;

/** Number of rows to buffer, so that a page does not cause one write for each of its files. */
const WAITING_MAX = 10_000;

/** The tables with a row for each sale, in the order in which they are written. */
export type SalesTables = {
  readonly detail: FilledSheet;
  readonly exempt: FilledSheet;
  readonly notPosted: FilledSheet;
};

/**
 * Builds the tables of sales of a period. The rows are read once, for Detail; those of the others are kept meanwhile. If
 * Detail would exceed the rows of a sheet, CSV files by state and day list the rows, and the sheet has their sums.
 */
export const salesTables = async (
  folder: string,
  report: Pick<
    PeriodReport,
    'certificates' | 'detailRows' | 'detailRowsMax' | 'exceptions' | 'reasons' | 'states' | 'unposted'
  >,
  rows: RowPages<DetailLine>,
): Promise<SalesTables> => {
  const { detailRows, detailRowsMax, exceptions, unposted, certificates } = report;
  const notPosted: DetailLine[] = [];
  const notPostedTable = streamed(NOT_POSTED, { count: countOf(unposted, 'records'), pages: [notPosted] });
  const exemptCount = countOf(Object.values(certificates.exempt), 'sales');
  const detail = detailOf(report);
  if (fitsSheet(detailRows, detailRowsMax)) {
    const exempt: ExemptSale[] = [];
    const pages = postedRows(withDecisions(rows, exceptions), { exempt, notPosted });
    return {
      detail: streamed(detail, { count: detailRows - notPostedTable.count, pages }),
      exempt: streamed(EXEMPT_SALES, { count: exemptCount, pages: [exempt] }),
      notPosted: notPostedTable,
    };
  }
  const files = rowFiles(folder, detail.columns);
  const exempt = rowFiles(folder, EXEMPT_SALES.columns);
  const groups = detailGrouping();
  const kept: Kept = { exempt: { push: (row) => exempt.add(EXEMPT_PATH, row) }, notPosted };
  for await (const page of postedRows(withDecisions(rows, exceptions), kept)) {
    for (const row of page) {
      const path = pathOf(row);
      files.add(path, row);
      groups.add(row, path);
    }
    await files.write(WAITING_MAX);
    await exempt.write(WAITING_MAX);
  }
  await files.write();
  await exempt.write();
  return {
    detail: filled(detailGroupsOf(detail), groups.all()),
    exempt: listedElsewhere(EXEMPT_SALES, exemptCount, EXEMPT_PATH),
    notPosted: notPostedTable,
  };
};

const EXEMPT_PATH = 'detail/exempt-sales.csv';

/** Says on a sheet which file has its rows. */
const listedElsewhere = <Row>(sheet: TableSheet<Row>, count: number, path: string): FilledSheet =>
  filled(count === 0 ? sheet : { ...sheet, empty: `${path} has its ${shownNumber(count, 'row')}.` }, []);

const countOf = <Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  rows.reduce((total, row) => total + row[name], 0);

type Kept = {
  readonly exempt: { push(row: ExemptSale): unknown };
  readonly notPosted: DetailLine[];
};

/** Passes the posted rows on, and keeps what the other tables list. */
async function* postedRows(
  pages: RowPages<DetailLine>,
  { exempt, notPosted }: Kept,
): AsyncGenerator<readonly DetailLine[]> {
  for await (const page of pages) {
    for (const row of page) {
      if (row.certificate !== '') exempt.push(exemptSaleOf(row));
      if (!row.isPosted) notPosted.push(row);
    }
    yield page.filter(({ isPosted }) => isPosted);
  }
}

/** Leaves out what Exempt sales does not show: a wholesaler's rows are nearly all in it. */
const exemptSaleOf = ({ id, businessDate, state, gross, certificate, relieved }: DetailLine): ExemptSale => ({
  id,
  businessDate,
  state,
  gross,
  certificate,
  relieved,
});

/** Builds the table Refunds of a period. A CSV file lists refunds that would exceed the rows of a sheet. */
export const refundsSheet = async (
  folder: string,
  { detailRowsMax }: Pick<PeriodReport, 'detailRowsMax'>,
  { count, pages }: CountedPages<RefundLink>,
): Promise<FilledSheet> => {
  if (count <= BESIDE_ROWS_MAX && fitsSheet(count, detailRowsMax))
    return streamed(REFUND_LINKS, { count, pages });
  const files = rowFiles(folder, REFUND_LINKS.columns);
  for await (const page of pages) {
    for (const row of page) files.add(REFUNDS_PATH, row);
    await files.write(WAITING_MAX);
  }
  await files.write();
  return listedElsewhere(REFUND_LINKS, count, REFUNDS_PATH);
};

/** Refunds share a sheet with Exceptions. */
const BESIDE_ROWS_MAX = SHEET_ROWS_MAX / 2;

const REFUNDS_PATH = 'detail/refunds.csv';

const fitsSheet = (rows: number, rowsMax = SHEET_ROWS_MAX): boolean =>
  rows <= Math.min(rowsMax, SHEET_ROWS_MAX);

/** Adds decisions to the rows: a sale that is left out, an exemption accepted without a certificate. */
async function* withDecisions(
  pages: RowPages<DetailLine>,
  exceptions: PeriodReport['exceptions'],
): AsyncGenerator<readonly DetailLine[]> {
  const accepted = exceptions.filter((exception) => exception.accepted !== '');
  const why = (of: typeof accepted) => new Map(of.map((each) => [originKey(each.origin), each.accepted]));
  const leftOut = why(accepted.filter(({ held }) => held === 'sale'));
  const unproved = why(accepted.filter(({ code }) => code === 'R08'));
  for await (const page of pages)
    yield page.map((row) => {
      if (row.status === 'needs review' && leftOut.has(originKey(row))) return { ...row, status: LEFT_OUT };
      const reason = row.certificate === NO_CERTIFICATE ? unproved.get(originKey(row)) : undefined;
      if (reason === undefined) return row;
      return {
        ...row,
        certificate: NONE_BY_DECISION,
        detail: `Exempt by decision, without a certificate: ${reason}`,
      };
    });
}

const originKey = ({ file, line, record }: Origin): string => JSON.stringify([file, line, record]);

/** Returns a row of a sheet as texts, one per column. */
export const rowTexts = <Row>(
  { columns }: TableSheet<Row>,
  row: Row,
): readonly (readonly [title: string, text: string])[] =>
  columns.map((column) => [column.title, textOf(column.format, column.value(row))]);

/** Returns the path of a row's file: `detail/CA/2026-10-31.csv`. */
const pathOf = ({ state, country, businessDate }: DetailLine): string => {
  const place = (state || country).toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return `detail/${place || 'none'}/${businessDate}.csv`;
};

/** Formats a cell as text: amounts and days as in all files, times in UTC. */
const textOf = (format: Format, cell: unknown): string => {
  const value = shownValue(cell);
  if (value === undefined) return '';
  if (format === 'money' || format === 'change') return formatMoney(value as Money);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'number' ? String(value) : harmless(String(value));
};

/** Writes any number of CSV files in parallel, each with a header. */
const rowFiles = <Row>(folder: string, columns: readonly Column<Row>[]) => {
  const header = columns.map(({ title }) => title);
  const known = new Set<string>();
  const waiting = new Map<string, (readonly string[])[]>();
  let count = 0;
  return {
    add: (path: string, row: Row): void => {
      const rows = waiting.get(path) ?? (known.has(path) ? [] : [header]);
      known.add(path);
      rows.push(columns.map((column) => textOf(column.format, column.value(row))));
      waiting.set(path, rows);
      count += 1;
    },
    /** Writes the buffered rows if there are at least so many. */
    write: async (atLeast = 0): Promise<void> => {
      if (count < atLeast) return;
      for (const [path, rows] of waiting) {
        await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
        await appendFile(join(folder, path), stringify(rows), { mode: 0o600 });
      }
      waiting.clear();
      count = 0;
    },
  };
};

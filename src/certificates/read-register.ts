import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { CalendarDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { digestOf } from '../kernel/json.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import { sha256OfFile } from '../runtime/publish-folder.ts';
import { dayForms } from '../sales/read-date.ts';
import { isMangled } from '../sales/sale-name.ts';
import type { SurveyedFile } from '../sales/survey-file.ts';
import { type TitledTable, titledTable } from '../sales/table-heads.ts';
import { rowByRow, type TableRow } from '../sales/table-row.ts';
import {
  type Certificate,
  EXEMPTION_REASONS,
  exemptingTypeOf,
  exemptionReason,
  type Register,
  type RegisterProblem,
  registerOf,
} from './certificate.ts';

/** The certificates in one register file, with row counts: `used + ignored + rejected = rows`. */
export type RegisterFile = {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly used: number;
  readonly ignored: number;
  readonly rejected: number;
  readonly certificates: readonly Certificate[];
  readonly problems: readonly RegisterProblem[];
};

/** Reads the files of one register in order. Names are unique, and duplicate rows are reported, across all of them. */
export const registerReader = () => {
  const places = new Map<string, string>();
  const names = new Set<string>();
  return async (file: SurveyedFile): Promise<RegisterFile> => {
    const { head, titles, places: columns } = await tableIn(file);
    const certificates: Certificate[] = [];
    const problems: RegisterProblem[] = [];
    const counts = { rows: 0, used: 0, ignored: 0, rejected: 0 };
    for await (const row of rowByRow(head.from(titles))) {
      if (row.line <= titles.line) continue;
      counts.rows += 1;
      const read = readCertificate(row, { file: file.name, header: titles.cells, places: columns });
      if (!('id' in read)) {
        counts.rejected += 1;
        problems.push(...read);
        continue;
      }
      const { origin, ...content } = read;
      const digest = digestOf(content);
      const earlier = places.get(digest);
      if (earlier !== undefined) {
        counts.ignored += 1;
        problems.push({
          code: 'duplicate-certificate',
          severity: 'notice',
          origin,
          message: `the same certificate stands at ${earlier}`,
        });
        continue;
      }
      places.set(digest, `${origin.file}:${origin.line}`);
      const name = freeName(read.id, names);
      names.add(name.toUpperCase());
      counts.used += 1;
      certificates.push(await withDocument(read, name, dirname(file.path)));
    }
    const { name: path, sha256, bytes } = file;
    return { path, sha256, bytes, ...counts, certificates, problems };
  };
};

/** Returns a name that no other certificate has, in capitals or not: the formulas of the books compare without case. */
const freeName = (id: string, taken: ReadonlySet<string>): string => {
  let name = id;
  for (let copy = 2; taken.has(name.toUpperCase()); copy += 1) name = `${id} #${copy}`;
  return name;
};

const withDocument = async (read: ReadCertificate, name: string, folder: string): Promise<Certificate> => {
  const { document } = read;
  if (document === null) return { ...read, name, document };
  return { ...read, name, document: { name: document, found: await hashDocument(folder, document) } };
};

/**
 * Finds the table of a register.
 *
 * @throws {TieoutError} E_CERTIFICATES_COLUMNS when a required column is missing, or a column appears twice
 */
const tableIn = async (file: SurveyedFile): Promise<TitledTable<RegisterColumn>> => {
  const table = await titledTable<RegisterColumn>(file, COLUMNS, REQUIRED);
  if (!table) throw unusable(file, 'it is empty');
  const missing = table.missing.map((column) => `"${titleOf(column)}"`);
  if (missing.length > 0) throw unusable(file, `it has no column ${missing.join(', ')}`);
  const [pair] = table.twice;
  if (pair)
    throw unusable(file, `its columns ${pair.map((cell) => `"${cell}"`).join(' and ')} mean the same`);
  return table;
};

const unusable = (file: SurveyedFile, rule: string): TieoutError =>
  new TieoutError({
    code: 'E_CERTIFICATES_COLUMNS',
    message: `${file.place}: as a register of exemption certificates ${rule}`,
    nextStep:
      'A register has the columns certificate, customer, states, reason, valid from and valid to; docs/tax-manager.md describes them',
    details: { file: file.place },
  });

/**
 * SHA-256 of a register's document, named by its path relative to the register's folder; `null` if there is no such
 * file or the path leads out of the folder: a register can refer only to files in its own folder.
 */
const hashDocument = async (folder: string, name: string): Promise<string | null> => {
  const path = resolve(folder, name);
  const inside = relative(folder, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return null;
  try {
    if (!(await stat(path)).isFile()) return null;
    return await sha256OfFile(path);
  } catch {
    // An unreadable document proves nothing, whatever the cause; the finding about it names the document.
    return null;
  }
};

/** The columns of a register, each with the header texts that mean it. */
const COLUMNS = {
  certificate: ['certificate', 'certificate id', 'certificate number', 'id'],
  customer: ['customer', 'customer id', 'customer code', 'customer number'],
  states: ['states', 'state'],
  reason: ['reason', 'exemption reason', 'exemption type'],
  validFrom: ['valid from', 'effective date', 'from'],
  validTo: ['valid to', 'expiration date', 'until'],
  document: ['document', 'file', 'file name'],
  order: ['order', 'order id', 'order number'],
  channel: ['channel'],
} as const;

type RegisterColumn = keyof typeof COLUMNS;

/**
 * Required columns. Cells of `valid to` may be blank, but the column must be there to show that expiry was considered.
 */
const REQUIRED: readonly RegisterColumn[] = [
  'certificate',
  'customer',
  'states',
  'reason',
  'validFrom',
  'validTo',
];

/** The name of a column in the documentation. */
const titleOf = (column: RegisterColumn): string => COLUMNS[column][0];

const EVERY = new Set(['all', 'all states', 'us', 'usa', 'united states']);

/** Parse the states in a cell, codes or names between commas, semicolons, bars or slashes, or say what is wrong. */
const readStates = (
  text: string,
): { readonly states: readonly string[] | 'all' } | { readonly problem: string } => {
  if (text === '') return { problem: 'is blank: name the states, or write "all"' };
  if (EVERY.has(text.toLowerCase())) return { states: 'all' };
  // The District by the name of its city is one place, although it names two.
  const named = text.replace(/Washington,?\s+D\.?\s?C\b\.?/gi, 'DC');
  const parts = named.split(/[,;|/\n]/).flatMap((part) => part.trim() || []);
  const codes = parts.map((part) => usRegionCode(part));
  const unknown = parts.find((_, index) => codes[index] === undefined);
  if (unknown !== undefined || parts.length === 0)
    return { problem: `has "${unknown ?? text}", which is not a state of the United States` };
  return { states: [...new Set(codes.flatMap((code) => code ?? []))].sort() };
};

/** A certificate as read from its row, before its unique name and the digest of its document are added. */
export type ReadCertificate = Omit<Certificate, 'name' | 'document'> & {
  readonly document: string | null;
};

type Place = {
  readonly file: string;
  readonly header: readonly string[];
  readonly places: TitledTable<RegisterColumn>['places'];
};

/** Read one row of a register: a certificate, or all the problems that make the row unusable. */
export const readCertificate = (
  row: TableRow,
  { file, header, places }: Place,
): ReadCertificate | readonly RegisterProblem[] => {
  const text = (column: RegisterColumn): string => unguarded((row.cells[places[column]] ?? '').trim());
  const origin = {
    file,
    line: row.line,
    record: text('certificate') || text('customer') || `row ${row.line}`,
  };
  const problems: RegisterProblem[] = [];
  const refuse = (message: string, cell?: { column: string; value: string }): undefined => {
    problems.push({ code: 'bad-certificate', severity: 'error', origin, message, ...cell });
    return undefined;
  };
  const wrong = (column: RegisterColumn, rule: string): undefined => {
    const title = header[places[column]]?.trim() ?? titleOf(column);
    const value = text(column);
    return refuse(value === '' ? `${title} ${rule}` : `${title} "${value}" ${rule}`, {
      column: title,
      value,
    });
  };

  const surplus = row.cells.slice(header.length).find((cell) => cell.trim() !== '');
  if (surplus !== undefined)
    refuse(
      `the row has more cells than the header, from "${surplus.trim()}" on; a list of states belongs in quotes`,
    );
  const id = text('certificate') || wrong('certificate', 'is blank');
  for (const column of ['certificate', 'customer', 'order'] as const)
    if (isMangled(text(column))) wrong(column, 'is what a spreadsheet left of it');
  if (text('customer') === '' && text('order') === '') wrong('customer', 'is blank');
  const states = readStates(text('states'));
  if ('problem' in states) wrong('states', states.problem);
  const reason = exemptionReason(text('reason')) ?? wrong('reason', unknownReason(text('reason')));
  const validFrom = readDay(text('validFrom')) ?? wrong('validFrom', dayRule(text('validFrom')));
  const validTo = readLastDay(text('validTo'));
  if (validTo === undefined) wrong('validTo', dayRule(text('validTo')));
  else if (validFrom !== undefined && validTo !== null && validTo < validFrom)
    wrong('validTo', `lies before its first day, ${validFrom}`);

  if (problems.length > 0) return problems;
  if (!id || 'problem' in states || !reason || !validFrom || validTo === undefined) return problems;
  return {
    id,
    customer: text('customer'),
    states: states.states,
    reason,
    type: exemptingTypeOf(reason),
    validFrom,
    validTo,
    order: text('order') || null,
    channel: text('channel') || null,
    document: text('document') || null,
    origin,
  };
};

/** Remove the apostrophe that keeps a spreadsheet from reading the cell as a formula. */
const unguarded = (text: string): string => (/^'[=+\-@]/.test(text) ? text.slice(1) : text);

const unknownReason = (text: string): string =>
  text === '' ? 'is blank' : `is not one of the reasons ${EXEMPTION_REASONS.join(', ')}`;

const dayRule = (text: string): string =>
  text === '' ? 'is blank' : 'is not a day such as 2026-10-31 or 10/31/2026';

/** Read a date as registers and spreadsheets write it; `undefined` if invalid. With slashes it is month, day, year. */
const readDay = dayForms([
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'M/d/yyyy',
  'M/d/yy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'yyyy-MM-dd HH:mm(:ss)',
  'M/d/yyyy H:mm(:ss)',
]);

/** Ways to say that a certificate does not expire. */
const ENDLESS = /^(|-|none|never|n\/a|no expiration|does not expire|indefinite|until revoked)$/i;

/** Read the last day of a certificate, `null` if it does not expire; `undefined` if the cell is neither. */
const readLastDay = (text: string): CalendarDate | null | undefined =>
  ENDLESS.test(text) ? null : readDay(text);

/** Returns the register that these files make up; `undefined` when none is configured. */
export const registerOfFiles = (files: readonly RegisterFile[]): Register | undefined =>
  files.length === 0 ? undefined : registerOf(files.flatMap(({ certificates }) => certificates));

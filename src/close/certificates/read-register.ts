import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { TieoutError } from '../../kernel/errors.ts';
import { digestOf } from '../../kernel/json.ts';
import { sha256OfFile } from '../../runtime/publish-folder.ts';
import type { SurveyedFile } from '../sales/files/survey-file.ts';
import { type TableHead, tableHeads } from '../sales/files/table-heads.ts';
import type { TableRow } from '../sales/files/table-row.ts';
import type { Certificate } from './certificate.ts';
import { type ReadCertificate, readCertificate } from './read-certificate.ts';
import { type RegisterHeader, registerHeader } from './register-columns.ts';
import type { RegisterProblem } from './register-problem.ts';

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
export type RegisterReader = (file: SurveyedFile) => Promise<RegisterFile>;

export const registerReader = (): RegisterReader => {
  const places = new Map<string, string>();
  const names = new Set<string>();
  return async (file) => {
    const { head, row: headRow, header } = await findHeader(file);
    const certificates: Certificate[] = [];
    const problems: RegisterProblem[] = [];
    const counts = { rows: 0, used: 0, ignored: 0, rejected: 0 };
    for (const row of await rowsBelow(head, headRow)) {
      counts.rows += 1;
      const read = readCertificate(row, { file: file.name, header: headRow.cells, places: header.places });
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
  return { ...read, name, document: { ...document, found: await hashDocument(folder, document.name) } };
};

type FoundHeader = { readonly head: TableHead; readonly row: TableRow; readonly header: RegisterHeader };

/** How many lines of text may precede the header. */
const HEADER_LINES_MAX = 20;

/**
 * Find the row with the most register columns, trying every way to read the file.
 *
 * @throws {TieoutError} E_CERTIFICATES_COLUMNS when a required column is missing, or a column appears twice
 */
const findHeader = async (file: SurveyedFile): Promise<FoundHeader> => {
  const heads = await tableHeads(file, [',', ';', '\t', '|']);
  const candidates = heads.flatMap((head) =>
    head.rows
      .filter(({ line }) => line <= HEADER_LINES_MAX)
      .map((row): FoundHeader => ({ head, row, header: registerHeader(row.cells) })),
  );
  const [best] = candidates.sort(
    (left, right) =>
      left.header.missing.length - right.header.missing.length || right.header.known - left.header.known,
  );
  if (!best) throw unusable(file, 'it is empty');
  const { missing, twice } = best.header;
  if (missing.length > 0)
    throw unusable(file, `it has no column ${missing.map((title) => `"${title}"`).join(', ')}`);
  const [pair] = twice;
  if (pair)
    throw unusable(file, `its columns ${pair.map((cell) => `"${cell}"`).join(' and ')} mean the same`);
  return best;
};

const rowsBelow = async (head: TableHead, header: TableRow): Promise<readonly TableRow[]> => {
  const rows: TableRow[] = [];
  for await (const batch of head.from(header)) rows.push(...batch.filter(({ line }) => line > header.line));
  return rows;
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

import { TieoutError } from '../kernel/errors.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import { isMangled } from '../sales/sale-name.ts';
import type { SurveyedFile } from '../sales/survey-file.ts';
import { readDay, type TitledRow, titledRows } from '../sales/table-heads.ts';
import {
  type Certificate,
  EXEMPTION_REASONS,
  exemptionReason,
  type Register,
  type RegisterProblem,
  registerOf,
} from './certificate.ts';

/** The certificates in one register file, with row counts: `used + ignored + rejected = rows`. */
export type RegisterFile = Awaited<ReturnType<ReturnType<typeof registerReader>>>;

/** Reads the files of one register in order. Names are unique across all of them. */
export const registerReader = () => {
  const names = new Set<string>();
  return async (file: SurveyedFile) => {
    const rows = await titledRows(file, COLUMNS, REQUIRED);
    if (!rows) throw unusable(file);
    const certificates: Certificate[] = [];
    const problems: RegisterProblem[] = [];
    for (const row of rows) {
      const { line } = row;
      const origin = { file: file.name, line, record: row.certificate || row.customer || `row ${line}` };
      const read = readCertificate(row);
      if (typeof read === 'string') {
        problems.push({ code: 'bad-certificate', origin, message: read });
        continue;
      }
      const name = freeName(read.id, names);
      names.add(name.toUpperCase());
      certificates.push({ name, ...read, origin });
    }
    const { name: path, sha256, bytes } = file;
    const counts = { rows: rows.length, used: certificates.length, ignored: 0, rejected: problems.length };
    return {
      path,
      sha256,
      bytes,
      ...counts,
      certificates,
      problems,
    };
  };
};

/** Returns a name that no other certificate has, in capitals or not: the formulas of the books compare without case. */
const freeName = (id: string, taken: ReadonlySet<string>): string => {
  let name = id;
  for (let copy = 2; taken.has(name.toUpperCase()); copy += 1) name = `${id} #${copy}`;
  return name;
};

const unusable = (file: SurveyedFile): TieoutError =>
  new TieoutError({
    code: 'E_CERTIFICATES_COLUMNS',
    message: `${file.place}: it has not the columns of a register of exemption certificates, each once`,
    nextStep: `A register has the columns ${REQUIRED.map((column) => COLUMNS[column][0]).join(', ')}; docs/tax-manager.md describes them`,
    details: { file: file.place },
  });

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

/** A certificate as read from its row, before its unique name is added. */
type ReadCertificate = Omit<Certificate, 'name' | 'origin'>;

/** Read one row of a register: a certificate, or all the rules that the row breaks. */
const readCertificate = (row: TitledRow<RegisterColumn>): ReadCertificate | string => {
  const rules: string[] = [];
  const wrong = (column: RegisterColumn, rule: string): undefined => {
    const value = row[column] === '' ? '' : ` "${row[column]}"`;
    rules.push(`${row.titleOf(column)}${value} ${rule}`);
  };
  if (row.surplus !== '')
    rules.push(`"${row.surplus.trim()}" is in no column; a list of states belongs in quotes`);
  const id = row.certificate || wrong('certificate', 'is blank');
  for (const column of ['certificate', 'customer'] as const)
    if (isMangled(row[column])) wrong(column, 'is what a spreadsheet left of it');
  if (row.customer === '') wrong('customer', 'is blank');
  if (row.order !== '') wrong('order', 'limits it to one order: accept R08 of that order instead');
  const states = readStates(row.states);
  if ('problem' in states) wrong('states', states.problem);
  const reason = exemptionReason(row.reason) ?? wrong('reason', unknownReason(row.reason));
  const validFrom = readDay(row.validFrom) ?? wrong('validFrom', dayRule(row.validFrom));
  const validTo = ENDLESS.test(row.validTo) ? null : readDay(row.validTo);
  if (validTo === undefined) wrong('validTo', dayRule(row.validTo));
  else if (validFrom !== undefined && validTo !== null && validTo < validFrom)
    wrong('validTo', `lies before its first day, ${validFrom}`);

  const isWhole = rules.length === 0 && id && !('problem' in states) && reason && validFrom;
  if (!isWhole || validTo === undefined) return rules.join('; ');
  return {
    id,
    customer: row.customer,
    states: states.states,
    reason,
    type: EXEMPTION_REASONS[reason],
    validFrom,
    validTo,
    channel: row.channel || null,
    document: row.document || null,
  };
};

const unknownReason = (text: string): string =>
  text === '' ? 'is blank' : `is not one of the reasons ${Object.keys(EXEMPTION_REASONS).join(', ')}`;

const dayRule = (text: string): string =>
  text === '' ? 'is blank' : 'is not a day such as 2026-10-31 or 10/31/2026';

/** Ways to say that a certificate does not expire. */
const ENDLESS = /^(|-|none|never|n\/a|no expiration|does not expire|indefinite|until revoked)$/i;

/** Returns the register that these files make up; `undefined` when none is configured. */
export const registerOfFiles = (files: readonly RegisterFile[]): Register | undefined =>
  files.length === 0 ? undefined : registerOf(files.flatMap(({ certificates }) => certificates));

import type { CalendarDate } from '../../kernel/calendar.ts';
import { usRegionCode } from '../../kernel/us-regions.ts';
import type { TableRow } from '../sales/files/table-row.ts';
import { dayForms } from '../sales/normal/date-form.ts';
import { isMangled } from '../sales/record-id.ts';
import type { Certificate } from './certificate.ts';
import { EXEMPTION_REASONS, exemptingTypeOf, exemptionReason } from './exemption-reason.ts';
import { type ColumnPlaces, type RegisterColumn, titleOf } from './register-columns.ts';
import type { RegisterProblem } from './register-problem.ts';

const EVERY = new Set(['all', 'all states', 'us', 'usa', 'united states']);

/** Uniform multi-state forms. Naming one is not enough: it is valid only in the states that the buyer listed on it. */
const FORMS = new Set([
  'sst',
  'ssuta',
  'streamlined',
  'mtc',
  'multistate',
  'multi-state',
  'multijurisdiction',
  'uniform',
]);

/**
 * Parse the states in a cell (codes or names between commas, semicolons, bars, slashes or spaces), or say what is
 * wrong.
 */
const readStates = (
  text: string,
): { readonly states: readonly string[] | 'all' } | { readonly problem: string } => {
  if (text === '') return { problem: 'is blank: name the states, or write "all"' };
  if (EVERY.has(text.toLowerCase())) return { states: 'all' };
  if (WASHINGTON_DC.test(text)) return { states: ['DC'] };
  const codes = new Set<string>();
  for (const part of text.split(/[,;|/\n]/).map((piece) => piece.trim())) {
    if (part === '') continue;
    const found = codesOf(part);
    if (found === undefined) return { problem: problemOf(part) };
    for (const code of found) codes.add(code);
  }
  if (codes.size === 0) return { problem: 'names no state' };
  return { states: [...codes].sort() };
};

/** The District of Columbia by its city: one place, although it names two. */
const WASHINGTON_DC = /^Washington,?\s+D\.?\s?C\.?$/i;

/** One state, or several codes of two letters separated by spaces. */
const codesOf = (part: string): readonly string[] | undefined => {
  const whole = WASHINGTON_DC.test(part) ? 'DC' : usRegionCode(part);
  if (whole !== undefined) return [whole];
  const codes = part.split(/\s+/).map((code) => (code.length === 2 ? usRegionCode(code) : undefined));
  return codes.every((code) => code !== undefined) ? codes : undefined;
};

const problemOf = (part: string): string =>
  FORMS.has(part.toLowerCase())
    ? `names a form, "${part}", which holds in the states that the buyer wrote on it: list them`
    : `has "${part}", which is not a state of the United States`;

/** A certificate as read from its row, before its unique name and the digest of its document are added. */
export type ReadCertificate = Omit<Certificate, 'name' | 'document'> & {
  readonly document: { readonly name: string; readonly stated: string | null } | null;
};

type Place = { readonly file: string; readonly header: readonly string[]; readonly places: ColumnPlaces };

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
  const stated = readHash(text('hash'));
  if (stated === undefined) wrong('hash', 'is not a SHA-256 digest of 64 hexadecimal digits');

  if (problems.length > 0) return problems;
  if (!id || 'problem' in states || !reason || !validFrom || validTo === undefined || stated === undefined)
    return problems;
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
    document: text('document') === '' ? null : { name: text('document'), stated },
    origin,
  };
};

/** Remove the apostrophe that keeps a spreadsheet from reading the cell as a formula. */
const unguarded = (text: string): string => (/^'[=+\-@]/.test(text) ? text.slice(1) : text);

const unknownReason = (text: string): string =>
  text === '' ? 'is blank' : `is not one of the reasons ${EXEMPTION_REASONS.join(', ')}`;

const dayRule = (text: string): string =>
  text === '' ? 'is blank' : 'is not a day such as 2026-10-31 or 10/31/2026';

/** Read the stated digest, `null` for a blank cell; `undefined` if it is not a SHA-256. */
const readHash = (text: string): string | null | undefined => {
  const hash = text.toLowerCase().replace(/^sha-?256:/, '');
  if (hash === '') return null;
  return /^[0-9a-f]{64}$/.test(hash) ? hash : undefined;
};

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

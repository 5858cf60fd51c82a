import { stringify } from 'csv-stringify/sync';
import { DefectError } from '../../kernel/errors.ts';
import { add, type Money, negate, sum, ZERO } from '../../kernel/money.ts';
import { shownChange, shownMoney } from '../../kernel/text.ts';
import type { ReturnSchedule } from './form-lines.ts';
import { type Expression, partsOf } from './formula.ts';
import { hasGap } from './state-figures.ts';
import { amountDue, type ReturnCheck, type ReturnLine, type TaxReturn } from './tax-return.ts';

export const scheduleNamed = ({ schedules, form }: TaxReturn, name: string): ReturnSchedule => {
  const found = schedules.find(({ schedule }) => schedule.name === name);
  if (!found) throw new DefectError(`${form.form} has no schedule ${name}`);
  return found;
};

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

export const fileName = ({ figures, form }: TaxReturn, ending: string): string =>
  `${figures.state}-${form.form.replace(/[^A-Za-z0-9]+/g, '-')}-${figures.period.label}.${ending}`;

/** Builds a check that a total of the file equals a line of the return to the cent. */
export const equalCheck = (test: string, left: Money, right: Money): ReturnCheck => ({
  test,
  left,
  right,
  tolerance: 0 as Money,
});

/** Lists what to check if Tieout lacks rates of places. */
export const missingRates = ({ figures }: TaxReturn): readonly string[] =>
  hasGap(figures)
    ? ['check the rows of places whose local rate Tieout lacks: they carry the tax as it was collected']
    : [];

/** Lists what to add if rows have no code. */
export const missingCodes = (rows: readonly { readonly code: string }[], what: string): readonly string[] => {
  const count = rows.filter(({ code }) => code === '').length;
  return count === 0 ? [] : [`add the ${what} of ${count} of ${rows.length} rows`];
};

/** Returns the codes that several rows have, such as those of a place whose rate changed. */
export const repeatedCodes = (rows: readonly { readonly code: string }[]): readonly string[] => {
  const codes = rows.map(({ code }) => code).filter((code) => code !== '');
  return [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))];
};

/** A cell of a file for other programs: text, or a formatted number. */
export type CsvCell = { readonly text: string } | { readonly number: string };

const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * Text with any kind of line end is quoted; otherwise the text after it would begin a new cell, and could be a formula.
 */
const LINE_END = /[\r\n]/;
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/;

export const text = (value: string): CsvCell => ({ text: value });
export const number = (value: string): CsvCell => ({ number: value });

/**
 * Writes rows as CSV. Text that a spreadsheet would take for a formula gets an apostrophe. Numbers keep their sign;
 * they consist only of digits, a sign and a point.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  stringify(
    rows.map((row) => row.map(cellText)),
    { record_delimiter: 'windows', quoted_match: LINE_END },
  );

const cellText = (cell: CsvCell): string => {
  if ('text' in cell) return FORMULA_START.test(cell.text) ? `'${cell.text}` : cell.text;
  return NUMBER.test(cell.number) ? cell.number : `'${cell.number}`;
};

/** An XML element: its name, attributes, and either text or child elements. */
export type XmlElement = {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlElement[];
};

const NAME = /^[A-Za-z_][\w.-]*$/;
const MARKUP = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no form for these characters.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replace(MARKUP, (found) => ENTITIES[found] ?? found);

export const element = (
  name: string,
  content: string | readonly XmlElement[],
  attributes?: Readonly<Record<string, string>>,
): XmlElement => ({ name, content, ...(attributes && { attributes }) });

/**
 * Writes a document with a declaration, an indent of two blanks and LF.
 *
 * @throws {DefectError} for a name XML does not allow
 */
export const xmlText = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${linesOf(root, '').join('\n')}\n`;

const linesOf = ({ name, attributes = {}, content }: XmlElement, indent: string): string[] => {
  for (const each of [name, ...Object.keys(attributes)]) {
    if (!NAME.test(each)) throw new DefectError(`${each} is not a name of an XML element or attribute`);
  }
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)];
  if (typeof content === 'string') return [`${indent}<${head.join(' ')}>${escaped(content)}</${name}>`];
  return [
    `${indent}<${head.join(' ')}>`,
    ...content.flatMap((child) => linesOf(child, `${indent}  `)),
    `${indent}</${name}>`,
  ];
};

/** A file for a state's portal, with the checks that show whether to trust it. */
export type UploadFile = {
  readonly state: string;
  readonly format: string;
  readonly name: string;
  readonly text: string;
  /** Number of rows or elements with amounts. */
  readonly rows: number;
  readonly control: { readonly what: string; readonly amount: Money };
  /** The file's totals compared with lines of the return. */
  readonly checks: readonly ReturnCheck[];
  /** Steps to complete or check by hand before uploading the file: `add the location code of 3 of 3 rows`. */
  readonly toComplete: readonly string[];
  readonly notes: readonly string[];
};

/** An upload file as its writer makes it. */
export type WrittenFile = UploadFile & {
  /** The lines of the return whose amounts the file has; what they are computed from needs none. */
  readonly carries: readonly string[];
  /** The amount due by the amounts in the file alone. */
  readonly comesTo: Money;
  /** Whether the file says that it amends a return, where it does. */
  readonly namesAmendment?: true;
};

/** Says which amounts of the return a file has no place for, and checks that with them it comes to the amount due. */
export const withAmountsByHand = (
  filed: TaxReturn,
  { carries, comesTo, namesAmendment: _, ...file }: WrittenFile,
): UploadFile => {
  const byHand = notCarried(filed, carries).filter(({ amount }) => amount !== ZERO);
  const due = amountDue(filed);
  const check = equalCheck(
    'The file comes to the amount due, with what is entered by hand.',
    add(comesTo, sum(byHand.map(({ amount }) => amount))),
    due,
  );
  const amounts = byHand.map(({ label, amount }) => `${label} ${shownChange(amount)}`).join(', ');
  return {
    ...file,
    checks: [...file.checks, check],
    toComplete:
      byHand.length === 0
        ? file.toComplete
        : [
            `enter by hand what the file has no place for: ${amounts}; the file comes to ${shownMoney(comesTo)}, the return to ${shownMoney(due)}`,
            ...file.toComplete,
          ],
  };
};

/** An amount with the sign that it has in the amount due. */
type SignedAmount = { readonly label: string; readonly amount: Money };

/** Returns the amounts that make up the amount due, without those that a file carries. */
const notCarried = ({ lines }: TaxReturn, carries: readonly string[]): readonly SignedAmount[] => {
  const named = (number: string): ReturnLine | undefined => lines.find(({ line }) => line.line === number);
  const formulaOf = (number: string): Expression =>
    named(number)?.line.formula.expression ?? { kind: 'nothing' };
  const carried = new Set<string>();
  const carry = (number: string): void => {
    if (carried.has(number)) return;
    carried.add(number);
    for (const part of partsOf(formulaOf(number))) if (part.kind === 'line') carry(part.line);
  };
  carries.forEach(carry);

  const ofLine = (number: string, sign: 1 | -1): readonly SignedAmount[] => {
    const line = named(number);
    if (line === undefined || carried.has(number)) return [];
    const inner = formulaOf(number);
    const amount = sign === 1 ? line.amount : negate(line.amount);
    return isOfLines(inner) ? within(inner, sign) : [{ label: line.line.label, amount }];
  };
  const within = (expression: Expression, sign: 1 | -1): readonly SignedAmount[] => {
    switch (expression.kind) {
      case 'line':
        return ofLine(expression.line, sign);
      case 'sum':
        return expression.terms.flatMap((term) => within(term.of, term.sign === sign ? 1 : -1));
      case 'greatest':
        return expression.of.flatMap((of) => within(of, sign));
      case 'round':
        return within(expression.of, sign);
      default:
        return [];
    }
  };
  const due = lines.find(({ line }) => line.role === 'due')?.line.line ?? '';
  return ofLine(due, 1);
};

const OF_LINES: readonly Expression['kind'][] = ['line', 'sum', 'greatest', 'round', 'nothing'];

/** Whether a formula only adds up, compares or rounds other lines. */
const isOfLines = (expression: Expression): boolean => {
  const kinds = [...partsOf(expression)].map(({ kind }) => kind);
  return kinds.includes('line') && kinds.every((kind) => OF_LINES.includes(kind));
};

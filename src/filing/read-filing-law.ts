import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import * as z from 'zod';
import { TieoutError } from '../kernel/errors.ts';
import { problemTexts, schemaProblems } from '../kernel/schema-problems.ts';
import { CollectorRule } from './collector-rule.ts';
import {
  CodeRule,
  DiscountRule,
  DueDateRule,
  FacilitatorRule,
  HolidayRule,
  NexusRule,
} from './filing-law.ts';
import { FeeRule } from './law-row.ts';
import { ReturnForm } from './return-form.ts';

/** All the law that the filing rooms use. */
export type FilingLaw = ReturnType<typeof readFilingLaw>;

/**
 * Read return forms, due dates, holidays, discounts, nexus thresholds, fees, facilitators, collector rules and codes of places from a folder.
 *
 * @throws {TieoutError} E_LAW_INVALID naming file, place and rule, when a file breaks its schema
 */
export const readFilingLaw = (folder: URL) => {
  const rows = <Row extends z.ZodType>(name: string, row: Row) =>
    read(new URL(`${name}.yaml`, folder), z.array(row));
  return {
    forms: readdirSync(new URL('forms/', folder))
      .filter((file) => file.endsWith('.yaml'))
      .sort()
      .map((file) => read(new URL(`forms/${file}`, folder), ReturnForm)),
    dueDates: rows('due-dates', DueDateRule),
    holidays: rows('holidays', HolidayRule),
    discounts: rows('discounts', DiscountRule),
    nexus: rows('nexus', NexusRule),
    fees: rows('fees', FeeRule),
    facilitators: rows('facilitators', FacilitatorRule),
    collectors: rows('collectors', CollectorRule),
    codes: rows('codes', CodeRule),
  };
};

const read = <Schema extends z.ZodType>(file: URL, schema: Schema): z.output<Schema> => {
  const document = parseDocument(readFileSync(file, 'utf8'));
  const [syntax] = document.errors;
  if (syntax) throw invalid(file, [syntax.message.split('\n')[0] ?? '']);
  const result = schema.safeParse(document.toJS());
  if (result.success) return result.data;
  throw invalid(file, problemTexts(schemaProblems(schema, result.error.issues)));
};

const invalid = (file: URL, problems: readonly string[]): TieoutError =>
  new TieoutError({
    code: 'E_LAW_INVALID',
    message: `${fileURLToPath(file)}: ${problems.join('; ')}`,
    nextStep: 'Correct it there; docs/returns.md explains what may stand in it.',
  });

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
export const readFilingLaw = (folder: URL) => ({
  forms: readdirSync(new URL('forms/', folder))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => read(new URL(`forms/${file}`, folder), ReturnForm)),
  dueDates: read(new URL('due-dates.yaml', folder), z.array(DueDateRule)),
  holidays: read(new URL('holidays.yaml', folder), z.array(HolidayRule)),
  discounts: read(new URL('discounts.yaml', folder), z.array(DiscountRule)),
  nexus: read(new URL('nexus.yaml', folder), z.array(NexusRule)),
  fees: read(new URL('fees.yaml', folder), z.array(FeeRule)),
  facilitators: read(new URL('facilitators.yaml', folder), z.array(FacilitatorRule)),
  collectors: read(new URL('collectors.yaml', folder), z.array(CollectorRule)),
  codes: read(new URL('codes.yaml', folder), z.array(CodeRule)),
});

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

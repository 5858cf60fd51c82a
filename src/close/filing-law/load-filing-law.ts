import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { DefectError } from '../../kernel/errors.ts';
import { DiscountRule } from '../filing/law/discount-rule.ts';
import { DueDateRule } from '../filing/law/due-date-rule.ts';
import type { FilingLaw } from '../filing/law/filing-law.ts';
import { HolidayRule } from '../filing/law/holiday-rule.ts';
import { NexusRule } from '../filing/law/nexus-rule.ts';
import { ReturnForm } from '../filing/law/return-form.ts';

const FOLDER = new URL('../filing/data/', import.meta.url);
const FORMS = new URL('forms/', FOLDER);

/**
 * The returns, due dates, holidays, discounts and nexus thresholds that come with Tieout.
 *
 * @throws {DefectError} naming file, place and rule, where a file does not say what it must
 */
export const loadFilingLaw = (): FilingLaw => ({
  forms: readdirSync(FORMS)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => read(new URL(file, FORMS), ReturnForm)),
  dueDates: read(new URL('due-dates.yaml', FOLDER), z.array(DueDateRule)),
  holidays: read(new URL('holidays.yaml', FOLDER), z.array(HolidayRule)),
  discounts: read(new URL('discounts.yaml', FOLDER), z.array(DiscountRule)),
  nexus: read(new URL('nexus.yaml', FOLDER), z.array(NexusRule)),
});

const read = <Schema extends z.ZodType>(file: URL, schema: Schema): z.output<Schema> => {
  const result = schema.safeParse(parse(readFileSync(file, 'utf8')));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = file.pathname.split('/').at(-1);
  throw new DefectError(`${name}: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`);
};

import * as z from 'zod';
import { Column, Pattern } from './expression.ts';

/** How a file is told from others: by its columns, wherever they stand, and by what stands around them. */
export const Detection = z.strictObject({
  /** Columns without which the file is not of this kind. */
  required: z.array(Column).min(1),
  /** Groups of columns; at least one of each group is there. */
  any: z.array(z.array(Column).min(2)).default([]),
  /** Columns that rule the profile out. */
  forbidden: z.array(Column).default([]),
  /** Said of the file's name or of the lines before the header: a help where columns alone do not decide. */
  filename: Pattern.optional(),
  preamble: Pattern.optional(),
});

/** How the bytes of a file become rows. What is left out is found out by looking. */
export const FileForm = z.strictObject({
  delimiters: z.array(z.enum([',', ';', '\t', '|'])).optional(),
  encodings: z.array(z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'])).optional(),
  headerSearchLines: z.number().int().min(1).max(100).default(30),
  /** Another spelling of a column, and the column it means. */
  headerAliases: z.record(Column, Column).default({}),
  /** Lines that are no records, told by their filled cells, joined by commas. */
  footer: z.array(Pattern).default([]),
  /** Of two columns with one name the first is meant; or the second is called `Name (2)` and so on. */
  duplicateHeaders: z.enum(['first', 'number']).default('first'),
  /** The sheet of a workbook; its first one when left out. */
  sheet: z.string().optional(),
  /** Cells that say "nothing here", beside blank ones. */
  nullTokens: z.array(z.string()).default([]),
});

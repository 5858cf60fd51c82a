import * as z from 'zod';
import { Column, Pattern } from './expression.ts';

/** How a file is told from others: by its columns, wherever they stand, and by what stands around them. */
export const Detection = z.strictObject({
  required: z.array(Column).min(1).describe('Columns without which the file is not of this kind.'),
  any: z
    .array(z.array(Column).min(2))
    .default([])
    .describe('Groups of columns; at least one of each group is there.'),
  forbidden: z.array(Column).default([]).describe('Columns that rule the profile out.'),
  filename: Pattern.optional().describe('Said of the file’s name: a help where columns alone do not decide.'),
  preamble: Pattern.optional().describe('Said of the lines before the header, in the same way.'),
});

/** How the bytes of a file become rows. What is left out is found out by looking. */
export const FileForm = z.strictObject({
  delimiters: z
    .array(z.enum([',', ';', '\t', '|']))
    .optional()
    .describe('What may stand between two cells.'),
  encodings: z
    .array(z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']))
    .optional()
    .describe('What the bytes may be.'),
  headerSearchLines: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(30)
    .describe('How many lines from the top may be the header.'),
  headerAliases: z
    .record(Column, Column)
    .default({})
    .describe('Another spelling of a column, and the column it means.'),
  footer: z
    .array(Pattern)
    .default([])
    .describe(
      'Lines that are not records, such as a sum at the end, told by their filled cells, joined by commas.',
    ),
  duplicateHeaders: z
    .enum(['first', 'number'])
    .default('first')
    .describe(
      'Of two columns with one name the first is meant; or the second is called `Name (2)` and so on.',
    ),
  sheet: z.string().optional().describe('The sheet of a workbook; its first one when left out.'),
  nullTokens: z.array(z.string()).default([]).describe('Cells that say “nothing here”, beside blank ones.'),
});

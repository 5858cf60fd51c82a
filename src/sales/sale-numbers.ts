import { TieoutError } from '../kernel/errors.ts';
import { byFit, candidatesIn, fits, wantedBy } from './detect-profile.ts';
import type { FileSource } from './file-source.ts';
import { filledOf, guessColumns } from './guess-columns.ts';
import { isSalesProfile, shippedProfiles } from './load-profiles.ts';
import { type SampleColumn, sampleBelow, sampleOf } from './sample.ts';
import { surveyFile } from './survey-file.ts';
import { tableHeads } from './table-heads.ts';
import { columnWords, normalColumn } from './table-row.ts';
import { workbookHeads } from './workbook-head.ts';

/**
 * Read the first order numbers of a table that looks like sales; none if it does not, has no numbers, or is unreadable.
 * A workbook is not loaded for it.
 */
export const saleNumbersIn = async (source: FileSource): Promise<readonly string[]> => {
  try {
    const file = await surveyFile(source);
    const heads = file.form.kind === 'workbook' ? await workbookHeads(file) : await tableHeads(file);
    const wanted = shippedProfiles().map(wantedBy);
    const [best] = heads
      .flatMap((head) => candidatesIn(head, wanted))
      .filter(fits)
      .sort(byFit);
    const { columns } = best ? await sampleBelow(best.head, best.row) : await sampleOf(file, heads);
    const known = best && isSalesProfile(best.profile) ? best.profile.shape.key[0] : undefined;
    const name = best ? known : guessedNumber(columns);
    const column = columns.find((one) => name !== undefined && normalColumn(one.name) === normalColumn(name));
    return column ? [...new Set(filledOf(column))] : [];
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return [];
    throw error;
  }
};

/**
 * The column of order numbers where columns look like sales: an amount with an order number, or with a date and a tax or
 * destination. Price lists and bank statements have neither.
 */
const guessedNumber = (columns: readonly SampleColumn[]): string | undefined => {
  const { id, total, tax, goods, price, state, zip } = guessColumns(columns);
  if (!id || !(total ?? tax ?? goods ?? price)) return undefined;
  const isDated = columns.some(({ name }) => /\b(?:date|time|day|at)\b/.test(columnWords(name)));
  const isOfSales = /order|invoice|receipt|sale/i.test(id.name) || (isDated && (tax ?? state ?? zip));
  return isOfSales ? id.name : undefined;
};

import { TieoutError } from '../../../kernel/errors.ts';
import { detectProfile } from '../detect-profile.ts';
import { normalColumn } from '../files/normal-column.ts';
import type { FileSource } from '../files/open-bytes.ts';
import { type SurveyedFile, surveyFile } from '../files/survey-file.ts';
import { tableHeads } from '../files/table-heads.ts';
import { rowByRow } from '../files/table-row.ts';
import type { Profile } from '../profile.ts';
import { isSalesProfile, shippedProfiles } from '../shipped-profiles.ts';
import { bestHeader, DELIMITERS } from './draft-header.ts';
import { guessColumns } from './guess-columns.ts';

/** Maximum number of rows to read numbers from. */
const ROWS_MAX = 200;

/**
 * Read the first order numbers of a table that looks like sales; none if it does not, has no numbers, or is unreadable.
 */
export const saleNumbersIn = async (source: FileSource): Promise<readonly string[]> => {
  try {
    const file = await surveyFile(source);
    const { head, header } = bestHeader(file, await tableHeads(file, DELIMITERS));
    const name = await numberColumn(file, guessColumns(header.cells).guess);
    const column = name === undefined ? -1 : header.cells.map(normalColumn).indexOf(normalColumn(name));
    const numbers = new Set<string>();
    if (column < 0) return [];
    for await (const row of rowByRow(head.from(header))) {
      if (row.line > header.line + ROWS_MAX) break;
      const number = (row.cells[column] ?? '').trim();
      if (row.line !== header.line && number !== '') numbers.add(number);
    }
    return [...numbers];
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return [];
    throw error;
  }
};

type Guess = ReturnType<typeof guessColumns>['guess'];

/** Returns the column with the numbers of sales, by the profile of a known export; `undefined` if it has no sales. */
const numberColumn = async (file: SurveyedFile, guess: Guess): Promise<string | undefined> => {
  const profile = await knownProfile(file);
  if (!profile) return hasColumnsOfSales(guess) ? guess.id : undefined;
  return isSalesProfile(profile) ? profile.shape.key[0] : undefined;
};

const knownProfile = async (file: SurveyedFile): Promise<Profile | undefined> => {
  try {
    return (await detectProfile(file, shippedProfiles())).profile;
  } catch (error) {
    if (error instanceof TieoutError && error.code === 'E_EXPORT_UNKNOWN') return undefined;
    throw error;
  }
};

/**
 * Whether columns look like sales: an amount with an order number, or with a date and a tax or destination. Price lists
 * and bank statements have neither.
 */
const hasColumnsOfSales = (guess: Guess): boolean => {
  const { total, tax, net, goods, unitPrice } = guess;
  const hasAmount = [total, tax, net, goods, unitPrice].some((column) => column !== undefined);
  const isOfOrders = /order|invoice|receipt|sale/i.test(guess.id ?? '');
  const isTaxed = [tax, guess.state, guess.zip].some((column) => column !== undefined);
  return hasAmount && (isOfOrders || (guess.date !== undefined && isTaxed));
};

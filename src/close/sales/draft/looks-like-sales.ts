import { TieoutError } from '../../../kernel/errors.ts';
import { detectProfile } from '../detect-profile.ts';
import type { FileSource } from '../files/open-bytes.ts';
import { type SurveyedFile, surveyFile } from '../files/survey-file.ts';
import { tableHeads } from '../files/table-heads.ts';
import { isSalesProfile, shippedProfiles } from '../shipped-profiles.ts';
import { bestHeader, DELIMITERS } from './draft-profile.ts';
import { guessColumns } from './guess-columns.ts';

/** Whether a table holds sales as far as its columns show. One that cannot be read shows nothing. */
export const looksLikeSales = async (source: FileSource): Promise<boolean> => {
  try {
    const file = await surveyFile(source);
    return (await isKnownExport(file)) ?? (await hasColumnsOfSales(file));
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return false;
    throw error;
  }
};

const isKnownExport = async (file: SurveyedFile): Promise<boolean | undefined> => {
  try {
    return isSalesProfile((await detectProfile(file, shippedProfiles())).profile);
  } catch (error) {
    if (error instanceof TieoutError && error.code === 'E_EXPORT_UNKNOWN') return undefined;
    throw error;
  }
};

/** Amounts that have the number of an order, or a date beside a tax or a destination: a list of prices, or a bank's, has none of these. */
const hasColumnsOfSales = async (file: SurveyedFile): Promise<boolean> => {
  const { header } = bestHeader(file, await tableHeads(file, DELIMITERS));
  const { guess } = guessColumns(header.cells);
  const { total, tax, net, goods, unitPrice } = guess;
  const hasAmount = [total, tax, net, goods, unitPrice].some((column) => column !== undefined);
  const isOfOrders = /order|invoice|receipt|sale/i.test(guess.id ?? '');
  const isTaxed = [tax, guess.state, guess.zip].some((column) => column !== undefined);
  return hasAmount && (isOfOrders || (guess.date !== undefined && isTaxed));
};

import { TieoutError } from '../../kernel/errors.ts';
import { detectProfile } from './detect-profile.ts';
import type { FileSource } from './file-source.ts';
import { filledOf, type Guess, guessColumns } from './guess-columns.ts';
import { isSalesProfile, shippedProfiles } from './load-profiles.ts';
import type { Profile } from './profile.ts';
import { sampleOf } from './sample.ts';
import { type SurveyedFile, surveyFile } from './survey-file.ts';
import { normalColumn } from './table-row.ts';

/**
 * Read the first order numbers of a table that looks like sales; none if it does not, has no numbers, or is unreadable.
 */
export const saleNumbersIn = async (source: FileSource): Promise<readonly string[]> => {
  try {
    const file = await surveyFile(source);
    const { columns } = await sampleOf(file);
    const guess = guessColumns(columns);
    const profile = await knownProfile(file);
    const name = profile ? keyOf(profile) : hasColumnsOfSales(guess) ? guess.id?.name : undefined;
    const column = columns.find((one) => name !== undefined && normalColumn(one.name) === normalColumn(name));
    return [...new Set(filledOf(column?.cells ?? []))];
  } catch (error) {
    if (error instanceof TieoutError && error.recovery !== 'defect') return [];
    throw error;
  }
};

const keyOf = (profile: Profile): string | undefined =>
  isSalesProfile(profile) ? profile.shape.key[0] : undefined;

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
const hasColumnsOfSales = ({ id, date, total, tax, goods, price, state, zip }: Guess): boolean => {
  const isOfOrders = /order|invoice|receipt|sale/i.test(id?.name ?? '');
  return Boolean(total ?? tax ?? goods ?? price) && (isOfOrders || Boolean(date && (tax ?? state ?? zip)));
};

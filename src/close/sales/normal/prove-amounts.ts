import { ExportError } from '../export-error.ts';
import type { TableRow } from '../files/table-row.ts';
import type { MoneyForm } from '../profile/locale.ts';
import type { SalesProfile } from '../profile.ts';
import { rowReader } from '../row-reader.ts';
import { moneyReader } from './read-money.ts';

/** One or two digits after a mark show that it is the decimal mark. Three digits may be a thousands group. */
const DECIMALS = /[.,]\d{1,2}\D*$/;
const SYMBOL = /\p{Sc}/u;

/**
 * Determine the decimal mark of a file. The profile's format is used as soon as one amount can be read in it; the other
 * format is used if amounts fit only that one. Only the profile's control columns are checked, usually no further than
 * the first row.
 *
 * @returns the format for reading the amounts of this file
 * @throws {ExportError} E_EXPORT_AMOUNTS when all amounts are in a currency that the profile does not know
 */
export const proveAmounts = async (
  { locale, controls, file: { nullTokens, headerAliases } }: SalesProfile,
  header: readonly string[],
  rows: () => AsyncIterable<readonly TableRow[]>,
  file: string,
): Promise<MoneyForm> => {
  const cells = rowReader(header, { nullTokens, headerAliases });
  const columns = controls
    .filter((column) => cells.indexOf(column) >= 0)
    .map((column) => ({ column, textOf: cells.text(column) }));
  const declared = moneyReader(locale);
  const exchanged = exchangedForm(locale);
  let other:
    | { readonly text: string; readonly column: string; readonly symbol: string | undefined }
    | undefined;
  for await (const batch of rows()) {
    for (const row of batch) {
      for (const { column, textOf } of columns) {
        const text = textOf(row);
        if (!DECIMALS.test(text)) continue;
        if (declared(text) !== undefined) return locale;
        const symbol = SYMBOL.exec(text)?.[0];
        const symbols = symbol === undefined ? locale.currencySymbols : [...locale.currencySymbols, symbol];
        const isAmount = [locale, exchanged].some(
          (form) => moneyReader({ ...form, currencySymbols: symbols })(text) !== undefined,
        );
        if (isAmount) other ??= { text, column, symbol };
      }
    }
  }
  if (other === undefined) return locale;
  if (other.symbol === undefined || locale.currencySymbols.includes(other.symbol)) return exchanged;
  throw new ExportError(
    'E_EXPORT_AMOUNTS',
    file,
    `amounts such as "${other.text}" in ${other.column} are not in ${locale.currencySymbols.join(' or ')}`,
    'Export the sales of the United States by themselves, or describe this layout in a profile of your own that extends this one: locale: { currencySymbols: [...], currency: ... }.',
  );
};

const exchangedForm = ({ group: _group, ...form }: MoneyForm): MoneyForm => ({
  ...form,
  decimal: form.decimal === '.' ? ',' : '.',
});

import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggedLine } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { ownContent } from '../support/own-content.ts';
import type { Order, Place } from '../support/shop-exports.ts';
import type { Settings } from '../support/write-month.ts';

/** The content has the state's 6.5 % and no rate of the city. */
export const LIBERAL: Place = { city: 'Liberal', zip: '67901', state: 'KS' };

/** Rates as hundred-thousandths: 8.2 % is 8,200. Half a cent of tax is rounded up. */
export const taxAt = (cents: number, rate: number): number => Math.floor((cents * rate + 50_000) / 100_000);

export const dollars = (cents: number): string => (cents / 100).toFixed(2);

export const centsOf = (text = ''): number => Math.round(Number(text) * 100);

export const sold = (
  index: number,
  to: Place,
  cents: number,
  tax: number,
  taxLines: Order['taxLines'] = [],
): Order => ({
  name: `#${index + 1}`,
  at: '2026-10-05',
  to,
  price: dollars(cents),
  tax: dollars(tax),
  taxLines,
});

/** Rates that the content of these months lacks: of Liberal and its county, Lawrence, Warrensburg and Gulf Shores. */
const LACKING = /^(?:KS\t(?:county\t175|city\t(?:39825|38900))|MO\tcity\t77092|AL\tcity\t32272)\t.*\n/gm;

/** A content that knows of Kansas what a few sales show, without a last day, and lacks two cities of other states. */
export const contentWithGaps = async (): Promise<string> => {
  const { content } = await ownContent(await mkdtemp(join(tmpdir(), 'gaps-')));
  const rates = join(content, 'local-rates.tsv');
  await writeFile(rates, (await readFile(rates, 'utf8')).replaceAll(LACKING, ''));
  const coverage = join(content, 'coverage.tsv');
  const text = await readFile(coverage, 'utf8');
  await writeFile(
    coverage,
    text.replace(/^KS\t.*$/m, 'KS\tpartial+special-missing\t2026-11-22\tsome counties and cities\t\t'),
  );
  return content;
};

let gaps: Promise<string> | undefined;

/** What a close prints of a month of a shop registered in California and Kansas, and logs of its sales. */
export const closed = async (orders: readonly Order[], settings: Settings = {}) => {
  const registrations = ['CA', 'KS'].map((state) => ({ state, since: '2019-01-01' }));
  gaps ??= contentWithGaps();
  const content = await gaps;
  const shop = await month({ orders, settings: { registrations, content, ...settings } });
  const figures = await shop.close();
  return { shop, figures, sales: await shop.sales<LoggedLine>() };
};

import type { LoggedLine } from '../support/figures.ts';
import { month } from '../support/month.ts';
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

/** What a close prints of a month of a shop registered in California and Kansas, and logs of its sales. */
export const closed = async (orders: readonly Order[], settings: Settings = {}) => {
  const registrations = ['CA', 'KS'].map((state) => ({ state, since: '2019-01-01' }));
  const shop = await month({ orders, settings: { registrations, ...settings } });
  const figures = await shop.close();
  return { shop, figures, sales: await shop.sales<LoggedLine>() };
};

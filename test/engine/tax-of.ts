import type * as z from 'zod';
import type { TaxContent } from '../../src/content/tax-content.ts';
import { accept } from '../../src/contract/accept.ts';
import { TaxRequest } from '../../src/contract/tax-request.ts';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { wireTax } from '../../src/contract/wire.ts';
import { calculateTax } from '../../src/engine/calculate-tax.ts';
import type { ExemptCustomer, Seller } from '../../src/engine/order.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { defaultContent } from './content-with.ts';

type Around = {
  readonly seller?: Seller;
  readonly customer?: ExemptCustomer;
  readonly content?: TaxContent;
  readonly on?: string;
};

/** Calculate from a body as a caller sends it, and answer the result as a caller receives it. */
export const taxOf = (body: object, { seller, customer, content, on }: Around = {}) =>
  wireTax(
    calculateTax({
      request: accept(TaxRequest, body),
      seller: seller ?? { nexus: [] },
      customer,
      content: content ?? defaultContent,
      asOf: calendarDate(on ?? '2026-10-31'),
    }),
  ) as z.input<typeof TaxResult>;

/** An order from Oregon, where nothing is taxed, to a place with nexus, with one line of 100.00 and no shipping. */
export const orderTo = (state: string, zip: string, city = '', changes: object = {}) => ({
  from_country: 'US',
  from_state: 'OR',
  from_zip: '97204',
  from_city: 'Portland',
  to_country: 'US',
  to_state: state,
  to_zip: zip,
  to_city: city,
  shipping: 0,
  nexus_addresses: [{ country: 'US', state }],
  line_items: [{ id: '1', quantity: 1, unit_price: 100 }],
  ...changes,
});

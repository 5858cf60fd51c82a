import * as z from 'zod';
import { UsState } from './fields.ts';

/** An address in the United States from which orders are sent. */
export const ShipFrom = z.strictObject({
  country: z.literal('US').describe('Always `US`.'),
  state: UsState.describe('The state by its postal code.'),
  zip: z
    .string()
    .regex(/^\d{5}(-\d{4})?$/, 'must be a ZIP code in quotes')
    .meta({ description: 'The ZIP code, in quotes.', examples: ['95814'] }),
  city: z.string().meta({ description: 'The city.', examples: ['Sacramento'] }),
  street: z.string().meta({ description: 'The street, with its number.', examples: ['1201 K Street'] }),
});

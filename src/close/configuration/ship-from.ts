import * as z from 'zod';
import { usRegionCode, usRegionsOfZip } from '../../kernel/us-regions.ts';
import { UsState } from './fields.ts';

const ZIP = /^\d{5}(-\d{4})?$/;

/** An address in the United States from which orders are sent. */
export const ShipFrom = z
  .strictObject({
    country: z.literal('US').describe('Always `US`.'),
    state: UsState.describe('The state by its postal code.'),
    zip: z
      .string()
      .regex(ZIP, 'must be a ZIP code in quotes')
      .meta({ description: 'The ZIP code, in quotes.', examples: ['95814'] }),
    city: z.string().meta({ description: 'The city.', examples: ['Sacramento'] }),
    street: z.string().meta({ description: 'The street, with its number.', examples: ['1201 K Street'] }),
  })
  .superRefine(({ state, zip }, context) => {
    const states = usRegionsOfZip(zip);
    // An invalid state or ZIP code is already reported on its own.
    if (states.includes(state) || usRegionCode(state) !== state || !ZIP.test(zip)) return;
    const lies = states.length === 0 ? 'is not in use' : `is in ${states.join(' or ')}`;
    context.addIssue({
      code: 'custom',
      path: ['zip'],
      message: `must be a ZIP code of ${state}, and ${zip} ${lies}`,
    });
  });

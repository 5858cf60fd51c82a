import { expect, test } from 'vitest';
import * as z from 'zod';
import { Configuration } from '../../src/close/configuration/schema.ts';
import { SeveralEntities } from '../../src/close/configuration/several-entities.ts';

test('docs/tieout.schema.json is the schema of the configuration, for editors (npm test -- -u writes it anew)', async () => {
  const form = (of: z.ZodType) => {
    const { $schema, ...rest } = z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' });
    return rest;
  };
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    if: { required: ['entities'] },
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema.
    then: form(SeveralEntities),
    else: form(Configuration),
  };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/tieout.schema.json');
});

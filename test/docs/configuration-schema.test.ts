import { expect, test } from 'vitest';
import * as z from 'zod';
import { Configuration } from '../../src/close/configuration/schema.ts';

test('docs/tieout.schema.json is the schema of the configuration, for editors (npm test -- -u writes it anew)', async () => {
  const schema = z.toJSONSchema(Configuration, { io: 'input', unrepresentable: 'any' });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/tieout.schema.json');
});

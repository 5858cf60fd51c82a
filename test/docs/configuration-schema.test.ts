import { expect, test } from 'vitest';
import * as z from 'zod';
import { SeveralEntities } from '../../src/close/configuration/check-configuration.ts';
import { Configuration } from '../../src/close/configuration/schema.ts';
import { configurationPage, type Described } from './configuration-page.ts';

const form = (of: z.ZodType) => {
  const { $schema, ...rest } = z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' });
  return rest;
};

test('docs/tieout.schema.json is the schema of the configuration, for editors (npm test -- -u writes it again)', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    if: { required: ['entities'] },
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema.
    then: form(SeveralEntities),
    else: form(Configuration),
  };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/tieout.schema.json');
});

test('docs/configuration.md says of every key what it means, what it takes and what it is when left out', async () => {
  const schema = form(Configuration) as Described;
  expect(undescribed('', schema)).toEqual([]);
  await expect(configurationPage(schema)).toMatchFileSnapshot('../../docs/configuration.md');
});

/** The places of keys that say nothing of themselves. */
const undescribed = (
  place: string,
  { properties, items, additionalProperties }: Described,
): readonly string[] => [
  ...Object.entries(properties ?? {}).flatMap(([key, value]) => [
    ...(value.description === undefined ? [`${place}${key}`] : []),
    ...undescribed(`${place}${key}.`, value),
  ]),
  ...(items ? undescribed(place, items) : []),
  ...(additionalProperties ? undescribed(place, additionalProperties) : []),
];
